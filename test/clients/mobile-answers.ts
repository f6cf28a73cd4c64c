import * as v from 'valibot';
import {
  bool,
  byNumber,
  byText,
  channel,
  int,
  ints,
  listedUser,
  maybe,
  message,
  object,
  str,
  strs,
  subscription,
  uri,
  userGroup,
} from './mobile-objects.ts';

/** What the mobile app reads from each response of the server. */

export const serverSettings = object({
  authentication_methods: object({ ldap: bool }),
  external_authentication_methods: v.array(
    object({ name: str, display_name: str, display_icon: maybe(str), login_url: str, signup_url: str }),
  ),
  // Below 277 the app refuses the server. From 468 on it expects another push registration.
  zulip_feature_level: v.pipe(int, v.minValue(420), v.maxValue(467)),
  zulip_version: str,
  zulip_merge_base: str,
  push_notifications_enabled: bool,
  is_incompatible: bool,
  email_auth_enabled: bool,
  require_email_format_usernames: bool,
  realm_uri: uri,
  realm_name: str,
  realm_icon: uri,
  realm_description: str,
  realm_web_public_access_enabled: bool,
});

export const fetchedApiKey = object({ api_key: str, email: str, user_id: maybe(int) });

const presence = object({ active_timestamp: int, idle_timestamp: int });
const groupSetting = v.union([int, object({ direct_members: ints, direct_subgroups: ints })]);

const unreadMessages = object({
  count: int,
  pms: v.array(object({ other_user_id: int, unread_message_ids: ints })),
  streams: v.array(object({ topic: str, stream_id: int, unread_message_ids: ints })),
  huddles: v.array(object({ user_ids_string: str, unread_message_ids: ints })),
  mentions: ints,
  old_unreads_missing: bool,
});

export const initialSnapshot = object({
  // The decoder would accept null, but then the app has no queue.
  queue_id: str,
  last_event_id: int,
  zulip_feature_level: int,
  zulip_version: str,
  zulip_merge_base: str,
  alert_words: strs,
  custom_profile_fields: v.array(object({ id: int, type: int, order: int, name: str, hint: str, field_data: str })),
  max_stream_name_length: int,
  max_topic_length: int,
  server_presence_ping_interval_seconds: int,
  server_presence_offline_threshold_seconds: int,
  server_typing_started_expiry_period_milliseconds: maybe(int),
  server_typing_stopped_wait_period_milliseconds: maybe(int),
  server_typing_started_wait_period_milliseconds: maybe(int),
  muted_users: v.array(object({ id: int })),
  presences: byNumber(presence),
  realm_emoji: byText(
    object({ id: str, name: str, source_url: str, deactivated: bool, still_url: maybe(str), author_id: maybe(int) }),
  ),
  realm_user_groups: v.array(userGroup),
  recent_private_conversations: v.array(object({ max_message_id: int, user_ids: ints })),
  saved_snippets: maybe(v.array(object({ id: int, title: str, content: str, date_created: int }))),
  subscriptions: v.array(subscription),
  channel_folders: maybe(
    v.array(
      object({
        id: int,
        name: str,
        description: str,
        rendered_description: str,
        is_archived: bool,
        order: maybe(int),
        date_created: maybe(int),
        creator_id: maybe(int),
      }),
    ),
  ),
  unread_msgs: unreadMessages,
  starred_messages: ints,
  streams: v.array(channel),
  user_status: byNumber(
    object({ status_text: maybe(str), emoji_name: maybe(str), emoji_code: maybe(str), reaction_type: maybe(str) }),
  ),
  user_settings: object({
    starred_message_counts: bool,
    display_emoji_reaction_users: bool,
    emojiset: str,
    presence_enabled: bool,
    twenty_four_hour_time: maybe(bool),
    web_inbox_show_channel_folders: maybe(bool),
  }),
  user_topics: v.array(object({ stream_id: int, topic_name: str, last_updated: int, visibility_policy: int })),
  devices: maybe(byNumber(object({}))),
  realm_can_delete_any_message_group: maybe(groupSetting),
  realm_can_delete_own_message_group: maybe(groupSetting),
  realm_delete_own_message_policy: maybe(v.picklist([1, 2, 3, 4, 5])),
  realm_wildcard_mention_policy: v.picklist([1, 2, 3, 5, 6, 7]),
  realm_topics_policy: maybe(str),
  realm_mandatory_topics: maybe(bool),
  realm_name: str,
  realm_waiting_period_threshold: int,
  realm_message_content_delete_limit_seconds: maybe(int),
  realm_allow_message_editing: bool,
  realm_message_content_edit_limit_seconds: maybe(int),
  realm_enable_read_receipts: bool,
  realm_icon_url: uri,
  realm_presence_disabled: bool,
  realm_default_external_accounts: byText(object({ name: str, text: str, hint: str, url_pattern: str })),
  max_file_upload_size_mib: int,
  server_thumbnail_formats: maybe(
    v.array(object({ name: str, max_width: int, max_height: int, animated: bool, format: str })),
  ),
  server_emoji_data_url: uri,
  event_queue_longpoll_timeout_seconds: int,
  realm_moderation_request_channel_id: maybe(int),
  realm_empty_topic_display_name: maybe(str),
  realm_users: v.array(listedUser),
  realm_non_active_users: v.array(listedUser),
  cross_realm_bots: v.array(listedUser),
  server_report_message_types: maybe(v.array(object({ key: str, name: str }))),
});

export const fetchedMessages = object({
  anchor: int,
  found_newest: bool,
  found_oldest: bool,
  found_anchor: bool,
  history_limited: bool,
  messages: v.array(message),
});

export const fetchedMessage = object({ message });
export const sentMessage = object({ id: int });
export const updatedFlags = object({ messages: ints });
export const channelTopics = object({ topics: v.array(object({ max_id: int, name: str })) });
export const ownUser = object({ user_id: int });
export const fetchedEvents = object({ events: v.array(object({ id: int, type: str })), queue_id: maybe(str) });
export const emojiData = object({ code_to_names: byText(strs) });
