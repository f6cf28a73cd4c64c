export interface Submessage {
  id: number;
  message_id: number;
  sender_id: number;
  /** `widget` for polls, to-do lists and their changes. */
  msg_type: string;
  /** JSON. */
  content: string;
}

export interface SubmessageSummary {
  /** Content of the first widget. null: none. */
  widget: string | null;
  /** Whether the sender of the message has added one. 1 or null. */
  started: 1 | null;
  /** Characters of all users, and of one. Each submessage counts 100 more. */
  all: number;
  own: number;
}

export interface SubmessageStore {
  /** Returns the ID. */
  add(submessage: Omit<Submessage, 'id'>): Promise<number>;
  summary(messageId: number, userId: number): Promise<SubmessageSummary>;
  /** In the order they were added. */
  of(messageIds: readonly number[]): Promise<Submessage[]>;
}
