import type { MessageFlag } from '../interface/flags.ts';
import type { LeftChannel, ReadPart, ReadStateStore } from '../interface/read-state.ts';
import { SqlStore } from './connection.ts';
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
import { markConversationRead, markRangeRead, markRead, markUnread } from './read-marks.ts';
import { COVERED, FLAG_BITS, READ, RECEIVED, RECEIVED_IN_CHANNEL, UNREAD_BIT } from './read-rule.ts';
import { clearUnreadMarks, markConversationPart, markConversationsRead, unreadPlaces } from './read-slices.ts';

interface Pair {
  user_id: number;
  channel_id: number;
}
type Ids = { message_ids: number[] };

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

  async unread(userId: number, limit: number): Promise<{ id: number; conversation_id: number; mentioned: boolean }[]> {
    return newestUnread(this.connection, userId, limit);
  }

  async unreadInChannels(pairs: readonly Pair[], limit: number): Promise<(Pair & Ids)[] | undefined> {
    return unreadInChannels(this.connection, pairs, limit);
  }

  async markedInChannels(pairs: readonly Pair[]): Promise<(Pair & Ids)[]> {
    return markedInChannels(this.connection, pairs);
  }

  async conversationsLeft(left: LeftChannel): Promise<number[]> {
    return conversationsLeft(this.connection, left);
  }

  async unreadLeft(
    left: LeftChannel,
    conversationIds: readonly number[],
    limit: number,
  ): Promise<number[] | undefined> {
    return unreadLeft(this.connection, left, conversationIds, limit);
  }

  async unreadFrom(
    userId: number,
    senderId: number,
    range: { after_id: number; to_id: number },
    limit: number,
  ): Promise<ReadPart> {
    return unreadFrom(this.connection, userId, senderId, range, limit);
  }

  async clearMarksFrom(userId: number, senderId: number, limit: number): Promise<number[]> {
    return clearMarksFrom(this.connection, userId, senderId, limit);
  }

  async markedAmong(userId: number, messageIds: readonly number[]): Promise<number[]> {
    return markedAmong(this.connection, userId, messageIds);
  }

  async markRead(userId: number, messageIds: readonly number[]): Promise<number[]> {
    return markRead(this.connection, userId, messageIds);
  }

  async markUnread(userId: number, messageIds: readonly number[]): Promise<number[]> {
    return markUnread(this.connection, userId, messageIds);
  }

  async markConversationRead(userId: number, conversationId: number, upTo: number): Promise<void> {
    return markConversationRead(this.connection, userId, conversationId, upTo);
  }

  async unreadConversations(userId: number, channelId?: number): Promise<number[]> {
    return (await unreadPlaces(this.connection, userId, channelId)).map(({ id }) => id);
  }

  async markConversationsRead(
    userId: number,
    conversationIds: readonly number[],
    limit: number,
  ): Promise<number[] | undefined> {
    return markConversationsRead(this.connection, userId, conversationIds, limit);
  }

  async markConversationPart(
    userId: number,
    conversationId: number,
    afterId: number,
    limit: number,
  ): Promise<ReadPart> {
    return markConversationPart(this.connection, userId, conversationId, afterId, limit);
  }

  async clearUnreadMarks(
    userId: number,
    within: { channel_id?: number; conversation_id?: number },
    afterId: number,
    limit: number,
  ): Promise<ReadPart> {
    return clearUnreadMarks(this.connection, userId, within, afterId, limit);
  }

  async markRangeRead(
    userId: number,
    range: { conversation_id: number; from_id: number; to_id: number },
  ): Promise<number[]> {
    return markRangeRead(this.connection, userId, range);
  }

  async readersOf(messageId: number): Promise<number[]> {
    return this.connection.column(READERS, [messageId]);
  }
}
