import * as v from 'valibot';
import { bool, byText, int, ints, maybe, num, object, str } from './mobile-objects.ts';

/** Keys the terminal client reads without a default. A missing one ends it with a KeyError. */

const recipient = object({ id: int, email: str, full_name: str });

const user = object({
  user_id: int,
  full_name: str,
  email: str,
  is_bot: bool,
  role: int,
  date_joined: str,
  timezone: str,
  bot_type: maybe(int),
  bot_owner_id: maybe(int),
  profile_data: maybe(byText(object({ value: str }))),
});

/** It reads fewer keys of system bots. */
const systemBot = object({ user_id: int, full_name: str, email: str });

const lastSeen = object({ status: str, timestamp: num });

const subscription = object({
  stream_id: int,
  name: str,
  color: v.pipe(str, v.regex(/^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/)),
  description: str,
  rendered_description: str,
  pin_to_top: bool,
  is_muted: bool,
  desktop_notifications: v.nullable(bool),
  invite_only: bool,
  subscribers: ints,
  message_retention_days: v.nullable(int),
  date_created: int,
  stream_post_policy: int,
  history_public_to_subscribers: bool,
  stream_weekly_traffic: v.nullable(int),
});

export const registered = object({
  queue_id: str,
  last_event_id: int,
  zulip_version: str,
  zulip_feature_level: int,
  user_id: int,
  email: str,
  full_name: str,
  realm_name: str,
  realm_message_retention_days: v.nullable(int),
  realm_allow_message_editing: bool,
  realm_message_content_edit_limit_seconds: v.nullable(int),
  realm_allow_edit_history: bool,
  realm_users: v.array(user),
  cross_realm_bots: v.array(systemBot),
  presences: byText(v.intersect([object({ aggregated: lastSeen }), byText(lastSeen)])),
  subscriptions: v.array(subscription),
  unsubscribed: v.array(subscription),
  muted_topics: v.array(v.pipe(v.array(v.unknown()), v.minLength(2), v.maxLength(3))),
  realm_user_groups: v.array(object({ id: int, name: str })),
  unread_msgs: object({
    mentions: ints,
    pms: v.array(object({ sender_id: int, unread_message_ids: ints })),
    streams: v.array(object({ stream_id: int, topic: str, unread_message_ids: ints })),
    huddles: v.array(object({ user_ids_string: str, unread_message_ids: ints })),
  }),
  realm_emoji: byText(object({ name: str, deactivated: bool })),
  user_settings: object({
    send_private_typing_notifications: bool,
    twenty_four_hour_time: bool,
    pm_content_in_desktop_notifications: bool,
  }),
  custom_profile_fields: v.array(object({ id: int, name: str, type: int, field_data: str, order: int })),
  starred_messages: ints,
  max_message_id: int,
});

/** After an expired queue it requests no state, but still reads the newest message's ID. */
export const registeredAgain = object({ queue_id: str, last_event_id: int, max_message_id: int });

const reaction = v.intersect([
  object({ emoji_name: str, emoji_code: str }),
  v.union([object({ user_id: int }), object({ user: object({ id: int }) })]),
]);

const messageEntries = {
  id: int,
  sender_id: int,
  sender_full_name: str,
  sender_email: str,
  content: str,
  timestamp: int,
  reactions: v.array(reaction),
  is_me_message: bool,
  topic_links: v.array(object({ url: str, text: str })),
  subject: str,
};

const messageWith = <F extends v.ObjectEntries>(flags: F) =>
  v.variant('type', [
    object({ ...messageEntries, ...flags, type: v.literal('stream'), stream_id: int, display_recipient: str }),
    object({ ...messageEntries, ...flags, type: v.literal('private'), display_recipient: v.array(recipient) }),
  ]);

export const fetchedMessages = object({
  messages: v.array(messageWith({ flags: v.array(str) })),
  anchor: int,
  found_newest: maybe(bool),
});

/** It asserts that `user` is an object, even if the reactor's ID is beside it. */
const reacted = object({
  message_id: int,
  emoji_name: str,
  emoji_code: str,
  reaction_type: str,
  user_id: int,
  user: object({ user_id: int, email: str, full_name: str }),
});

/** Only the types it registers for. */
export const EVENTS: Readonly<Record<string, v.GenericSchema>> = {
  message: object({ message: messageWith({}), flags: maybe(v.array(str)) }),
  'reaction add': reacted,
  'reaction remove': reacted,
  'subscription add': object({ subscriptions: v.array(subscription) }),
  'subscription remove': object({ subscriptions: v.array(object({ stream_id: int })) }),
  'subscription update': object({ stream_id: int, property: str, value: v.union([str, bool]) }),
  'subscription peer_add': object({ stream_ids: ints, user_ids: ints }),
  'subscription peer_remove': object({ stream_ids: ints, user_ids: ints }),
  'update_message_flags add': object({ flag: str, messages: ints, all: bool }),
  'update_message_flags remove': object({ flag: str, messages: ints, all: bool }),
  'realm_user add': object({ person: object({ user_id: int }) }),
  'realm_user update': object({ person: object({ user_id: int }) }),
  'user_settings update': object({ property: str, value: v.unknown() }),
  heartbeat: object({}),
};
