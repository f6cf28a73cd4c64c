import type { AccountContext, WriteContext } from '../../kernel/context.ts';
import { ChatError } from '../../kernel/errors.ts';
import type { Channel } from '../../storage/interface/channels.ts';
import type { User } from '../../storage/interface/users.ts';

/** Subscriptions that one transaction begins or ends: whoever sends or reads meanwhile waits for it. */
const PART = 2_500;

/** What one transaction of several does: each of the users comes into each of the channels, or leaves it. */
export interface SubscribingPart<C = Channel> {
  channels: readonly C[];
  users: readonly User[];
  /** Whether no later part has these channels. */
  isLast: boolean;
}

/** The context of an operation, as far as later parts take it. */
export interface Transacting {
  transact<T>(effect: 'write', work: (context: AccountContext) => Promise<T>): Promise<T>;
}

/**
 * Who may know of a private channel is looked up by the groups that its permissions name, and each of them is told:
 * that is as much work as so many subscriptions.
 */
const LOOKUP = PART / 20;

/** Whoever comes in is told of all who are there: to name so many is as much work as one subscription. */
const NAMED = 50;

const KNOWING = ['can_administer_channel_group', 'can_add_subscribers_group', 'can_subscribe_group'] as const;

/** As much of a channel, there or planned, as tells how much work it is. */
type Weighed = Pick<Channel, 'invite_only' | 'is_web_public' | 'settings'>;

interface Limits<C> {
  /** Channels of a part, if parts are of channels. */
  most?: number;
  /** Subscribers of a channel whom everybody is told of. */
  named?: (channel: C) => number;
}

/**
 * A large call in parts, of the longer of its lists: each of the other is looked at, and told of, once for each part.
 * Where many channels have groups of their own, or many subscribers to be told of, parts are of channels, and of few of
 * these.
 */
export function partsOf<C extends Weighed>(
  channels: readonly C[],
  users: readonly User[],
  limits: Limits<C> = {},
): SubscribingPart<C>[] {
  const groups = new Set(channels.map(groupsOf).filter((one) => one !== ''));
  const { named = () => 0 } = limits;
  const once = channels.reduce((sum, channel) => sum + named(channel) / NAMED, groups.size * LOOKUP);
  const ofChannels =
    users.length > channels.length && once <= PART ? [channels] : channelParts(channels, users, limits);
  return ofChannels.flatMap((channels) => {
    const length = Math.max(1, Math.floor(PART / Math.max(1, channels.length)));
    return Array.from({ length: Math.ceil(users.length / length) }, (_, at) => ({
      channels,
      users: users.slice(at * length, (at + 1) * length),
      isLast: (at + 1) * length >= users.length,
    }));
  });
}

function channelParts<C extends Weighed>(
  channels: readonly C[],
  users: readonly User[],
  { most = PART, named = () => 0 }: Limits<C>,
): C[][] {
  const parts: C[][] = [];
  let part: C[] = [];
  let known = new Set<string>();
  let work = 0;
  for (const channel of channels) {
    const groups = groupsOf(channel);
    const own = users.length + (groups === '' || known.has(groups) ? 0 : LOOKUP) + named(channel) / NAMED;
    if (part.length === 0 || part.length >= most || work + own > PART) {
      part = [];
      known = new Set();
      work = 0;
      parts.push(part);
    }
    part.push(channel);
    known.add(groups);
    work += own;
  }
  return parts;
}

/** The same text for channels that the same groups may know of; none where they are known to all alike. */
function groupsOf({ invite_only, is_web_public, settings }: Weighed): string {
  if (!invite_only || is_web_public || !KNOWING.some((name) => settings[name] !== undefined)) return '';
  return JSON.stringify(KNOWING.map((name) => settings[name]));
}

/** As a later transaction finds a part: users who are still active, and channels that are still open. */
export async function partAsOfNow(
  context: Pick<WriteContext, 'tx'>,
  { channels, users }: Pick<SubscribingPart, 'channels' | 'users'>,
): Promise<Pick<SubscribingPart, 'channels' | 'users'>> {
  const there = await context.tx.channels.byIds(channels.map(({ id }) => id));
  return {
    channels: there.filter(({ is_archived }) => !is_archived),
    users: await stillActive(context, users),
  };
}

export async function stillActive({ tx }: Pick<WriteContext, 'tx'>, users: readonly User[]): Promise<User[]> {
  const people = await tx.users.byIds(users.map(({ id }) => id));
  return people.filter(({ is_active }) => is_active);
}

/** What a later part failed with: what earlier ones have done stays, and a refusal says so. */
export function stoppedAfter(error: unknown, done: string): unknown {
  if (error instanceof ChatError) error.message = `${error.message} ${done}`;
  return error;
}
