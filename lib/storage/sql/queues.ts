import type { EventQueue, QueueStore } from '../interface/queues.ts';
import { SqlStore } from './connection.ts';
import { record } from './record.ts';

const QUEUE = record<EventQueue>({
  id: 'text',
  user_id: 'integer',
  client: 'text',
  event_types: 'json',
  narrow: 'json',
  all_public_streams: 'boolean',
  options: 'json',
  start_seq: 'integer',
  acked_seq: 'integer',
  last_used_ms: 'integer',
  lifespan: 'integer',
  holder: 'text',
});

const BY_ID = `SELECT ${QUEUE.columns} FROM event_queues WHERE id = ?`;
const INSERT = `INSERT INTO event_queues (${QUEUE.columns}, expires_ms) VALUES (${QUEUE.places}, ?)`;
const TOUCH = `
  UPDATE event_queues SET acked_seq = CASE WHEN acked_seq < ? THEN ? ELSE acked_seq END,
    last_used_ms = ?, expires_ms = ? + lifespan * 1000
  WHERE id = ?`;
const HOLD = 'UPDATE event_queues SET holder = ? WHERE id = ?';
const REMOVE = 'DELETE FROM event_queues WHERE id = ?';
const REMOVE_OF_USERS = 'DELETE FROM event_queues WHERE user_id IN_IDS(?)';
// Skips queues that a concurrent poll is updating: they are locked.
const REMOVE_EXPIRED = `
  WITH expired AS MATERIALIZED (
    SELECT q.id FROM event_queues q WHERE q.expires_ms <= ? ORDER BY q.expires_ms LIMIT ? SKIP_LOCKED)
  DELETE FROM event_queues WHERE id IN (SELECT id FROM expired) RETURNING id`;
const REMOVE_SURPLUS = `
  DELETE FROM event_queues WHERE id IN (
    SELECT q.id FROM event_queues q WHERE q.user_id = ?
    ORDER BY q.last_used_ms DESC, q.start_seq DESC, q.id LIMIT 100000 OFFSET ?)
  RETURNING id`;
const REMOVE_CROWD = `
  DELETE FROM event_queues WHERE id IN (
    SELECT q.id FROM event_queues q ORDER BY q.expires_ms DESC, q.id LIMIT ? OFFSET ?)
  RETURNING id`;
const REMOVE_BEHIND = `
  WITH behind AS MATERIALIZED (
    SELECT q.id FROM event_queues q WHERE q.acked_seq < ? ORDER BY q.acked_seq LIMIT ? SKIP_LOCKED)
  DELETE FROM event_queues WHERE id IN (SELECT id FROM behind) RETURNING id`;
const COUNT = 'SELECT COUNT(*) AS n FROM (SELECT 1 FROM event_queues LIMIT ?) AS counted';
const NEXT_EXPIRY = 'SELECT MIN(expires_ms) AS at FROM event_queues';
const OLDEST_NEEDED = 'SELECT MIN(acked_seq) AS seq FROM event_queues';

export class SqlQueues extends SqlStore implements QueueStore {
  async create(queue: EventQueue): Promise<void> {
    await this.connection.run(INSERT, [...QUEUE.values(queue), queue.last_used_ms + queue.lifespan * 1000]);
  }

  async byId(id: string): Promise<EventQueue | undefined> {
    return this.connection.one(QUEUE, BY_ID, [id]);
  }

  async remove(id: string): Promise<boolean> {
    return (await this.connection.run(REMOVE, [id])) > 0;
  }

  async removeOfUsers(userIds: readonly number[]): Promise<void> {
    if (userIds.length > 0) await this.connection.run(REMOVE_OF_USERS, [JSON.stringify(userIds)]);
  }

  async touch(id: string, ackedSeq: number, nowMs: number): Promise<void> {
    await this.connection.run(TOUCH, [ackedSeq, ackedSeq, nowMs, nowMs, id]);
  }

  async hold(id: string, holder: string): Promise<boolean> {
    return (await this.connection.run(HOLD, [holder, id])) > 0;
  }

  async removeExpired(nowMs: number, limit: number): Promise<string[]> {
    return this.#removed(REMOVE_EXPIRED, [nowMs, limit]);
  }

  async removeSurplus(userId: number, kept: number): Promise<string[]> {
    return this.#removed(REMOVE_SURPLUS, [userId, kept]);
  }

  async removeCrowd(kept: number, limit: number): Promise<string[]> {
    return this.#removed(REMOVE_CROWD, [limit, kept]);
  }

  async removeBehind(seq: number, limit: number): Promise<string[]> {
    return this.#removed(REMOVE_BEHIND, [seq, limit]);
  }

  async count(limit: number): Promise<number> {
    return (await this.connection.value(COUNT, [limit])) ?? 0;
  }

  async nextExpiry(): Promise<number | undefined> {
    return this.connection.value(NEXT_EXPIRY);
  }

  async oldestNeeded(): Promise<number | undefined> {
    return this.connection.value(OLDEST_NEEDED);
  }

  async #removed(sql: string, params: readonly number[]): Promise<string[]> {
    const rows = await this.connection.all<{ id: string }>(sql, params);
    return rows.map((row) => row.id);
  }
}
