import type { EventCursor, EventCursorStore, EventQueue, QueueStore } from '../interface/queues.ts';
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

const QUEUE_BY_ID = `SELECT ${QUEUE.columns} FROM event_queues WHERE id = ?`;
const INSERT_QUEUE = `INSERT INTO event_queues (${QUEUE.columns}, expires_ms) VALUES (${QUEUE.places}, ?)`;
const TOUCH = `
  UPDATE event_queues SET acked_seq = CASE WHEN acked_seq < ? THEN ? ELSE acked_seq END,
    last_used_ms = ?, expires_ms = ? + lifespan * 1000
  WHERE id = ?`;
const HOLD = 'UPDATE event_queues SET holder = ? WHERE id = ?';
const REMOVE_QUEUE = 'DELETE FROM event_queues WHERE id = ?';
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
const OLDEST_NEEDED_BY_QUEUES = 'SELECT MIN(acked_seq) AS seq FROM event_queues';

export class SqlQueues extends SqlStore implements QueueStore {
  readonly byId = this.statement.one(QUEUE, QUEUE_BY_ID);
  readonly remove = this.statement.changes(REMOVE_QUEUE);
  readonly removeExpired = this.statement.column<string>(REMOVE_EXPIRED);
  readonly removeSurplus = this.statement.column<string>(REMOVE_SURPLUS);
  readonly removeBehind = this.statement.column<string>(REMOVE_BEHIND);
  readonly count = this.statement.count(COUNT);
  readonly nextExpiry = this.statement.value(NEXT_EXPIRY);
  readonly oldestNeeded = this.statement.value(OLDEST_NEEDED_BY_QUEUES);

  async create(queue: EventQueue): Promise<void> {
    await this.connection.run(INSERT_QUEUE, [...QUEUE.values(queue), queue.last_used_ms + queue.lifespan * 1000]);
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

  async removeCrowd(kept: number, limit: number): Promise<string[]> {
    return this.connection.column(REMOVE_CROWD, [limit, kept]);
  }
}

const CURSOR = record<EventCursor>({
  name: 'text',
  position: 'integer',
  holder: 'text',
  lease_until_ms: 'integer',
});

const ALL_CURSORS = `SELECT ${CURSOR.columns} FROM event_cursors ORDER BY name`;
const CURSOR_BY_NAME = `SELECT ${CURSOR.columns} FROM event_cursors WHERE name = ?`;
const ENSURE_CURSOR = `
  INSERT INTO event_cursors (name, position, lease_until_ms) VALUES (?, ?, 0) ON CONFLICT (name) DO NOTHING`;
const REMOVE_CURSOR = 'DELETE FROM event_cursors WHERE name = ?';
const CLAIM_CURSOR = `
  UPDATE event_cursors SET holder = ?, lease_until_ms = ?
  WHERE name = ? AND (holder IS NULL OR holder = ? OR lease_until_ms <= ?) RETURNING ${CURSOR.columns}`;
// Never backwards: a new holder may be further.
const SAVE_CURSOR = `
  UPDATE event_cursors SET position = CASE WHEN position < ? THEN ? ELSE position END, lease_until_ms = ?
  WHERE name = ? AND holder = ?`;
const RELEASE_CURSOR = 'UPDATE event_cursors SET holder = NULL, lease_until_ms = 0 WHERE name = ? AND holder = ?';
const ADVANCE_CURSOR = `
  UPDATE event_cursors
  SET position = CASE WHEN position < ? THEN ? ELSE position END, holder = NULL, lease_until_ms = 0 WHERE name = ?`;
const OLDEST_NEEDED_BY_CURSORS = 'SELECT MIN(position) AS seq FROM event_cursors WHERE position >= ?';

export class SqlEventCursors extends SqlStore implements EventCursorStore {
  readonly all = this.statement.many(CURSOR, ALL_CURSORS);
  readonly byName = this.statement.one(CURSOR, CURSOR_BY_NAME);
  readonly ensure = this.statement.run(ENSURE_CURSOR);
  readonly remove = this.statement.changes(REMOVE_CURSOR);
  readonly release = this.statement.run(RELEASE_CURSOR);
  readonly oldestNeeded = this.statement.value(OLDEST_NEEDED_BY_CURSORS);

  async claim(name: string, holder: string, nowMs: number, leaseUntilMs: number): Promise<EventCursor | undefined> {
    return this.connection.one(CURSOR, CLAIM_CURSOR, [holder, leaseUntilMs, name, holder, nowMs]);
  }

  async save(name: string, holder: string, position: number, leaseUntilMs: number): Promise<boolean> {
    return (await this.connection.run(SAVE_CURSOR, [position, position, leaseUntilMs, name, holder])) > 0;
  }

  async advance(name: string, position: number): Promise<boolean> {
    return (await this.connection.run(ADVANCE_CURSOR, [position, position, name])) > 0;
  }
}
