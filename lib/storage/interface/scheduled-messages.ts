import type { Delivery, DeliveryStore, NewDelivery } from './deliveries.ts';

/** A message to be sent later. */
export interface ScheduledMessage extends Delivery {
  sender_id: number;
  /** null: a direct message. */
  channel_id: number | null;
  /** All recipients without the sender, or only the sender. Empty for a channel. */
  recipient_ids: number[];
  /** "" for direct messages. */
  topic: string;
  /** Markdown. */
  content: string;
  /** HTML at the time of writing. */
  rendered_content: string;
  /** Name of the client program. */
  client: string;
  read_by_sender: boolean;
}

export type NewScheduledMessage = NewDelivery<ScheduledMessage>;

export interface ScheduledMessageStore extends DeliveryStore<ScheduledMessage> {
  /** Replaces the message. It becomes pending again, even if it had failed. */
  replace(id: number, message: NewScheduledMessage): Promise<void>;
}
