import type { Feed, MessageStore, NewMessage, PlacedMessage } from '../storage.ts';
import type { Connection } from './connection.ts';
import { feedQueries } from './feed.ts';
import { RECEIVED } from './read-rule.ts';

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
    (conversation_id, sender_id, content, rendered_content, timestamp, client, is_me_message, read_by_sender)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`;
const SELECT = `
  SELECT m.id, m.conversation_id, m.sender_id, m.content, m.rendered_content, m.timestamp, m.client,
    m.is_me_message, m.read_by_sender, m.last_edit_timestamp, m.last_moved_timestamp, c.channel_id, c.topic
  FROM messages m JOIN conversations c ON c.id = m.conversation_id`;
const BY_ID = `${SELECT} WHERE m.id = ?`;
const BY_IDS = `${SELECT} WHERE m.id IN_IDS(?) ORDER BY m.id`;

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
    const row = await this.#connection.get<{ id: number }>(INSERT, [
      message.conversation_id,
      message.sender_id,
      message.content,
      message.rendered_content,
      message.timestamp,
      message.client,
      message.is_me_message ? 1 : 0,
      message.read_by_sender ? 1 : 0,
    ]);
    return (row as { id: number }).id;
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
    for (const query of feedQueries(this.#connection.dialect.name, feed, { from, direction, limit })) {
      const rows = await this.#connection.all<{ id: number }>(query.text, query.params);
      ids = rows.map((row) => row.id);
      if (ids.length === limit) break;
    }
    return direction === 'before' ? ids.reverse() : ids;
  }

  async received(userId: number, ids: readonly number[]): Promise<number[]> {
    if (ids.length === 0) return [];
    const rows = await this.#connection.all<{ id: number }>(
      `SELECT m.id FROM messages m WHERE m.id IN_IDS(?) AND ${RECEIVED} ORDER BY m.id`,
      [JSON.stringify(ids), userId, userId],
    );
    return rows.map((row) => row.id);
  }
}
