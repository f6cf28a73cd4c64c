import type { Delivery, DeliveryStore } from './deliveries.ts';

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

export type NewReminder = Omit<Reminder, 'id' | 'failure' | 'revision'>;

export interface ReminderStore extends DeliveryStore<Reminder> {
  create(reminder: NewReminder): Promise<number>;
  /** All that are there, also those that failed, by time. */
  ofUser(userId: number): Promise<Reminder[]>;
  /** How many, and how long their texts and HTML are together. */
  size(userId: number): Promise<{ count: number; characters: number }>;
  byId(id: number): Promise<Reminder | undefined>;
  remove(id: number): Promise<void>;
}
