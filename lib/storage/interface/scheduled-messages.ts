import type { Delivery, DeliveryStore, NewDelivery } from './deliveries.ts';

/** A message that somebody has written to be sent later. */
export interface ScheduledMessage extends Delivery {
  sender_id: number;
  /** null: to people. */
  channel_id: number | null;
  /** Everybody it goes to but the sender, or the sender alone; empty for a channel. */
  recipient_ids: number[];
  /** "" for direct messages. */
  topic: string;
  /** Markdown. */
  content: string;
  /** HTML, as it was when it was written. */
  rendered_content: string;
  /** The program by which it was written. */
  client: string;
  read_by_sender: boolean;
}

export type NewScheduledMessage = NewDelivery<ScheduledMessage>;

export interface ScheduledMessageStore extends DeliveryStore<ScheduledMessage> {
  /** It is to be sent at its time, whatever became of it before. */
  replace(id: number, message: NewScheduledMessage): Promise<void>;
}
