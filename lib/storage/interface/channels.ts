import type {
  Channel,
  ChannelFolder,
  ChannelFolderPatch,
  ChannelHead,
  ChannelPermissions,
  ChannelRules,
  NewChannel,
} from '../../model/channels.ts';

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
  recordActivity(messages: readonly { channel_id: number; message_id: number }[], day: number): Promise<number[]>;
  /** Updates and returns the first message of the channel, after messages were removed. */
  findFirstMessage(id: number): Promise<number | null>;
  folders(): Promise<ChannelFolder[]>;
  createFolder(folder: Omit<ChannelFolder, 'id' | 'order'>): Promise<number>;
  updateFolder(id: number, patch: ChannelFolderPatch): Promise<void>;
  /** Orders all folders as in the list. */
  reorderFolders(ids: readonly number[]): Promise<void>;
}

export interface Subscription {
  user_id: number;
  channel_id: number;
  active: boolean;
  /** `#rrggbb`, lower case. */
  color: string;
  is_muted: boolean;
  pin_to_top: boolean;
  /** null: the setting of the user. */
  desktop_notifications: boolean | null;
  audible_notifications: boolean | null;
  push_notifications: boolean | null;
  email_notifications: boolean | null;
  wildcard_mentions_notify: boolean | null;
  /** Messages up to this id are older than the subscription and count as read. */
  floor: number;
}

export type UserChannel = Pick<Subscription, 'user_id' | 'channel_id'>;

export type SubscriptionProperties = Omit<Subscription, 'user_id' | 'channel_id' | 'active' | 'floor'>;

/**
 * A period of subscription: the user receives events of the channel between two positions of the log, or from one on.
 */
export interface SubscriptionPeriod extends UserChannel {
  after_seq: number;
  to_seq: number | null;
}

export interface LeftName {
  channel_id: number;
  name: string;
}

export interface SubscriptionStore {
  /** Active and, on request, former ones of a user, ordered by channel. */
  ofUser(userId: number, options?: { inactive?: boolean }): Promise<Subscription[]>;
  /** Channels with a former subscription of the user, ascending. */
  /** Channels that the user has left, with the names that they had then. Not of earlier versions. Ordered by ID. */
  namesLeft(userId: number): Promise<LeftName[]>;
  formerOf(userId: number): Promise<number[]>;
  /** Former subscriptions of active accounts to these channels. */
  formerOfChannels(channelIds: readonly number[]): Promise<UserChannel[]>;
  /** By channel, the subscribers among these users, ascending. */
  byChannel(userIds: readonly number[]): Promise<Map<number, number[]>>;
  get(userId: number, channelId: number): Promise<Subscription | undefined>;
  /** Subscriptions of these users to these channels, active or not. */
  pairs(userIds: readonly number[], channelIds: readonly number[]): Promise<Subscription[]>;
  /** Active subscribers of each channel, sorted. Optionally only those among these users. */
  subscriberIds(channelIds: readonly number[], among?: readonly number[]): Promise<Map<number, number[]>>;
  /** Subscribers of the channel, including deactivated accounts, which become subscribers again when reactivated. */
  allSubscriberIds(channelId: number): Promise<number[]>;
  /** Active subscribers of the channel. undefined if there are more than the limit. */
  subscribersUpTo(channelId: number, limit: number): Promise<number[] | undefined>;
  /** Periods of these users in these channels that overlap the positions after `afterSeq` up to `toSeq`. */
  periodsBetween(
    userIds: readonly number[],
    channelIds: readonly number[],
    afterSeq: number,
    toSeq: number,
  ): Promise<SubscriptionPeriod[]>;
  /** Starts subscriptions. A former one keeps its properties. Returns the started ones. */
  add(pairs: readonly (UserChannel & { color: string })[]): Promise<Subscription[]>;
  /** Ends subscriptions; returns the pairs that were active. */
  remove(pairs: readonly UserChannel[]): Promise<UserChannel[]>;
  /**
   * Marks all messages of a channel as read for its subscribers. Removes floorless ranges there and returns their
   * users, who may have had unread messages below the floor.
   */
  readAll(channelId: number): Promise<number[]>;
  /** Sets one property of a user's subscriptions, with a value for each channel. */
  update(
    userId: number,
    property: keyof SubscriptionProperties,
    values: ReadonlyMap<number, string | boolean>,
  ): Promise<void>;
}
