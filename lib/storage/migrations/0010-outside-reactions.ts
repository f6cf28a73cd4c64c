import { coversMessage, FOLLOWING_BIT } from '../sql/read-rule.ts';
import type { Filling } from './migration.ts';

const BATCH = 1_000;

const FOLLOW = `
  INSERT INTO message_flags (message_id, user_id, bits)
  SELECT DISTINCT r.message_id, r.user_id, ${FOLLOWING_BIT} FROM reactions r
  JOIN messages m ON m.id = r.message_id JOIN conversations c ON c.id = m.conversation_id
  WHERE r.id > ? AND r.id <= ? AND c.channel_id IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM subscription_periods p
    WHERE p.user_id = r.user_id AND p.channel_id = c.channel_id AND ${coversMessage('p', 'm.id')})
  ON CONFLICT (message_id, user_id) DO UPDATE SET bits = message_flags.bits | excluded.bits`;

/** Whoever reacted to a message without having received it takes part in it, as those do who react from now on. */
export const outsideReactions = '';

export const fillOutsideReactions: Filling = {
  goesThrough: ['reactions'],
  async some(connection, after) {
    const newest = (await connection.get<{ id: number | null }>('SELECT MAX(id) AS id FROM reactions'))?.id ?? 0;
    if (newest <= after) return undefined;
    const to = Math.min(newest, after + BATCH);
    await connection.run(FOLLOW, [after, to]);
    return { to, total: newest };
  },
};
