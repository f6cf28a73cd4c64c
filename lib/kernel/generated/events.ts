// Written by `npm run documents` from the declarations; a test compares.
import type { BotObject, ChannelFolderObject, ChannelObject, CustomEmojiObject, LinkifierObject, MessageObject, PlaygroundObject, ReactionType, SubscriptionObject, UserObject } from './objects.ts';

/** What happened, as clients receive it, by `type` or `type/op`. */
export interface Events {
  /** Nothing happened for a while: the wait ends, and the client waits again. */
  heartbeat: { type: 'heartbeat' };
  /** A message was sent. */
  message: { message: MessageObject; flags: string[]; local_message_id?: string | undefined; type: 'message' };
  /** A message's content was edited, or messages were moved to another topic or channel. */
  update_message: {
    user_id: number | null;
    rendering_only: boolean;
    message_id: number;
    message_ids: number[];
    flags: string[];
    edit_timestamp: number;
    stream_id?: number | undefined;
    new_stream_id?: number | undefined;
    propagate_mode?: 'change_all' | 'change_later' | 'change_one' | undefined;
    orig_subject?: string | undefined;
    subject?: string | undefined;
    topic_links?: { url: string; text: string }[] | undefined;
    orig_content?: string | undefined;
    orig_rendered_content?: string | undefined;
    content?: string | undefined;
    rendered_content?: string | undefined;
    is_me_message?: boolean | undefined;
    type: 'update_message';
  };
  /** Messages were deleted, or went where the reader may not follow. Older clients get one event for each. */
  delete_message: {
    message_ids?: number[] | undefined;
    message_id?: number | undefined;
    message_type: 'private' | 'stream';
    stream_id?: number | undefined;
    topic?: string | undefined;
    type: 'delete_message';
  };
  /** Messages have a flag of the reader now. */
  'update_message_flags/add': {
    operation: 'add' | 'remove';
    flag: string;
    messages: number[];
    all: boolean;
    type: 'update_message_flags';
    op: 'add';
  };
  /** Messages have a flag of the reader no more. */
  'update_message_flags/remove': {
    operation: 'add' | 'remove';
    flag: string;
    messages: number[];
    all: boolean;
    message_details?:
      | {
          [key: string]: {
            type: 'private' | 'stream';
            mentioned?: true | undefined;
            stream_id?: number | undefined;
            topic?: string | undefined;
            user_ids?: number[] | undefined;
          };
        }
      | undefined;
    type: 'update_message_flags';
    op: 'remove';
  };
  /** Somebody reacted to a message. */
  'reaction/add': {
    message_id: number;
    user_id: number;
    emoji_name: string;
    emoji_code: string;
    reaction_type: ReactionType;
    type: 'reaction';
    op: 'add';
  };
  /** A reaction was taken back. */
  'reaction/remove': {
    message_id: number;
    user_id: number;
    emoji_name: string;
    emoji_code: string;
    reaction_type: ReactionType;
    type: 'reaction';
    op: 'remove';
  };
  /** Custom emoji were added or deactivated: all of them, by id. */
  'realm_emoji/update': { realm_emoji: { [key: string]: CustomEmojiObject }; type: 'realm_emoji'; op: 'update' };
  /** Channels came into being, or the reader may know of them now. */
  'stream/create': { streams: ChannelObject[]; type: 'stream'; op: 'create' };
  /** Channels are gone, or the reader may not know of them any more. */
  'stream/delete': { streams: { stream_id: number }[]; stream_ids: number[]; type: 'stream'; op: 'delete' };
  /** One property of a channel has a new value. */
  'stream/update': {
    stream_id: number;
    name: string;
    property: string;
    value: unknown;
    rendered_description?: string | undefined;
    history_public_to_subscribers?: boolean | undefined;
    is_web_public?: boolean | undefined;
    type: 'stream';
    op: 'update';
  };
  /** Other channels than before are those that new users are subscribed to: all of them. */
  default_streams: { default_streams: number[]; type: 'default_streams' };
  /** A folder for channels was created. */
  'channel_folder/add': { channel_folder: ChannelFolderObject; type: 'channel_folder'; op: 'add' };
  /** The reader was subscribed to channels. */
  'subscription/add': { subscriptions: SubscriptionObject[]; type: 'subscription'; op: 'add' };
  /** The reader is no longer subscribed to channels. */
  'subscription/remove': { subscriptions: { stream_id: number; name: string }[]; type: 'subscription'; op: 'remove' };
  /** One of the reader's own settings of a channel has a new value. */
  'subscription/update': { stream_id: number; property: string; value: unknown; type: 'subscription'; op: 'update' };
  /** Others were subscribed to channels that the reader knows of. */
  'subscription/peer_add': { stream_ids: number[]; user_ids: number[]; type: 'subscription'; op: 'peer_add' };
  /** Others are no longer subscribed to channels that the reader knows of. */
  'subscription/peer_remove': { stream_ids: number[]; user_ids: number[]; type: 'subscription'; op: 'peer_remove' };
  /** An account was created. */
  'realm_user/add': { person: UserObject; type: 'realm_user'; op: 'add' };
  /** Something of an account changed: its id and what is new. */
  'realm_user/update': {
    person: {
      delivery_email?: string | null | undefined;
      email?: string | undefined;
      full_name?: string | undefined;
      date_joined?: string | undefined;
      is_active?: boolean | undefined;
      is_owner?: boolean | undefined;
      is_admin?: boolean | undefined;
      is_guest?: boolean | undefined;
      is_bot?: boolean | undefined;
      bot_type?: number | null | undefined;
      bot_owner_id?: number | null | undefined;
      role?: number | undefined;
      timezone?: string | undefined;
      avatar_url?: string | null | undefined;
      avatar_version?: number | undefined;
      profile_data?: { [key: string]: { value: string; rendered_value?: string | undefined } } | undefined;
      is_system_bot?: boolean | undefined;
      user_id: number;
    };
    type: 'realm_user';
    op: 'update';
  };
  /** One of the reader's own settings has a new value. */
  'user_settings/update': {
    property: string;
    value: unknown;
    language_name?: string | undefined;
    type: 'user_settings';
    op: 'update';
  };
  /** Users became direct members of a group. */
  'user_group/add_members': { group_id: number; user_ids: number[]; type: 'user_group'; op: 'add_members' };
  /** Users are direct members of a group no more. */
  'user_group/remove_members': { group_id: number; user_ids: number[]; type: 'user_group'; op: 'remove_members' };
  /** A bot was created that the reader owns or administers. Its key is in no event. */
  'realm_bot/add': { bot: BotObject; type: 'realm_bot'; op: 'add' };
  /** Something of a bot changed: its id and what is new. */
  'realm_bot/update': {
    bot: {
      username?: string | undefined;
      email?: string | undefined;
      full_name?: string | undefined;
      bot_type?: number | undefined;
      owner_id?: number | null | undefined;
      is_active?: boolean | undefined;
      avatar_url?: string | undefined;
      default_sending_stream?: string | null | undefined;
      default_events_register_stream?: string | null | undefined;
      default_all_public_streams?: boolean | undefined;
      services?: unknown[] | undefined;
      api_key?: string | undefined;
      user_id: number;
    };
    type: 'realm_bot';
    op: 'update';
  };
  /** One setting of the organization has a new value. */
  'realm/update': { property: string; value: unknown; type: 'realm'; op: 'update' };
  /** Settings of the organization have new values, by name. */
  'realm/update_dict': { property: 'default'; data: { [key: string]: unknown }; type: 'realm'; op: 'update_dict' };
  /** Linkifiers were added, changed, removed or reordered: all of them, in their order. */
  realm_linkifiers: { realm_linkifiers: LinkifierObject[]; type: 'realm_linkifiers' };
  /** Code playgrounds were added or removed: all of them. */
  realm_playgrounds: { realm_playgrounds: PlaygroundObject[]; type: 'realm_playgrounds' };
}
