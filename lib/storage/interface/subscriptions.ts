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

export interface SubscriptionStore {
  /** Active and, on request, former ones of a user, ordered by channel. */
  ofUser(userId: number, options?: { inactive?: boolean }): Promise<Subscription[]>;
  /** Channels with a former subscription of the user, ascending. */
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
