import type { MessageFlag } from '../interface/flags.ts';
import type { ReadStateStore } from '../interface/read-state.ts';
import { leftUnread } from './left-unread.ts';
import { newestUnread } from './newest-unread.ts';
import { readMarks } from './read-marks.ts';
import { COVERED, FLAG_BITS, READ, RECEIVED, RECEIVED_IN_CHANNEL, UNREAD_BIT } from './read-rule.ts';
import { readSlices, unreadPlaces } from './read-slices.ts';
import { after, ids, type Queries, rows } from './store.ts';

const FLAGS = Object.entries(FLAG_BITS) as [MessageFlag, number][];

function flagNames({ bits, covered, historical }: { bits: number; covered: number; historical: number }): string[] {
  const names: string[] = [];
  if (covered === 1 && (bits & UNREAD_BIT) === 0) names.push('read');
  if (bits !== 0) for (const [name, bit] of FLAGS) if ((bits & bit) === bit) names.push(name);
  if (historical === 1) names.push('historical');
  return names;
}

export const readState: Queries<ReadStateStore> = {
  flagsOf: after(
    rows<{ id: number; bits: number; covered: number; historical: number }>(`
      SELECT m.id, COALESCE(f.bits, 0) AS bits,
        CASE WHEN ${COVERED.replaceAll('?', '?1')} THEN 1 ELSE 0 END AS covered,
        CASE WHEN c.channel_id IS NOT NULL AND NOT ${RECEIVED_IN_CHANNEL.replaceAll('?', '?1')} THEN 1 ELSE 0 END AS historical
      FROM messages m
      JOIN conversations c ON c.id = m.conversation_id
      LEFT JOIN message_flags f ON f.message_id = m.id AND f.user_id = ?1
      WHERE m.id IN_IDS(?2)`),
    (found) => new Map(found.map((message) => [message.id, flagNames(message)])),
  ),
  ...leftUnread,
  ...readMarks,
  ...readSlices,
  unread: newestUnread,
  async isAllRead(connection, userId) {
    await connection.concurrency?.serializeAppends();
    return (await newestUnread(connection, userId, 1)).length === 0;
  },
  readersOf: ids(`
    SELECT u.id FROM messages m CROSS JOIN users u
    WHERE m.id = ? AND u.is_active = 1 AND ${RECEIVED.replaceAll('?', 'u.id')} AND ${READ.replaceAll('?', 'u.id')}
    ORDER BY u.id`),
  unreadConversations: async (connection, userId, channelId) =>
    (await unreadPlaces(connection, userId, channelId)).map(({ id }) => id),
};
