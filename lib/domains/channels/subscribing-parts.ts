import { chunked, groupBy } from '../../base/lists.ts';
import type { Channel } from '../../model/channels.ts';
import type { User } from '../../model/users.ts';
import { METADATA_PERMISSIONS } from '../../rules/channels.ts';

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

/** The fields of an existing or planned channel that determine its cost. */
type ChannelCostFields = Pick<Channel, 'invite_only' | 'is_web_public' | 'settings'>;

interface Limits<C> {
  /** Maximum number of channels per part. */
  max?: number;
  /** Number of subscribers that events list for a channel. */
  named?: (channel: C) => number;
}

/**
 * Splits a large call along the longer of its two lists, because every part repeats the work for the other list. If
 * many channels have their own groups or many subscribers, splits along the channels, with few channels per part.
 */
export function partsOf<C extends ChannelCostFields>(
  channels: readonly C[],
  users: readonly User[],
  { max = SUBSCRIPTIONS_PER_TRANSACTION, named = () => 0 }: Limits<C> = {},
): SubscribingPart<C>[] {
  const weighed = [...groupBy(channels, groupsOf)].flatMap(([groups, alike]) =>
    alike.map((channel, at) => ({
      channel,
      /** The work for the channel that does not depend on the users. */
      once: (groups === '' || at > 0 ? 0 : LOOKUPS_PER_TRANSACTION) + named(channel) / SUBSCRIBERS_NAMED_PER_UNIT,
    })),
  );
  const once = weighed.reduce((sum, channel) => sum + channel.once, 0);
  const weightOf = (channel: { once: number }) =>
    Math.max(users.length + channel.once, SUBSCRIPTIONS_PER_TRANSACTION / max);
  const ofChannels =
    users.length > channels.length && once <= SUBSCRIPTIONS_PER_TRANSACTION
      ? [channels]
      : chunked(weighed, SUBSCRIPTIONS_PER_TRANSACTION, weightOf).map((part) => part.map(({ channel }) => channel));
  return ofChannels.flatMap((channels) => {
    const usersPerPart = Math.max(1, Math.floor(SUBSCRIPTIONS_PER_TRANSACTION / Math.max(1, channels.length)));
    return chunked(users, usersPerPart).map((users, at, all) => ({ channels, users, isLast: at === all.length - 1 }));
  });
}

/** Equal for private channels with the same groups in their permissions. Empty for all other channels. */
function groupsOf({ invite_only, is_web_public, settings }: ChannelCostFields): string {
  const groups = METADATA_PERMISSIONS.map((name) => settings[name]);
  const hasOwn = invite_only && !is_web_public && groups.some((value) => value !== undefined);
  return hasOwn ? JSON.stringify(groups) : '';
}
