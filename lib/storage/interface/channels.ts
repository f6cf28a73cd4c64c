import type {
  Channel,
  ChannelFolder,
  ChannelFolderPatch,
  ChannelHead,
  ChannelPermissions,
  ChannelRules,
  NewChannel,
} from '../../model/channels.ts';
import type { Subscription } from './subscriptions.ts';

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
  byExternalIds(externalIds: readonly string[]): Promise<Channel[]>;
  /** Channels with an external ID, including archived ones. */
  mirrored(): Promise<Channel[]>;
  /** Channels that are not archived, with only the fields for permissions. Ordered by ID. */
  active(): Promise<ChannelRules[]>;
  /** Ordered by ID, including archived ones. */
  all(): Promise<Channel[]>;
  /** Channels created by one of the users, or with own permissions: only these can refer to one of the users. */
  naming(userIds: readonly number[]): Promise<ChannelRules[]>;
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
