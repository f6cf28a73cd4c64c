import * as v from 'valibot';
import { keysOf, recordOf } from '../../base/keys.ts';
import { chunked, groupBy } from '../../base/lists.ts';
import { describe, entriesOf, groupSetting, optional } from '../../base/schemas.ts';
import { defineEvent } from '../../events/define-event.ts';
import type { Channel, ChannelHead } from '../../model/channels.ts';
import type { User } from '../../model/users.ts';
import { channelPermission } from '../../rules/channels.ts';
import { NOTIFICATION_DEFAULTS } from '../../rules/notifications.ts';
import { CHANNEL_PERMISSION_NAMES } from '../../rules/permission-settings.ts';
import { systemGroupId } from '../../rules/roles.ts';
import type { Subscription, SubscriptionProperties } from '../../storage/interface/channels.ts';
import type { Audience } from '../../storage/interface/events.ts';
import { inactiveUserIds } from '../../viewer/audiences.ts';
import type { Delivery, ReadContext, WriteContext } from '../../viewer/context.ts';
import { groupSettingView } from '../organization/group-setting-value.ts';

/** A channel as shown to all users who may know of it. */
export const channelObject = v.object({
  stream_id: v.number(),
  name: describe(v.string(), 'Name of the channel.'),
  is_archived: v.boolean(),
  description: describe(v.string(), 'Markdown.'),
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
  ...entriesOf(CHANNEL_PERMISSION_NAMES, groupSetting),
  is_default: v.optional(v.boolean()),
  subscribers: v.optional(v.array(v.number())),
  partial_subscribers: optional(v.array(v.number()), 'Empty, if there are too many. Use `channels.subscribers`.'),
});

export type ChannelObject = v.InferOutput<typeof channelObject>;

export const personalFields = {
  color: v.string(),
  is_muted: v.boolean(),
  in_home_view: v.boolean(),
  pin_to_top: v.boolean(),
  desktop_notifications: v.nullable(v.boolean()),
  audible_notifications: v.nullable(v.boolean()),
  push_notifications: v.nullable(v.boolean()),
  email_notifications: v.nullable(v.boolean()),
  wildcard_mentions_notify: v.nullable(v.boolean()),
};

export const subscriptionObject = v.object({ ...channelObject.entries, ...personalFields });

export type SubscriptionObject = v.InferOutput<typeof subscriptionObject>;

const DAY_MS = 86_400_000;
/** A channel is recently active if it got a message, or was created, within this many days. */
const RECENT_DAYS = 180;

/** Channels as shown to all users who may know of them. Permission values leave out deactivated users. */
export class ChannelViews {
  constructor(
    private readonly inactiveIds: ReadonlySet<number>,
    private readonly now: number,
  ) {}

  of(channel: Channel): ChannelObject {
    const {
      id,
      created_ms,
      last_active_day,
      is_default: _isDefault,
      settings: _settings,
      external_id: _external,
      ...shown
    } = channel;
    const policy = streamPostPolicy(channel);
    const today = Math.floor(this.now / DAY_MS);
    const lastDay = last_active_day ?? Math.floor(created_ms / DAY_MS);
    const permissions = recordOf(CHANNEL_PERMISSION_NAMES, (key) =>
      groupSettingView(channelPermission(channel, key), this.inactiveIds),
    );
    return {
      stream_id: id,
      ...shown,
      date_created: Math.floor(created_ms / 1000),
      stream_post_policy: policy,
      is_announcement_only: policy === 2,
      is_recently_active: today - lastDay <= RECENT_DAYS,
      stream_weekly_traffic: null,
      ...permissions,
    };
  }

  /** With the settings of its subscriber. */
  withSubscription(channel: Channel, subscription: Subscription): SubscriptionObject {
    const personal = personalProperties(subscription);
    return { ...this.of(channel), ...personal, in_home_view: !personal.is_muted };
  }
}

export const channelViews = async (context: Pick<ReadContext, 'tx' | 'now'>) =>
  new ChannelViews(await inactiveUserIds(context), context.now);

const GENERAL_SETTINGS = {
  desktop_notifications: 'enable_stream_desktop_notifications',
  audible_notifications: 'enable_stream_audible_notifications',
  push_notifications: 'enable_stream_push_notifications',
  email_notifications: 'enable_stream_email_notifications',
  wildcard_mentions_notify: 'wildcard_mentions_notify',
} as const;

/** For clients without `notification_settings_null`, which read null as false: null is the general setting of the user. */
export function withoutNull<S extends SubscriptionObject>(subscription: S, { settings }: Pick<User, 'settings'>): S {
  const general = (key: keyof typeof GENERAL_SETTINGS): boolean => {
    const name = GENERAL_SETTINGS[key];
    return subscription[key] ?? (settings[name] as boolean | undefined) ?? NOTIFICATION_DEFAULTS[name];
  };
  const keys = keysOf(GENERAL_SETTINGS);
  return { ...subscription, ...Object.fromEntries(keys.map((key) => [key, general(key)])) };
}

export function personalProperties(subscription: Subscription): SubscriptionProperties {
  const { user_id: _user, channel_id: _channel, active: _active, floor: _floor, ...properties } = subscription;
  return properties;
}

/** Deprecated field derived for old clients: 1 everyone or other, 2 administrators, 3 full members, 4 moderators. */
export function streamPostPolicy(channel: Pick<ChannelHead, 'settings' | 'creator_id'>): 1 | 2 | 3 | 4 {
  const value = channelPermission(channel, 'can_send_message_group');
  if (value === systemGroupId('role:administrators')) return 2;
  if (value === systemGroupId('role:fullmembers')) return 3;
  if (value === systemGroupId('role:moderators')) return 4;
  return 1;
}

/** For an event that changes which of these channels the reader can see, or which users. */
export const startsOverIn = (ids: readonly number[], rooms: ReadonlySet<number>) =>
  ids.some((id) => rooms.has(id)) && 'start over';

export const channelCreated = defineEvent('stream/create', {
  summary: 'Channels were created, or became visible to you.',
  fields: { streams: v.array(channelObject) },
  inRooms: ({ streams }, { channels }) =>
    startsOverIn(
      streams.map(({ stream_id }) => stream_id),
      channels,
    ),
});

export const channelDeleted = defineEvent('stream/delete', {
  summary: 'Channels were archived (older clients only), or are no longer visible to you.',
  fields: {
    streams: v.array(v.object({ stream_id: v.number() })),
    stream_ids: describe(v.array(v.number()), 'The same channels.'),
  },
  inRooms: ({ stream_ids }, { channels }) => startsOverIn(stream_ids, channels),
});

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

export const MAX_CHANNELS_PER_EVENT = 100;
/** Subscriber IDs per event, unless it contains a single channel: some tens of kilobytes. */
const MAX_NAMED_PER_EVENT = 10_000;

/** An item to send to users, and the number of subscriber IDs in it. */
interface Addressed<T> {
  users: readonly number[];
  item: T;
  named?: number;
}

/** Merges items for the same users into few events. Keeps the order of the items for each list of users. */
export function batchEvents<T>(addressed: readonly Addressed<T>[]): { users: readonly number[]; items: T[] }[] {
  const alike = groupBy(addressed, ({ users }) => users.join());
  alike.delete('');
  const weightOf = ({ named = 0 }: Addressed<T>) => Math.max(MAX_NAMED_PER_EVENT / MAX_CHANNELS_PER_EVENT, named);
  return [...alike.values()]
    .flatMap((group) => chunked(group, MAX_NAMED_PER_EVENT, weightOf))
    .map((part) => ({ users: part[0]?.users ?? [], items: part.map(({ item }) => item) }));
}
