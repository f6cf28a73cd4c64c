import * as v from 'valibot';
import type { Delivery, WriteContext } from '../../access/context.ts';
import { groupSettingView } from '../../access/group-setting-value.ts';
import { describe, groupSetting, optional } from '../../base/schemas.ts';
import { defineEvent } from '../../events/define-event.ts';
import type { Channel, ChannelHead } from '../../model/channels.ts';
import type { GroupSettingValue } from '../../model/groups.ts';
import { channelPermission } from '../../rules/channels.ts';
import { CHANNEL_PERMISSIONS, type ChannelPermission } from '../../rules/permission-settings.ts';
import { systemGroupId } from '../../rules/system-groups.ts';
import type { Audience } from '../../storage/interface/events.ts';
import type { Subscription } from '../../storage/interface/subscriptions.ts';

const permissionKeys = Object.keys(CHANNEL_PERMISSIONS) as ChannelPermission[];
const permissionEntries = Object.fromEntries(permissionKeys.map((key) => [key, groupSetting])) as Record<
  ChannelPermission,
  typeof groupSetting
>;

/** A channel as shown to all users who may know of it. */
export const channelObject = v.object({
  stream_id: v.number(),
  name: v.string(),
  is_archived: v.boolean(),
  description: v.string(),
  rendered_description: v.string(),
  date_created: v.number(),
  creator_id: v.nullable(v.number()),
  invite_only: v.boolean(),
  is_web_public: v.boolean(),
  history_public_to_subscribers: v.boolean(),
  stream_post_policy: v.number(),
  is_announcement_only: v.boolean(),
  message_retention_days: v.nullable(v.number()),
  topics_policy: v.string(),
  first_message_id: v.nullable(v.number()),
  folder_id: v.nullable(v.number()),
  is_recently_active: v.boolean(),
  subscriber_count: v.number(),
  stream_weekly_traffic: v.nullable(v.number()),
  ...permissionEntries,
  is_default: v.optional(v.boolean()),
  subscribers: v.optional(v.array(v.number())),
  partial_subscribers: optional(
    v.array(v.number()),
    'Sent instead of `subscribers` if there are too many. Use `channels.subscribers` to list them.',
  ),
});

export type ChannelObject = v.InferOutput<typeof channelObject>;

/** A channel with the personal settings of one user. */
export const subscriptionObject = v.object({
  ...channelObject.entries,
  color: v.string(),
  is_muted: v.boolean(),
  in_home_view: v.boolean(),
  pin_to_top: v.boolean(),
  desktop_notifications: v.nullable(v.boolean()),
  audible_notifications: v.nullable(v.boolean()),
  push_notifications: v.nullable(v.boolean()),
  email_notifications: v.nullable(v.boolean()),
  wildcard_mentions_notify: v.nullable(v.boolean()),
});

export type SubscriptionObject = v.InferOutput<typeof subscriptionObject>;

const DAY_MS = 86_400_000;
/** A channel is recently active if it got a message, or was created, within this many days. */
const RECENT_DAYS = 180;

export function channelView(channel: Channel, inactiveIds: ReadonlySet<number>, now: number): ChannelObject {
  const policy = streamPostPolicy(channel);
  const today = Math.floor(now / DAY_MS);
  const lastDay = channel.last_active_day ?? Math.floor(channel.created_ms / DAY_MS);
  const permissions = {} as Record<ChannelPermission, GroupSettingValue>;
  for (const key of permissionKeys) permissions[key] = groupSettingView(channelPermission(channel, key), inactiveIds);
  return {
    stream_id: channel.id,
    name: channel.name,
    is_archived: channel.is_archived,
    description: channel.description,
    rendered_description: channel.rendered_description,
    date_created: Math.floor(channel.created_ms / 1000),
    creator_id: channel.creator_id,
    invite_only: channel.invite_only,
    is_web_public: channel.is_web_public,
    history_public_to_subscribers: channel.history_public_to_subscribers,
    stream_post_policy: policy,
    is_announcement_only: policy === 2,
    message_retention_days: channel.message_retention_days,
    topics_policy: channel.topics_policy,
    first_message_id: channel.first_message_id,
    folder_id: channel.folder_id,
    is_recently_active: today - lastDay <= RECENT_DAYS,
    subscriber_count: channel.subscriber_count,
    stream_weekly_traffic: null,
    ...permissions,
  };
}

export function subscriptionView(
  channel: Channel,
  subscription: Subscription,
  inactiveIds: ReadonlySet<number>,
  now: number,
): SubscriptionObject {
  return {
    ...channelView(channel, inactiveIds, now),
    color: subscription.color,
    is_muted: subscription.is_muted,
    in_home_view: !subscription.is_muted,
    pin_to_top: subscription.pin_to_top,
    desktop_notifications: subscription.desktop_notifications,
    audible_notifications: subscription.audible_notifications,
    push_notifications: subscription.push_notifications,
    email_notifications: subscription.email_notifications,
    wildcard_mentions_notify: subscription.wildcard_mentions_notify,
  };
}

/** Deprecated field derived for old clients: 1 everyone or other, 2 administrators, 3 full members, 4 moderators. */
export function streamPostPolicy(channel: Pick<ChannelHead, 'settings' | 'creator_id'>): 1 | 2 | 3 | 4 {
  const value = channelPermission(channel, 'can_send_message_group');
  if (value === systemGroupId('role:administrators')) return 2;
  if (value === systemGroupId('role:fullmembers')) return 3;
  if (value === systemGroupId('role:moderators')) return 4;
  return 1;
}

export const channelCreated = defineEvent('stream/create', {
  summary: 'Channels were created, or became visible to you.',
  fields: { streams: v.array(channelObject) },
});

export const channelDeleted = defineEvent('stream/delete', {
  summary: 'Channels were archived (older clients only), or are no longer visible to you.',
  fields: {
    streams: v.array(v.object({ stream_id: v.number() })),
    stream_ids: describe(v.array(v.number()), 'The same channels.'),
  },
});

/** Sends `stream/delete` to the audience. */
export function emitChannelsDeleted(
  { emit }: Pick<WriteContext, 'emit'>,
  audience: Audience,
  channels: readonly Pick<Channel, 'id'>[],
  delivery: Delivery,
): void {
  const stream_ids = channels.map(({ id }) => id);
  emit(audience, channelDeleted({ streams: stream_ids.map((stream_id) => ({ stream_id })), stream_ids }), delivery);
}

/**
 * Clients without the capability `archived_channels` see archiving as deletion, and unarchiving as creation. This
 * delivers events for these clients only.
 */
export const ONLY_IF_HIDDEN: Delivery = { archivedChannels: false };

/** Delivers events about an archived channel only to clients with the capability `archived_channels`. */
export function onlyIfShown(channel: Pick<ChannelHead, 'is_archived'>): Delivery {
  return channel.is_archived ? { archivedChannels: true } : {};
}

/** Channels or subscriptions per event. */
export const MAX_LISTED_USERS = 100;
/** Subscriber IDs per event, unless it contains a single channel: some tens of kilobytes. */
const MOST_NAMED = 10_000;

/** An item to send to users, and the number of subscriber IDs in it. */
interface Addressed<T> {
  users: readonly number[];
  item: T;
  named?: number;
}

/** Merges items for the same users into few events. Keeps the order of the items for each list of users. */
export function batchEvents<T>(told: Iterable<Addressed<T>>): { users: readonly number[]; items: T[] }[] {
  const events: { users: readonly number[]; items: T[]; named: number }[] = [];
  const open = new Map<string, (typeof events)[number]>();
  for (const { users, item, named = 0 } of told) {
    if (users.length === 0) continue;
    const key = users.join();
    const event = open.get(key);
    if (event && event.items.length < MAX_LISTED_USERS && event.named + named <= MOST_NAMED) {
      event.items.push(item);
      event.named += named;
    } else {
      const next = { users, items: [item], named };
      open.set(key, next);
      events.push(next);
    }
  }
  return events;
}
