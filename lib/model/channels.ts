import type { GroupSettingValue } from './groups.ts';

export interface Channel {
  id: number;
  /** ID in the embedding program. Unique. Set by `chat.sync`. */
  external_id: string | null;
  name: string;
  description: string;
  rendered_description: string;
  creator_id: number | null;
  created_ms: number;
  invite_only: boolean;
  history_public_to_subscribers: boolean;
  is_web_public: boolean;
  is_archived: boolean;
  is_default: boolean;
  topics_policy: 'inherit' | 'allow_empty_topic' | 'disable_empty_topic' | 'empty_topic_only';
  /** Days. null: the setting of the organization. -1: unlimited. */
  message_retention_days: number | null;
  folder_id: number | null;
  /** Permission settings that differ from their default. */
  settings: Record<string, GroupSettingValue>;
  /** Number of active subscribers, including bots. */
  subscriber_count: number;
  first_message_id: number | null;
  /** Day (since the epoch) of the newest message. Only the day, so that sending rarely writes it. */
  last_active_day: number | null;
}

export type NewChannel = Omit<Channel, 'id' | 'subscriber_count' | 'first_message_id' | 'last_active_day'>;

/** A channel without the count of subscribers. */
export type ChannelHead = Omit<Channel, 'subscriber_count'>;

export type ChannelPermissions = Pick<Channel, 'id' | 'invite_only' | 'is_archived' | 'settings'>;

/** The fields of a channel that permissions depend on. */
export type ChannelRules = ChannelPermissions & Pick<Channel, 'name' | 'creator_id' | 'is_web_public'>;

export type ChannelFolderPatch = Partial<
  Pick<ChannelFolder, 'name' | 'description' | 'rendered_description' | 'is_archived'>
>;

export interface ChannelFolder {
  id: number;
  name: string;
  description: string;
  rendered_description: string;
  creator_id: number | null;
  created_ms: number;
  order: number;
  is_archived: boolean;
}
