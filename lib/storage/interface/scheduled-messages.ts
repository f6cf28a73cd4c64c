import type { Delivery, DeliveryStore } from './deliveries.ts';

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

export type NewScheduledMessage = Omit<ScheduledMessage, 'id' | 'failure' | 'revision'>;

export interface ScheduledMessageStore extends DeliveryStore<ScheduledMessage> {
  create(message: NewScheduledMessage): Promise<number>;
  /** All that are there, also those that failed, by time. */
  ofSender(userId: number): Promise<ScheduledMessage[]>;
  /** How many, and how long their texts and HTML are together. */
  size(userId: number): Promise<{ count: number; characters: number }>;
  byId(id: number): Promise<ScheduledMessage | undefined>;
  /** It is to be sent at its time, whatever became of it before. */
  replace(id: number, message: NewScheduledMessage): Promise<void>;
  remove(id: number): Promise<void>;
}
