import * as v from 'valibot';

/**
 * What the mobile app's decoders require of the objects in responses and events. Unknown keys are ignored. A required
 * key must be present and not null. A value of another type fails the whole response.
 */
export const int = v.pipe(v.number(), v.integer());
export const num = v.number();
export const str = v.string();
export const bool = v.boolean();
export const uri = v.pipe(
  v.string(),
  v.check((text) => URL.canParse(text, 'http://base.invalid'), 'is no address'),
);
export const ints = v.array(int);
export const strs = v.array(str);
export const maybe = v.nullish;
export const object = v.looseObject;
export const byNumber = <S extends v.GenericSchema>(value: S) => v.record(v.pipe(v.string(), v.regex(/^\d+$/)), value);
export const byText = <S extends v.GenericSchema>(value: S) => v.record(v.string(), value);

/** The ID of a group, or an anonymous group. */
const groupSetting = v.union([int, object({ direct_members: ints, direct_subgroups: ints })]);

const channelEntries = {
  stream_id: int,
  name: str,
  description: str,
  rendered_description: str,
  date_created: int,
  invite_only: bool,
  is_web_public: bool,
  history_public_to_subscribers: bool,
  is_archived: maybe(bool),
  first_message_id: maybe(int),
  message_retention_days: maybe(int),
  topics_policy: maybe(str),
  stream_post_policy: maybe(v.picklist([1, 2, 3, 4])),
  folder_id: maybe(int),
  can_add_subscribers_group: maybe(groupSetting),
  can_delete_any_message_group: maybe(groupSetting),
  can_delete_own_message_group: maybe(groupSetting),
  can_send_message_group: maybe(groupSetting),
  can_subscribe_group: maybe(groupSetting),
  is_recently_active: maybe(bool),
  stream_weekly_traffic: maybe(int),
};

export const channel = object(channelEntries);

export const color = v.pipe(str, v.regex(/^#[0-9a-f]{6}$/, 'is no lower-case #rrggbb'));

export const subscription = object({
  ...channelEntries,
  pin_to_top: bool,
  is_muted: bool,
  color,
  desktop_notifications: maybe(bool),
  email_notifications: maybe(bool),
  wildcard_mentions_notify: maybe(bool),
  push_notifications: maybe(bool),
  audible_notifications: maybe(bool),
});

/** In lists of the initial state `is_active` may be absent, in events it may not. */
const listedUserEntries = {
  user_id: int,
  email: str,
  full_name: str,
  date_joined: v.pipe(
    str,
    v.check((text) => !Number.isNaN(Date.parse(text)), 'is no ISO time'),
  ),
  is_active: v.optional(bool),
  is_bot: bool,
  role: v.picklist([100, 200, 300, 400, 600]),
  timezone: str,
  avatar_version: int,
  delivery_email: maybe(str),
  bot_type: maybe(int),
  bot_owner_id: maybe(int),
  avatar_url: maybe(uri),
  profile_data: maybe(byNumber(object({ value: str, rendered_value: maybe(str) }))),
  is_system_bot: maybe(bool),
};

export const listedUser = object(listedUserEntries);
export const user = object({ ...listedUserEntries, is_active: bool });

export const personUpdate = object({
  user_id: int,
  full_name: maybe(str),
  avatar_url: maybe(uri),
  avatar_version: maybe(int),
  timezone: maybe(str),
  bot_owner_id: maybe(int),
  role: maybe(v.picklist([100, 200, 300, 400, 600])),
  delivery_email: maybe(str),
  new_email: maybe(str),
  is_active: maybe(bool),
});

export const userGroup = object({
  id: int,
  members: ints,
  direct_subgroup_ids: ints,
  name: str,
  description: str,
  is_system_group: bool,
  deactivated: maybe(bool),
});

const reaction = object({
  emoji_name: str,
  emoji_code: str,
  reaction_type: v.picklist(['unicode_emoji', 'realm_emoji', 'zulip_extra_emoji']),
  user_id: int,
});

const sharedMessageEntries = {
  client: str,
  content: str,
  content_type: str,
  id: int,
  is_me_message: bool,
  reactions: v.array(reaction),
  sender_email: str,
  sender_full_name: str,
  sender_id: int,
  sender_realm_str: str,
  timestamp: int,
  last_edit_timestamp: maybe(int),
  match_content: maybe(str),
  match_subject: maybe(str),
  submessages: maybe(v.array(object({ sender_id: int, msg_type: str, content: str }))),
};

const channelMessageEntries = {
  ...sharedMessageEntries,
  type: v.literal('stream'),
  stream_id: int,
  subject: str,
  display_recipient: str,
};

const directMessageEntries = {
  ...sharedMessageEntries,
  type: v.literal('private'),
  display_recipient: v.pipe(
    v.array(object({ id: int })),
    v.check((people) => new Set(people.map((one) => one.id)).size === people.length, 'names a user twice'),
  ),
};

/** In a list the flags are in the message. */
export const message = v.variant('type', [
  object({ ...channelMessageEntries, flags: strs }),
  object({ ...directMessageEntries, flags: strs }),
]);

/** In an event they are beside it, and the app refuses them inside. */
const beside = v.optional(v.undefined());
export const messageInEvent = v.variant('type', [
  object({ ...channelMessageEntries, flags: beside }),
  object({ ...directMessageEntries, flags: beside }),
]);
