export interface Subscription {
  user_id: number;
  channel_id: number;
  active: boolean;
  /** `#rrggbb`, lower case. */
  color: string;
  is_muted: boolean;
  pin_to_top: boolean;
  /** null: as the user's own setting says. */
  desktop_notifications: boolean | null;
  audible_notifications: boolean | null;
  push_notifications: boolean | null;
  email_notifications: boolean | null;
  wildcard_mentions_notify: boolean | null;
  /** Messages up to this id are older than the subscription and count as read. */
  floor: number;
}

export type SubscriptionProperties = Omit<Subscription, 'user_id' | 'channel_id' | 'active' | 'floor'>;

/** Somebody was subscribed: they are owed the channel's events after a place of the log, up to another or for good. */
export interface SubscriptionPeriod {
  user_id: number;
  channel_id: number;
  after_seq: number;
  to_seq: number | null;
}

export interface SubscriptionStore {
  /** Active and, on request, former ones of a user, ordered by channel. */
  ofUser(userId: number, options?: { inactive?: boolean }): Promise<Subscription[]>;
  /** The channels that a user was subscribed to once, ascending. */
  formerOf(userId: number): Promise<number[]>;
  /** By channel, who of the users is subscribed to it, ascending. */
  byChannel(userIds: readonly number[]): Promise<Map<number, number[]>>;
  get(userId: number, channelId: number): Promise<Subscription | undefined>;
  /** Of the given users in the given channels, active or not. */
  pairs(userIds: readonly number[], channelIds: readonly number[]): Promise<Subscription[]>;
  /** Active accounts subscribed to each channel, sorted; all of them, or those of the given. */
  subscriberIds(channelIds: readonly number[], among?: readonly number[]): Promise<Map<number, number[]>>;
  /** Active accounts subscribed to the channel; undefined where they are more than the limit. */
  subscribersUpTo(channelId: number, limit: number): Promise<number[] | undefined>;
  /** When these users were subscribed to these channels, as far as it touches the places after `afterSeq` up to `toSeq`. */
  periodsBetween(
    userIds: readonly number[],
    channelIds: readonly number[],
    afterSeq: number,
    toSeq: number,
  ): Promise<SubscriptionPeriod[]>;
  /** Starts subscriptions from the present on; an earlier one keeps its properties. Returns those begun. */
  add(pairs: readonly { user_id: number; channel_id: number; color: string }[]): Promise<Subscription[]>;
  /** Ends subscriptions; returns the pairs that were active. */
  remove(pairs: readonly { user_id: number; channel_id: number }[]): Promise<{ user_id: number; channel_id: number }[]>;
  /** Sets one property of a user's subscriptions, each to the value given for its channel. */
  update(
    userId: number,
    property: keyof SubscriptionProperties,
    values: ReadonlyMap<number, string | boolean>,
  ): Promise<void>;
}
