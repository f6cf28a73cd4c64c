import type { MessageFlag } from '../interface/flags.ts';
import type { ReadStateStore } from '../interface/read-state.ts';
import { type Connection, SqlStore } from './connection.ts';
import {
  clearMarksFrom,
  conversationsLeft,
  markedAmong,
  markedInChannels,
  unreadFrom,
  unreadInChannels,
  unreadLeft,
} from './left-unread.ts';
import { newestUnread } from './newest-unread.ts';
import { markRangeRead, markRead, markUnread } from './read-marks.ts';
import { COVERED, FLAG_BITS, READ, RECEIVED, RECEIVED_IN_CHANNEL, UNREAD_BIT } from './read-rule.ts';
import { clearUnreadMarks, markConversationPart, markConversationsRead, unreadPlaces } from './read-slices.ts';

const FLAGS = Object.entries(FLAG_BITS) as [MessageFlag, number][];

const FLAGS_OF = `
  SELECT m.id, COALESCE(f.bits, 0) AS bits,
    CASE WHEN ${COVERED} THEN 1 ELSE 0 END AS covered,
    CASE WHEN c.channel_id IS NOT NULL AND NOT ${RECEIVED_IN_CHANNEL} THEN 1 ELSE 0 END AS historical
  FROM messages m
  JOIN conversations c ON c.id = m.conversation_id
  LEFT JOIN message_flags f ON f.message_id = m.id AND f.user_id = ?
  WHERE m.id IN_IDS(?)`;

const READERS = `
  SELECT u.id FROM messages m CROSS JOIN users u
  WHERE m.id = ? AND u.is_active = 1 AND ${RECEIVED.replaceAll('?', 'u.id')} AND ${READ.replaceAll('?', 'u.id')}
  ORDER BY u.id`;

export class SqlReadState extends SqlStore implements ReadStateStore {
  readonly readersOf = this.statement.column(READERS);

  async flagsOf(userId: number, messageIds: readonly number[]): Promise<Map<number, string[]>> {
    const flags = new Map<number, string[]>();
    if (messageIds.length === 0) return flags;
    const rows = await this.connection.all<{ id: number; bits: number; covered: number; historical: number }>(
      FLAGS_OF,
      [userId, userId, userId, userId, userId, userId, JSON.stringify(messageIds)],
    );
    for (const row of rows) {
      const names: string[] = [];
      if (row.covered === 1 && (row.bits & UNREAD_BIT) === 0) names.push('read');
      if (row.bits !== 0) for (const [name, bit] of FLAGS) if (row.bits & bit) names.push(name);
      if (row.historical === 1) names.push('historical');
      flags.set(row.id, names);
    }
    return flags;
  }

  readonly unread = this.#on(newestUnread);
  readonly unreadInChannels = this.#on(unreadInChannels);
  readonly markedInChannels = this.#on(markedInChannels);
  readonly conversationsLeft = this.#on(conversationsLeft);
  readonly unreadLeft = this.#on(unreadLeft);
  readonly unreadFrom = this.#on(unreadFrom);
  readonly clearMarksFrom = this.#on(clearMarksFrom);
  readonly markedAmong = this.#on(markedAmong);
  readonly markRead = this.#on(markRead);
  readonly markUnread = this.#on(markUnread);
  readonly markConversationsRead = this.#on(markConversationsRead);
  readonly markConversationPart = this.#on(markConversationPart);
  readonly clearUnreadMarks = this.#on(clearUnreadMarks);
  readonly markRangeRead = this.#on(markRangeRead);

  async unreadConversations(userId: number, channelId?: number): Promise<number[]> {
    return (await unreadPlaces(this.connection, userId, channelId)).map(({ id }) => id);
  }

  #on<P extends unknown[], R>(work: (connection: Connection, ...params: P) => R): (...params: P) => R {
    return (...params) => work(this.connection, ...params);
  }
}
