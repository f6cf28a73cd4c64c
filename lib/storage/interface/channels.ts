import type { GroupSettingValue } from './groups.ts';
import type { Subscription } from './subscriptions.ts';

export interface Channel {
  id: number;
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

export interface ChannelStore {
  byId(id: number): Promise<Channel | undefined>;
  /** The channel and the user's subscription in one statement, for sending. */
  withSubscription(
    id: number,
    userId: number,
  ): Promise<{ channel: ChannelHead; subscription: Subscription | undefined } | undefined>;
  byIds(ids: readonly number[]): Promise<Channel[]>;
  /** Channels that contain one of these messages. */
  ofMessages(messageIds: readonly number[]): Promise<Channel[]>;
  /** Names are compared without regard to case. Includes archived channels. */
  byNames(names: readonly string[]): Promise<Channel[]>;
  /** Ordered by ID, including archived ones. */
  all(): Promise<Channel[]>;
  /** Channels created by one of the users, or with own permissions: only these can refer to one of the users. */
  naming(userIds: readonly number[]): Promise<Channel[]>;
  /** Like `naming`, with only the fields for permissions. */
  rulesNaming(userIds: readonly number[]): Promise<ChannelRules[]>;
  /** Default channels of new users, including archived ones. */
  defaults(): Promise<Channel[]>;
  /** Number of channels, and the bytes of their names, descriptions (also as HTML) and permissions. */
  weight(): Promise<{ channels: number; bytes: number }>;
  hasAnyInFolder(folderId: number): Promise<boolean>;
  /** Channels with own permissions, with only the fields for permissions. Ordered by ID. */
  withSettings(): Promise<ChannelPermissions[]>;
  /** Creates channels in this order and returns them. Skips those whose names are already used. */
  create(channels: readonly NewChannel[]): Promise<Channel[]>;
  /** False if the new name is already used. */
  update(
    id: number,
    patch: Partial<NewChannel & Pick<Channel, 'first_message_id' | 'last_active_day'>>,
  ): Promise<boolean>;
  /**
   * Records the first message of a day in each channel. Returns the channels for which it is the first message at all.
   */
  noteMessages(messages: readonly { channel_id: number; message_id: number }[], day: number): Promise<number[]>;
  /** Updates and returns the first message of the channel, after messages were removed. */
  findFirstMessage(id: number): Promise<number | null>;
  folders(): Promise<ChannelFolder[]>;
  createFolder(folder: Omit<ChannelFolder, 'id' | 'order'>): Promise<number>;
  updateFolder(id: number, patch: ChannelFolderPatch): Promise<void>;
  /** Orders all folders as in the list. */
  reorderFolders(ids: readonly number[]): Promise<void>;
}

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
