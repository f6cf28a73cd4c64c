import type { Message } from './messages.ts';

/** One edit of a message, or one move of a whole conversation. */
export interface Edit {
  id: number;
  /** null: a move of all messages of the conversation up to `up_to_message_id`. */
  message_id: number | null;
  conversation_id: number;
  /** The previous conversation. The same if the message was not moved. */
  prev_conversation_id: number;
  up_to_message_id: number | null;
  /** The move of a whole conversation that this row replaces for its message. */
  part_of: number | null;
  /** null: unknown, for old edits. */
  editor_id: number | null;
  timestamp: number;
  /** Contents, topics and channels are null if the edit did not change them. */
  prev_content: string | null;
  prev_rendered_content: string | null;
  prev_topic: string | null;
  topic: string | null;
  prev_channel_id: number | null;
  channel_id: number | null;
}

export type NewEdit = Omit<Edit, 'id'>;

export interface EditStore {
  add(edit: NewEdit): Promise<number>;
  addForEach(messageIds: readonly number[], edit: Omit<NewEdit, 'message_id'>): Promise<void>;
  /**
   * All edits of each message, including moves of its whole conversation, oldest first. Messages without edits are left
   * out. Reads only the `newest` edits of all messages together. Previous contents are returned only up to `characters`
   * in total.
   */
  ofMessages(
    messages: readonly Pick<Message, 'id' | 'conversation_id'>[],
    options?: { characters?: number; newest?: number },
  ): Promise<Map<number, Edit[]>>;
  /** Existing messages that were moved with a whole conversation, ascending. */
  messagesMoved(editId: number): Promise<number[]>;
}
