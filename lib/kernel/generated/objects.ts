// Written by `npm run documents` from the declarations; a test compares.

/** A bot as its owner and administrators see it. */
export type BotObject = {
  user_id: number;
  username: string;
  email: string;
  full_name: string;
  bot_type: number;
  owner_id: number | null;
  is_active: boolean;
  avatar_url: string;
  default_sending_stream: string | null;
  default_events_register_stream: string | null;
  default_all_public_streams: boolean;
  services: unknown[];
  api_key?: string | undefined;
};

export type ChannelFolderObject = {
  id: number;
  name: string;
  description: string;
  rendered_description: string;
  creator_id: number | null;
  date_created: number;
  is_archived: boolean;
  order: number;
};

/** A channel as everybody sees it who may know of it. */
export type ChannelObject = {
  can_add_subscribers_group: GroupSetting;
  can_administer_channel_group: GroupSetting;
  can_delete_any_message_group: GroupSetting;
  can_delete_own_message_group: GroupSetting;
  can_move_messages_out_of_channel_group: GroupSetting;
  can_move_messages_within_channel_group: GroupSetting;
  can_remove_subscribers_group: GroupSetting;
  can_resolve_topics_group: GroupSetting;
  can_send_message_group: GroupSetting;
  can_subscribe_group: GroupSetting;
  stream_id: number;
  name: string;
  is_archived: boolean;
  description: string;
  rendered_description: string;
  date_created: number;
  creator_id: number | null;
  invite_only: boolean;
  is_web_public: boolean;
  history_public_to_subscribers: boolean;
  stream_post_policy: number;
  is_announcement_only: boolean;
  message_retention_days: number | null;
  topics_policy: string;
  first_message_id: number | null;
  folder_id: number | null;
  is_recently_active: boolean;
  subscriber_count: number;
  stream_weekly_traffic: number | null;
  is_default?: boolean | undefined;
  subscribers?: number[] | undefined;
};

/** An emoji of the organization's own, as clients see it. */
export type CustomEmojiObject = {
  id: string;
  name: string;
  source_url: string;
  still_url: string | null;
  deactivated: boolean;
  author_id: number | null;
};

/** A user group; `members` are its direct ones that are active. */
export type GroupObject = {
  can_add_members_group: GroupSetting;
  can_join_group: GroupSetting;
  can_leave_group: GroupSetting;
  can_manage_group: GroupSetting;
  can_mention_group: GroupSetting;
  can_remove_members_group: GroupSetting;
  id: number;
  name: string;
  description: string;
  date_created: number | null;
  creator_id: number | null;
  members: number[];
  direct_subgroup_ids: number[];
  is_system_group: boolean;
  deactivated: boolean;
};

/** Who has a permission: a group's id, or users and groups listed one by one. */
export type GroupSetting = number | { direct_members: number[]; direct_subgroups: number[] };

/** A new value of a permission, refused unless the present one is `old`, if that is given. */
export type GroupSettingUpdate = { new: GroupSetting; old?: GroupSetting | undefined };

/** A linkifier as clients see it. */
export type LinkifierObject = { pattern: string; url_template: string; id: number };

/** A message of a channel or between people. The schema does not tell them apart: it would repeat every field. */
export type MessageObject =
  | {
      id: number;
      sender_id: number;
      sender_email: string;
      sender_full_name: string;
      sender_realm_str: string;
      avatar_url: string | null;
      client: string;
      content: string;
      content_type: 'text/html' | 'text/x-markdown';
      recipient_id: number;
      subject: string;
      topic_links: { url: string; text: string }[];
      timestamp: number;
      last_edit_timestamp?: number | undefined;
      last_moved_timestamp?: number | undefined;
      edit_history?:
        | {
            user_id: number | null;
            timestamp: number;
            prev_topic?: string | undefined;
            topic?: string | undefined;
            prev_stream?: number | undefined;
            stream?: number | undefined;
            prev_content?: string | undefined;
            prev_rendered_content?: string | undefined;
          }[]
        | undefined;
      is_me_message: boolean;
      reactions: { emoji_name: string; emoji_code: string; reaction_type: string; user_id: number }[];
      submessages: unknown[];
      flags?: string[] | undefined;
      match_content?: string | undefined;
      match_subject?: string | undefined;
      type: 'private';
      stream_id?: undefined;
      display_recipient: { id: number; email: string; full_name: string; is_mirror_dummy: boolean }[];
    }
  | {
      id: number;
      sender_id: number;
      sender_email: string;
      sender_full_name: string;
      sender_realm_str: string;
      avatar_url: string | null;
      client: string;
      content: string;
      content_type: 'text/html' | 'text/x-markdown';
      recipient_id: number;
      subject: string;
      topic_links: { url: string; text: string }[];
      timestamp: number;
      last_edit_timestamp?: number | undefined;
      last_moved_timestamp?: number | undefined;
      edit_history?:
        | {
            user_id: number | null;
            timestamp: number;
            prev_topic?: string | undefined;
            topic?: string | undefined;
            prev_stream?: number | undefined;
            stream?: number | undefined;
            prev_content?: string | undefined;
            prev_rendered_content?: string | undefined;
          }[]
        | undefined;
      is_me_message: boolean;
      reactions: { emoji_name: string; emoji_code: string; reaction_type: string; user_id: number }[];
      submessages: unknown[];
      flags?: string[] | undefined;
      match_content?: string | undefined;
      match_subject?: string | undefined;
      type: 'stream';
      stream_id: number;
      display_recipient: string;
    };

/** `[{ operator, operand, negated? }]`, or the older `[[operator, operand]]`. */
export type NarrowParam = (
  | [string, boolean | number | string | number[] | string[]]
  | {
      operator: string;
      operand: boolean | number | string | number[] | string[];
      negated?: boolean | undefined;
    })[];

export type PlaygroundObject = { id: number; name: string; pygments_language: string; url_template: string };

export type ReactionType = 'realm_emoji' | 'unicode_emoji' | 'zulip_extra_emoji';

/** A channel with what one user has set for it. */
export type SubscriptionObject = {
  can_add_subscribers_group: GroupSetting;
  can_administer_channel_group: GroupSetting;
  can_delete_any_message_group: GroupSetting;
  can_delete_own_message_group: GroupSetting;
  can_move_messages_out_of_channel_group: GroupSetting;
  can_move_messages_within_channel_group: GroupSetting;
  can_remove_subscribers_group: GroupSetting;
  can_resolve_topics_group: GroupSetting;
  can_send_message_group: GroupSetting;
  can_subscribe_group: GroupSetting;
  stream_id: number;
  name: string;
  is_archived: boolean;
  description: string;
  rendered_description: string;
  date_created: number;
  creator_id: number | null;
  invite_only: boolean;
  is_web_public: boolean;
  history_public_to_subscribers: boolean;
  stream_post_policy: number;
  is_announcement_only: boolean;
  message_retention_days: number | null;
  topics_policy: string;
  first_message_id: number | null;
  folder_id: number | null;
  is_recently_active: boolean;
  subscriber_count: number;
  stream_weekly_traffic: number | null;
  is_default?: boolean | undefined;
  subscribers?: number[] | undefined;
  color: string;
  is_muted: boolean;
  in_home_view: boolean;
  pin_to_top: boolean;
  desktop_notifications: boolean | null;
  audible_notifications: boolean | null;
  push_notifications: boolean | null;
  email_notifications: boolean | null;
  wildcard_mentions_notify: boolean | null;
};

/** An account as clients receive it. */
export type UserObject = {
  user_id: number;
  delivery_email: string | null;
  email: string;
  full_name: string;
  date_joined: string;
  is_active: boolean;
  is_owner: boolean;
  is_admin: boolean;
  is_guest: boolean;
  is_bot: boolean;
  bot_type: number | null;
  bot_owner_id: number | null;
  role: number;
  timezone?: string | undefined;
  avatar_url: string | null;
  avatar_version: number;
  profile_data?: { [key: string]: { value: string; rendered_value?: string | undefined } } | undefined;
  is_system_bot?: boolean | undefined;
};
