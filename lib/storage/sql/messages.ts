import type { Conversation } from '../interface/conversations.ts';
import type { Feed } from '../interface/message-query.ts';
import type { Message, MessageStore, NewMessage, PlacedMessage } from '../interface/messages.ts';
import type { Connection } from './connection.ts';
import { feedQueries } from './feed.ts';
import { carryOver } from './moved-readers.ts';
import { raisePlacesVersion } from './places-version.ts';
import { RECEIVED } from './read-rule.ts';
import { foldedContent } from './search-text.ts';

interface MessageRow {
  id: number;
  conversation_id: number;
  sender_id: number;
  content: string;
  rendered_content: string;
  timestamp: number;
  client: string;
  is_me_message: number;
  read_by_sender: number;
  last_edit_timestamp: number | null;
  last_moved_timestamp: number | null;
  channel_id: number | null;
  topic: string;
}

const INSERT = `
  INSERT INTO messages
    (conversation_id, sender_id, content, folded_content, rendered_content, timestamp, client, is_me_message,
     read_by_sender)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`;
const SELECT = `
  SELECT m.id, m.conversation_id, m.sender_id, m.content, m.rendered_content, m.timestamp, m.client,
    m.is_me_message, m.read_by_sender, m.last_edit_timestamp, c.channel_id, c.topic,
    CASE WHEN m.id <= c.moved_up_to AND c.moved_timestamp > COALESCE(m.last_moved_timestamp, 0)
      THEN c.moved_timestamp ELSE m.last_moved_timestamp END AS last_moved_timestamp
  FROM messages m JOIN conversations c ON c.id = m.conversation_id`;
const BY_ID = `${SELECT} WHERE m.id = ?`;
const BY_IDS = `${SELECT} WHERE m.id IN_IDS(?) ORDER BY m.id`;

const NOT_RECEIVED = `
  SELECT u.id AS user_id, m.id FROM messages m JOIN conversations c ON c.id = m.conversation_id
  CROSS JOIN users u
  WHERE m.id IN_IDS(?) AND u.id IN_IDS(?)
    AND NOT EXISTS (SELECT 1 FROM subscription_periods p
      WHERE p.user_id = u.id AND p.channel_id = COALESCE(CAST(? AS BIGINT), c.channel_id) AND p.after_message_id < m.id
        AND (p.to_message_id IS NULL OR p.to_message_id >= m.id))
  ORDER BY u.id, m.id`;
const FORMER_RECEIVERS = `
  SELECT DISTINCT p.user_id FROM subscription_periods p
  JOIN subscriptions s ON s.user_id = p.user_id AND s.channel_id = p.channel_id
  JOIN users u ON u.id = p.user_id
  WHERE p.channel_id = ? AND p.to_message_id >= ? AND p.after_message_id < ? AND s.active = 0 AND u.is_active = 1
  ORDER BY p.user_id`;
const FREE_NAMES = `
  UPDATE conversations SET topic_key = NULL
  WHERE id IN_IDS(?) AND topic_key IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM messages m WHERE m.conversation_id = conversations.id)`;
const COUNT_SINCE = `
  SELECT COUNT(*) AS total, COUNT(CASE WHEN timestamp >= CAST(? AS BIGINT) THEN 1 END) AS recent,
    MIN(CASE WHEN timestamp >= CAST(? AS BIGINT) THEN id END) AS first_recent_id
  FROM messages WHERE conversation_id = ?`;

function toMessage(row: MessageRow): PlacedMessage {
  return {
    id: row.id,
    conversation_id: row.conversation_id,
    sender_id: row.sender_id,
    content: row.content,
    rendered_content: row.rendered_content,
    timestamp: row.timestamp,
    client: row.client,
    is_me_message: row.is_me_message === 1,
    read_by_sender: row.read_by_sender === 1,
    last_edit_timestamp: row.last_edit_timestamp,
    last_moved_timestamp: row.last_moved_timestamp,
    channel_id: row.channel_id,
    topic: row.topic,
  };
}

export class SqlMessages implements MessageStore {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async create(message: NewMessage): Promise<number> {
    return this.#connection.insert(INSERT, [
      message.conversation_id,
      message.sender_id,
      message.content,
      foldedContent(message.content),
      message.rendered_content,
      message.timestamp,
      message.client,
      message.is_me_message ? 1 : 0,
      message.read_by_sender ? 1 : 0,
    ]);
  }

  async byId(id: number): Promise<PlacedMessage | undefined> {
    const row = await this.#connection.get<MessageRow>(BY_ID, [id]);
    return row && toMessage(row);
  }

  async byIds(ids: readonly number[]): Promise<PlacedMessage[]> {
    if (ids.length === 0) return [];
    const rows = await this.#connection.all<MessageRow>(BY_IDS, [JSON.stringify(ids)]);
    return rows.map(toMessage);
  }

  async maxId(): Promise<number> {
    const row = await this.#connection.get<{ id: number }>('SELECT COALESCE(MAX(id), 0) AS id FROM messages');
    return row?.id ?? 0;
  }

  async maxReceivedId(userId: number): Promise<number> {
    const newest = await this.walk({ viewer: userId }, Number.MAX_SAFE_INTEGER, 'before', 1);
    return newest[0] ?? 0;
  }

  async walk(feed: Feed, from: number, direction: 'before' | 'after', limit: number): Promise<number[]> {
    if (limit <= 0) return [];
    let ids: number[] = [];
    // People put terms together in more ways than a connection can keep statements for.
    const terms = (feed.terms ?? []).map((term) => (term.test === 'words' ? term.words.length : 1));
    const once = terms.reduce((sum, one) => sum + one, 0) > 1;
    for (const { text, params } of feedQueries(this.#connection.dialect.name, feed, { from, direction, limit })) {
      // One value: as many rows would cost several times as much as the walk itself.
      const list = `SELECT ID_LIST(w.id) AS ids FROM (${text}) AS w`;
      const row = await this.#connection.get<{ ids: string | null }>(list, params, { once });
      ids = JSON.parse(row?.ids ?? '[]');
      if (ids.length === limit) break;
    }
    return ids.sort((one, other) => one - other);
  }

  async received(userId: number, ids: readonly number[]): Promise<number[]> {
    if (ids.length === 0) return [];
    const rows = await this.#connection.all<{ id: number }>(
      `SELECT m.id FROM messages m WHERE m.id IN_IDS(?) AND ${RECEIVED} ORDER BY m.id`,
      [JSON.stringify(ids), userId, userId],
    );
    return rows.map((row) => row.id);
  }

  async notReceived(
    userIds: readonly number[],
    ids: readonly number[],
    channelId?: number,
  ): Promise<Map<number, number[]>> {
    const missing = new Map<number, number[]>();
    if (userIds.length === 0 || ids.length === 0) return missing;
    const rows = await this.#connection.all<{ user_id: number; id: number }>(NOT_RECEIVED, [
      JSON.stringify(ids),
      JSON.stringify(userIds),
      channelId ?? null,
    ]);
    for (const { user_id, id } of rows) {
      const known = missing.get(user_id);
      if (known) known.push(id);
      else missing.set(user_id, [id]);
    }
    return missing;
  }

  async formerReceivers(channelId: number, range: { from_id: number; to_id: number }): Promise<number[]> {
    const rows = await this.#connection.all<{ user_id: number }>(FORMER_RECEIVERS, [
      channelId,
      range.from_id,
      range.to_id,
    ]);
    return rows.map((row) => row.user_id);
  }

  async countSince(
    conversationId: number,
    timestamp: number,
  ): Promise<{ total: number; recent: number; first_recent_id: number | null }> {
    const row = await this.#connection.get<{ total: number; recent: number; first_recent_id: number | null }>(
      COUNT_SINCE,
      [timestamp, timestamp, conversationId],
    );
    return { total: 0, recent: 0, first_recent_id: null, ...row };
  }

  async edit(
    id: number,
    edit: Pick<Message, 'content' | 'rendered_content' | 'is_me_message'> & { timestamp: number },
  ): Promise<void> {
    await this.#connection.run(
      `UPDATE messages SET content = ?, folded_content = ?, rendered_content = ?, is_me_message = ?,
         last_edit_timestamp = ? WHERE id = ?`,
      [
        edit.content,
        foldedContent(edit.content),
        edit.rendered_content,
        edit.is_me_message ? 1 : 0,
        edit.timestamp,
        id,
      ],
    );
  }

  async move(ids: readonly number[], from: Conversation, to: Conversation, timestamp: number): Promise<void> {
    if (ids.length === 0) return;
    await carryOver(this.#connection, ids, from, to);
    await this.#connection.run('UPDATE messages SET conversation_id = ?, last_moved_timestamp = ? WHERE id IN_IDS(?)', [
      to.id,
      timestamp,
      JSON.stringify(ids),
    ]);
    await freeNames(this.#connection, [from.id]);
  }

  async remove(ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    const list = JSON.stringify(ids);
    const conversations = await this.#connection.all<{ id: number }>(
      'SELECT DISTINCT conversation_id AS id FROM messages WHERE id IN_IDS(?)',
      [list],
    );
    for (const table of ['message_flags', 'reactions', 'edits']) {
      await this.#connection.run(`DELETE FROM ${table} WHERE message_id IN_IDS(?)`, [list]);
    }
    await this.#connection.run('DELETE FROM messages WHERE id IN_IDS(?)', [list]);
    await freeNames(
      this.#connection,
      conversations.map(({ id }) => id),
    );
  }
}

/** A topic that lost all its messages gives its name away, for the next one to spell it anew; edits still tell of it. */
async function freeNames(connection: Connection, conversationIds: readonly number[]): Promise<void> {
  const freed = await connection.run(FREE_NAMES, [JSON.stringify(conversationIds)]);
  if (freed > 0) await raisePlacesVersion(connection);
}
