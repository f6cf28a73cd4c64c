import type { WriteContext } from '../../access/context.ts';
import type { Channel } from '../../model/channels.ts';
import type { User } from '../../model/users.ts';

/** Subscriptions added or removed per transaction. Other requests wait for the transaction. */
const SUBSCRIPTIONS_PER_TRANSACTION = 2_500;

/** The work of one transaction: subscribes or unsubscribes each of the users in each of the channels. */
export interface SubscribingPart<C = Channel> {
  channels: readonly C[];
  users: readonly User[];
  /** True if no later part contains these channels. */
  isLast: boolean;
}

/**
 * Users who may know of a private channel are looked up by the groups in its permissions, and get events. This costs as
 * much as this many subscriptions.
 */
const LOOKUPS_PER_TRANSACTION = SUBSCRIPTIONS_PER_TRANSACTION / 20;

/** New subscribers get the list of all subscribers. This many user IDs cost as much as one subscription. */
const SUBSCRIBERS_NAMED_PER_UNIT = 50;

const KNOWING = ['can_administer_channel_group', 'can_add_subscribers_group', 'can_subscribe_group'] as const;

/** The fields of an existing or planned channel that determine its cost. */
type Weighed = Pick<Channel, 'invite_only' | 'is_web_public' | 'settings'>;

interface Limits<C> {
  /** Maximum number of channels per part. */
  most?: number;
  /** Number of subscribers that events list for a channel. */
  named?: (channel: C) => number;
}

/**
 * Splits a large call along the longer of its two lists, because every part repeats the work for the other list. If
 * many channels have their own groups or many subscribers, splits along the channels, with few channels per part.
 */
export function partsOf<C extends Weighed>(
  channels: readonly C[],
  users: readonly User[],
  limits: Limits<C> = {},
): SubscribingPart<C>[] {
  const groups = new Set(channels.map(groupsOf).filter((groups) => groups !== ''));
  const { named = () => 0 } = limits;
  const once = channels.reduce(
    (sum, channel) => sum + named(channel) / SUBSCRIBERS_NAMED_PER_UNIT,
    groups.size * LOOKUPS_PER_TRANSACTION,
  );
  const ofChannels =
    users.length > channels.length && once <= SUBSCRIPTIONS_PER_TRANSACTION
      ? [channels]
      : channelParts(channels, users, limits);
  return ofChannels.flatMap((channels) => {
    const length = Math.max(1, Math.floor(SUBSCRIPTIONS_PER_TRANSACTION / Math.max(1, channels.length)));
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
  { most = SUBSCRIPTIONS_PER_TRANSACTION, named = () => 0 }: Limits<C>,
): C[][] {
  const parts: C[][] = [];
  let part: C[] = [];
  let known = new Set<string>();
  let work = 0;
  for (const channel of channels) {
    const groups = groupsOf(channel);
    const own =
      users.length +
      (groups === '' || known.has(groups) ? 0 : LOOKUPS_PER_TRANSACTION) +
      named(channel) / SUBSCRIBERS_NAMED_PER_UNIT;
    if (part.length === 0 || part.length >= most || work + own > SUBSCRIPTIONS_PER_TRANSACTION) {
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

/** Equal for private channels with the same groups in their permissions. Empty for all other channels. */
function groupsOf({ invite_only, is_web_public, settings }: Weighed): string {
  if (!invite_only || is_web_public || !KNOWING.some((name) => settings[name] !== undefined)) return '';
  return JSON.stringify(KNOWING.map((name) => settings[name]));
}

/** The part as it is now: without deactivated users and without archived channels. */
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
