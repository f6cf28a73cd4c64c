import type { Channel } from '../../../storage/interface/channels.ts';
import type { User } from '../../../storage/interface/users.ts';

/** The result of the parts that are done. */
export interface CompletedParts {
  /** Channels that this call did not create. */
  channels: readonly Channel[];
  /** Created channels by folded name. */
  created: ReadonlyMap<string, Channel>;
  /** Names of channels that the caller may not subscribe these users to. */
  unauthorized: readonly string[];
  /** New subscribers by channel ID. */
  newcomers: ReadonlyMap<number, User[]>;
  /** Skipped subscriptions by `pairKey`: the user or the channel changed before their part ran. */
  leftOut: ReadonlySet<string>;
}

export const NOTHING_DONE: CompletedParts = {
  channels: [],
  created: new Map(),
  unauthorized: [],
  newcomers: new Map(),
  leftOut: new Set(),
};

export function both(one: CompletedParts, other: CompletedParts): CompletedParts {
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

/** The wanted subscriptions of a part that are not possible. */
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

/** Text for the error message of a call that stops halfway. */
export function progressOf({ created, newcomers }: CompletedParts): string {
  const made = [...newcomers.values()].reduce((sum, people) => sum + people.length, 0);
  const subscriptions = `${made} ${made === 1 ? 'subscription' : 'subscriptions'}`;
  if (created.size === 0) return `Completed before the error: ${subscriptions} added.`;
  const channels = `${created.size} ${created.size === 1 ? 'channel' : 'channels'}`;
  return `Completed before the error: ${channels} created, ${subscriptions} added.`;
}

/** The lists of the response: channel names by user ID. */
export function reportOf(users: readonly User[], { channels, created, newcomers, leftOut }: CompletedParts) {
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
