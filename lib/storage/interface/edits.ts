import type { Message } from './messages.ts';

/** What one change did to a message, or to everything in a conversation. */
export interface Edit {
  id: number;
  /** null: a move of all messages of the conversation up to `up_to_message_id`. */
  message_id: number | null;
  conversation_id: number;
  /** Where the message stood before; the same when it did not change conversations. */
  prev_conversation_id: number;
  up_to_message_id: number | null;
  /** The move of a whole conversation that this row replaces for its message. */
  part_of: number | null;
  /** null: forgotten long ago. */
  editor_id: number | null;
  /** Seconds. */
  timestamp: number;
  /** Contents, topics and channels are null where the edit did not change them. */
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
  /** The same edit for each of the messages. */
  addForEach(messageIds: readonly number[], edit: Omit<NewEdit, 'message_id'>): Promise<void>;
  /**
   * Everything that changed each message, by itself or with its whole conversation, oldest first; messages without any are
   * left out. Only the `newest` are looked at, all messages together, and former contents come only as far as these
   * `characters` reach back.
   */
  ofMessages(
    messages: readonly Pick<Message, 'id' | 'conversation_id'>[],
    options?: { characters?: number; newest?: number },
  ): Promise<Map<number, Edit[]>>;
  /** Messages that a move of a whole conversation took along and that still exist, ascending. */
  messagesMoved(editId: number): Promise<number[]>;
}
