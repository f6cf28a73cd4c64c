import type { EventCursor, EventCursorStore } from '../interface/event-cursors.ts';
import { SqlStore } from './connection.ts';
import { record } from './record.ts';

const CURSOR = record<EventCursor>({
  name: 'text',
  position: 'integer',
  holder: 'text',
  lease_until_ms: 'integer',
});

const ALL = `SELECT ${CURSOR.columns} FROM event_cursors ORDER BY name`;
const BY_NAME = `SELECT ${CURSOR.columns} FROM event_cursors WHERE name = ?`;
const ENSURE = `
  INSERT INTO event_cursors (name, position, lease_until_ms) VALUES (?, ?, 0) ON CONFLICT (name) DO NOTHING`;
const REMOVE = 'DELETE FROM event_cursors WHERE name = ?';
const CLAIM = `
  UPDATE event_cursors SET holder = ?, lease_until_ms = ?
  WHERE name = ? AND (holder IS NULL OR holder = ? OR lease_until_ms <= ?) RETURNING ${CURSOR.columns}`;
// Never backwards: a new holder may be further.
const SAVE = `
  UPDATE event_cursors SET position = CASE WHEN position < ? THEN ? ELSE position END, lease_until_ms = ?
  WHERE name = ? AND holder = ?`;
const RELEASE = 'UPDATE event_cursors SET holder = NULL, lease_until_ms = 0 WHERE name = ? AND holder = ?';
const ADVANCE = `
  UPDATE event_cursors
  SET position = CASE WHEN position < ? THEN ? ELSE position END, holder = NULL, lease_until_ms = 0 WHERE name = ?`;
const OLDEST_NEEDED = 'SELECT MIN(position) AS seq FROM event_cursors WHERE position >= ?';

export class SqlEventCursors extends SqlStore implements EventCursorStore {
  async all(): Promise<EventCursor[]> {
    return this.connection.many(CURSOR, ALL);
  }

  async byName(name: string): Promise<EventCursor | undefined> {
    return this.connection.one(CURSOR, BY_NAME, [name]);
  }

  async ensure(name: string, position: number): Promise<void> {
    await this.connection.run(ENSURE, [name, position]);
  }

  async remove(name: string): Promise<boolean> {
    return (await this.connection.run(REMOVE, [name])) > 0;
  }

  async claim(name: string, holder: string, nowMs: number, leaseUntilMs: number): Promise<EventCursor | undefined> {
    return this.connection.one(CURSOR, CLAIM, [holder, leaseUntilMs, name, holder, nowMs]);
  }

  async save(name: string, holder: string, position: number, leaseUntilMs: number): Promise<boolean> {
    return (await this.connection.run(SAVE, [position, position, leaseUntilMs, name, holder])) > 0;
  }

  async release(name: string, holder: string): Promise<void> {
    await this.connection.run(RELEASE, [name, holder]);
  }

  async advance(name: string, position: number): Promise<boolean> {
    return (await this.connection.run(ADVANCE, [position, position, name])) > 0;
  }

  async oldestNeeded(from: number): Promise<number | undefined> {
    return this.connection.value(OLDEST_NEEDED, [from]);
  }
}
