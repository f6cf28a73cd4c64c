import type { Channel } from '../../../storage/interface/channels.ts';
import type { User } from '../../../storage/interface/users.ts';

/** What has come of some of a call's parts. */
export interface Done {
  /** Those that there were already. */
  channels: readonly Channel[];
  /** By the key of the name. */
  created: ReadonlyMap<string, Channel>;
  /** Names of channels that the caller may not subscribe these users to. */
  unauthorized: readonly string[];
  /** By channel. */
  newcomers: ReadonlyMap<number, User[]>;
  /** Subscriptions that came to nothing, by `pairKey`: somebody or something had changed by the time of their part. */
  leftOut: ReadonlySet<string>;
}

export const NOTHING_DONE: Done = {
  channels: [],
  created: new Map(),
  unauthorized: [],
  newcomers: new Map(),
  leftOut: new Set(),
};

export function both(one: Done, other: Done): Done {
  const newcomers = new Map(one.newcomers);
  for (const [id, people] of other.newcomers) newcomers.set(id, [...(newcomers.get(id) ?? []), ...people]);
  const known = new Set(one.channels.map(({ id }) => id));
  return {
    channels: [...one.channels, ...other.channels.filter(({ id }) => !known.has(id))],
    created: new Map([...one.created, ...other.created]),
    unauthorized: [...new Set([...one.unauthorized, ...other.unauthorized])],
    newcomers,
    leftOut: new Set([...one.leftOut, ...other.leftOut]),
  };
}

type Pairs = { channels: readonly Pick<Channel, 'id'>[]; users: readonly User[] };

const pairKey = (user: User, channel: Pick<Channel, 'id'>) => `${user.id}:${channel.id}`;

/** Of the subscriptions that a part was to make, those that are not among what it could make. */
export function leftOut(wanted: Pairs, possible: Pairs): Set<string> {
  const channels = new Set(possible.channels.map(({ id }) => id));
  const users = new Set(possible.users.map(({ id }) => id));
  const left = new Set<string>();
  for (const channel of wanted.channels) {
    for (const user of wanted.users) {
      if (!channels.has(channel.id) || !users.has(user.id)) left.add(pairKey(user, channel));
    }
  }
  return left;
}

/** For people, where a call stops in its middle. */
export function progressOf({ created, newcomers }: Done): string {
  const made = [...newcomers.values()].reduce((sum, people) => sum + people.length, 0);
  const subscriptions = `${made} ${made === 1 ? 'subscription' : 'subscriptions'}`;
  if (created.size === 0) return `Completed before the error: ${subscriptions} added.`;
  const channels = `${created.size} ${created.size === 1 ? 'channel' : 'channels'}`;
  return `Completed before the error: ${channels} created, ${subscriptions} added.`;
}

/** What the answer says, by user. */
export function reportOf(users: readonly User[], { channels, created, newcomers, leftOut }: Done) {
  const subscribed: Record<string, string[]> = {};
  const already_subscribed: Record<string, string[]> = {};
  for (const channel of [...channels, ...created.values()]) {
    const added = new Set(newcomers.get(channel.id)?.map((user) => user.id));
    for (const user of users) {
      if (leftOut.has(pairKey(user, channel))) continue;
      const target = added.has(user.id) ? subscribed : already_subscribed;
      target[user.id] ??= [];
      target[user.id]?.push(channel.name);
    }
  }
  return { subscribed, already_subscribed };
}
