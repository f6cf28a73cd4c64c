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
  /** null: the organization's; -1: unlimited; else days. */
  message_retention_days: number | null;
  folder_id: number | null;
  /** Permission settings that differ from their default. */
  settings: Record<string, GroupSettingValue>;
  /** Active accounts, bots included. */
  subscriber_count: number;
  first_message_id: number | null;
  /** Day (since the epoch) of the newest message, kept to the day so that sending rarely writes it. */
  last_active_day: number | null;
}

export type NewChannel = Omit<Channel, 'id' | 'subscriber_count' | 'first_message_id' | 'last_active_day'>;

/** A channel without the figure that must be counted. */
export type ChannelHead = Omit<Channel, 'subscriber_count'>;

export type ChannelPermissions = Pick<Channel, 'id' | 'invite_only' | 'is_archived' | 'settings'>;

/** As much of a channel as tells who may do what there. */
export type ChannelRules = ChannelPermissions & Pick<Channel, 'name' | 'creator_id' | 'is_web_public'>;

export interface ChannelStore {
  byId(id: number): Promise<Channel | undefined>;
  /** With the user's own subscription: all a posting needs to know, in one statement. */
  withSubscription(
    id: number,
    userId: number,
  ): Promise<{ channel: ChannelHead; subscription: Subscription | undefined } | undefined>;
  byIds(ids: readonly number[]): Promise<Channel[]>;
  /** Those in which one of these messages stands. */
  ofMessages(messageIds: readonly number[]): Promise<Channel[]>;
  /** Names compare without regard to case; archived channels keep theirs. */
  byNames(names: readonly string[]): Promise<Channel[]>;
  /** Ordered by id, archived ones included. */
  all(): Promise<Channel[]>;
  /** Those created by one of the users, or with permissions of their own: no others can name one of them. */
  naming(userIds: readonly number[]): Promise<Channel[]>;
  /** The same in no more than it takes to see who may do what. */
  rulesNaming(userIds: readonly number[]): Promise<ChannelRules[]>;
  /** Those that new accounts are subscribed to, archived ones included. */
  defaults(): Promise<Channel[]>;
  /** How many there are, and bytes of their names, descriptions, as HTML too, and permissions. */
  weight(): Promise<{ channels: number; bytes: number }>;
  hasAnyInFolder(folderId: number): Promise<boolean>;
  /** Channels with permissions of their own, in no more than it takes to see whom these name; ordered by id. */
  withSettings(): Promise<ChannelPermissions[]>;
  /** Makes them in this order and returns them; those whose names are taken are left out. */
  create(channels: readonly NewChannel[]): Promise<Channel[]>;
  /** False when the new name is taken. */
  update(
    id: number,
    patch: Partial<NewChannel & Pick<Channel, 'first_message_id' | 'last_active_day'>>,
  ): Promise<boolean>;
  /** The first messages of a day, each of another channel. Returns the channels whose first message it is as well. */
  noteMessages(messages: readonly { channel_id: number; message_id: number }[], day: number): Promise<number[]>;
  /** Looks for the channel's first message anew, after some were taken away; returns it. */
  findFirstMessage(id: number): Promise<number | null>;
  folders(): Promise<ChannelFolder[]>;
  createFolder(folder: Omit<ChannelFolder, 'id' | 'order'>): Promise<number>;
  updateFolder(id: number, patch: ChannelFolderPatch): Promise<void>;
  /** Gives all folders the order of the list. */
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
