/** A row with a delivery time: a scheduled message or a reminder. When it is sent, only its ID is kept, for a week. */
export interface Delivery {
  id: number;
  scheduled_delivery_timestamp: number;
  /** Why it was not sent. null while it is pending. */
  failure: string | null;
  /** Rises with every change and claim, so that outdated claims are detected. */
  revision: number;
}

export type NewDelivery<D extends Delivery> = Omit<D, 'id' | 'failure' | 'revision'>;

/** All methods commute with each other and with sending, so they may run in `shared` writes. */
export interface DeliveryStore<D extends Delivery> {
  /** Returns the ID, which is never used again. */
  create(delivery: NewDelivery<D>): Promise<number>;
  /** All deliveries of a user, including failed ones, ordered by time. */
  of(userId: number): Promise<D[]>;
  /** Number of deliveries of a user, and the length of their texts and HTML together. */
  size(userId: number): Promise<{ count: number; characters: number }>;
  byId(id: number): Promise<D | undefined>;
  /** Removes a pending, failed or sent delivery of the user. False if there is none, or it was removed before. */
  remove(id: number, userId: number): Promise<boolean>;
  /** Time when the next one is due, or when its lease ends, in milliseconds. */
  nextDue(): Promise<number | undefined>;
  /**
   * Claims due rows, ordered by time and ID. No other process can claim them until `leaseUntilMs`. Skips rows that
   * another transaction is claiming now. Also forgets sent ones after a week.
   */
  claimDue(nowMs: number, leaseUntilMs: number, limit: number): Promise<D[]>;
  /** Marks a claimed row as sent. False if it was changed, claimed again or removed since the claim. */
  markSent(claimed: Pick<D, 'id' | 'revision'>, nowMs: number): Promise<boolean>;
  /** Records why a claimed row is not sent. False if it was changed, claimed again or removed since the claim. */
  fail(claimed: Pick<D, 'id' | 'revision'>, failure: string): Promise<boolean>;
}

export interface ScheduledMessage extends Delivery {
  sender_id: number;
  /** null: a direct message. */
  channel_id: number | null;
  /** All recipients without the sender, or only the sender. Empty for a channel. */
  recipient_ids: number[];
  /** "" for direct messages. */
  topic: string;
  content: string;
  /** HTML at the time of writing. */
  rendered_content: string;
  client: string;
  read_by_sender: boolean;
}

export type NewScheduledMessage = NewDelivery<ScheduledMessage>;

export interface ScheduledMessageStore extends DeliveryStore<ScheduledMessage> {
  /** Replaces the message. It becomes pending again, even if it had failed. */
  replace(id: number, message: NewScheduledMessage): Promise<void>;
}

export interface Reminder extends Delivery {
  user_id: number;
  /** The message may have been deleted. */
  message_id: number;
  /** "" without a note. */
  note: string;
  /** Text for lists of reminders, as Markdown and HTML. */
  content: string;
  rendered_content: string;
}

export type NewReminder = NewDelivery<Reminder>;

export type ReminderStore = DeliveryStore<Reminder>;
