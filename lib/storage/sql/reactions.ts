import type { Reaction, ReactionStore } from '../interface/reactions.ts';
import type { Connection } from './connection.ts';

export class SqlReactions implements ReactionStore {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async add(reaction: Reaction): Promise<'added' | 'exists'> {
    const added = await this.#connection.run(
      `INSERT INTO reactions (message_id, user_id, reaction_type, emoji_code, emoji_name) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (message_id, user_id, reaction_type, emoji_code) DO NOTHING`,
      [reaction.message_id, reaction.user_id, reaction.reaction_type, reaction.emoji_code, reaction.emoji_name],
    );
    return added > 0 ? 'added' : 'exists';
  }

  async remove(reaction: Omit<Reaction, 'emoji_name'>): Promise<boolean> {
    const removed = await this.#connection.run(
      'DELETE FROM reactions WHERE message_id = ? AND user_id = ? AND reaction_type = ? AND emoji_code = ?',
      [reaction.message_id, reaction.user_id, reaction.reaction_type, reaction.emoji_code],
    );
    return removed > 0;
  }

  async of(messageIds: readonly number[]): Promise<Reaction[]> {
    if (messageIds.length === 0) return [];
    const rows = await this.#connection.all<Reaction>(
      `SELECT message_id, user_id, reaction_type, emoji_code, emoji_name FROM reactions
       WHERE message_id IN_IDS(?) ORDER BY id`,
      [JSON.stringify(messageIds)],
    );
    return rows.map((row) => ({ ...row }));
  }
}
