import type { Delivery, DeliveryStore, NewDelivery } from './deliveries.ts';

/** Somebody wants to be reminded of a message. */
export interface Reminder extends Delivery {
  user_id: number;
  /** It may be gone by now. */
  message_id: number;
  /** "" where there is none. */
  note: string;
  /** What clients list: Markdown, and HTML. */
  content: string;
  rendered_content: string;
}

export type NewReminder = NewDelivery<Reminder>;

export type ReminderStore = DeliveryStore<Reminder>;
