import type { ExpiredMessage, RetentionStore } from '../interface/retention.ts';
import { record } from './record.ts';
import { ids, type Queries, value } from './store.ts';

const EXPIRED_MESSAGE = record<ExpiredMessage>({ id: 'integer', conversation_id: 'integer', channel_id: 'integer' });

const SET_DUE = 'UPDATE message_retention SET due_ms = ?';
const MOVE_DUE = 'UPDATE message_retention SET due_ms = ? WHERE due_ms = ?';
const NEXT = 'SELECT id, timestamp FROM messages WHERE id >= ? ORDER BY id LIMIT 1';
// Conversations in the order of their ids, and in each only the messages below the bound: what is kept costs
// a look at each conversation. Topics without a name have no messages.
const expired = EXPIRED_MESSAGE.many(`
  SELECT m.id, m.conversation_id, c.channel_id
  FROM conversations c LEFT JOIN channels h ON h.id = c.channel_id CROSS JOIN messages m
  WHERE c.id >= ? AND (c.topic_key IS NOT NULL OR c.direct_key IS NOT NULL)
    AND COALESCE(h.message_retention_days, CAST(? AS BIGINT)) = ?
    AND m.conversation_id = c.id AND m.id < ? AND m.timestamp < ?
  ORDER BY c.id, m.id LIMIT ?`);

export const retention: Queries<RetentionStore> = {
  due: value('SELECT due_ms FROM message_retention'),
  channelDays: ids(`
    SELECT DISTINCT message_retention_days AS days FROM channels WHERE message_retention_days > 0 ORDER BY days`),

  async setDue(connection, ms) {
    await connection.run(SET_DUE, [ms ?? null]);
    connection.concurrency?.announceDueWork();
  },
  moveDue: async (connection, from, to) => (await connection.run(MOVE_DUE, [to ?? null, from])) > 0,

  async firstSince(connection, timestamp) {
    let low = 0;
    let high = ((await connection.value('SELECT MAX(id) FROM messages')) ?? 0) + 1;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const found = await connection.get<{ id: number; timestamp: number }>(NEXT, [middle]);
      if (found && found.timestamp < timestamp) low = found.id + 1;
      else high = middle;
    }
    return low;
  },
  expired: (connection, { days, organizationDays }, { id, timestamp }, fromConversation, limit) =>
    expired(connection, fromConversation, organizationDays, days, id, timestamp, limit),
};
