import type { Reaction, ReactionStore } from '../interface/reactions.ts';
import { SqlStore } from './connection.ts';
import { record } from './record.ts';

const REACTION = record<Reaction>({
  message_id: 'integer',
  user_id: 'integer',
  reaction_type: 'text',
  emoji_code: 'text',
  emoji_name: 'text',
});
const KEY = REACTION.without('emoji_name');

const ADD = `
  INSERT INTO reactions (${REACTION.columns}) VALUES (${REACTION.places}) ON CONFLICT (${KEY.columns}) DO NOTHING`;
const REMOVE = 'DELETE FROM reactions WHERE message_id = ? AND user_id = ? AND reaction_type = ? AND emoji_code = ?';
const OF_MESSAGES = `SELECT ${REACTION.columns} FROM reactions WHERE message_id IN_IDS(?) ORDER BY id`;

export class SqlReactions extends SqlStore implements ReactionStore {
  async add(reaction: Reaction): Promise<'added' | 'exists'> {
    const added = await this.connection.run(ADD, REACTION.values(reaction));
    return added > 0 ? 'added' : 'exists';
  }

  async remove(reaction: Omit<Reaction, 'emoji_name'>): Promise<boolean> {
    return (await this.connection.run(REMOVE, KEY.values(reaction))) > 0;
  }

  async of(messageIds: readonly number[]): Promise<Reaction[]> {
    if (messageIds.length === 0) return [];
    return this.connection.many(REACTION, OF_MESSAGES, [JSON.stringify(messageIds)]);
  }
}
