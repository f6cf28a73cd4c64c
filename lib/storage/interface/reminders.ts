import type { Delivery, DeliveryStore, NewDelivery } from './deliveries.ts';

/** A reminder of a message. */
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
