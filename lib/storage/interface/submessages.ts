export interface Submessage {
  id: number;
  message_id: number;
  sender_id: number;
  /** `widget` for polls, to-do lists and their changes. */
  msg_type: string;
  /** JSON. */
  content: string;
}

export interface SubmessageStore {
  /** Returns the ID. */
  add(submessage: Omit<Submessage, 'id'>): Promise<number>;
  /** In the order they were added. */
  of(messageIds: readonly number[]): Promise<Submessage[]>;
}
