import type { OutboxItem, OutboxStore } from '../interface/outbox.ts';
import type { Connection } from './connection.ts';
import { record } from './record.ts';

const ITEM = record<OutboxItem>({
  id: 'integer',
  kind: 'text',
  payload: 'json',
  // null: given up.
  due_ms: { column: 'due_ms', read: (value) => (value as number | null) ?? 0 },
  attempts: 'integer',
  last_error: 'text',
  created_ms: 'integer',
});

const ADD = {
  sqlite: `
    INSERT INTO outbox (kind, payload, due_ms, created_ms, attempts)
    SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'),
      json_extract(value, '$[2]'), 0
    FROM json_each(?)`,
  postgres: `
    INSERT INTO outbox (kind, payload, due_ms, created_ms, attempts)
    SELECT value->>0, value->>1, CAST(value->>2 AS bigint), CAST(value->>2 AS bigint), 0
    FROM json_array_elements(CAST(? AS json))`,
};
const CLAIM = `
  UPDATE outbox SET due_ms = ?, attempts = attempts + 1
  WHERE id IN (SELECT o.id FROM outbox o WHERE o.due_ms <= ? ORDER BY o.due_ms, o.id LIMIT ? SKIP_LOCKED)
  RETURNING ${ITEM.columns}`;

const DONE = 'DELETE FROM outbox WHERE id = ?';
const FAILED = 'UPDATE outbox SET last_error = ?, due_ms = ? WHERE id = ?';
const NEXT_DUE = 'SELECT MIN(due_ms) AS at FROM outbox WHERE due_ms IS NOT NULL';
const GIVEN_UP = `SELECT ${ITEM.columns} FROM outbox WHERE due_ms IS NULL ORDER BY id DESC LIMIT ?`;

export class SqlOutbox implements OutboxStore {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async add(items: readonly { kind: string; payload: Record<string, unknown>; due_ms: number }[]): Promise<void> {
    if (items.length === 0) return;
    await this.#connection.run(ADD[this.#connection.dialect.name], [
      JSON.stringify(items.map((item) => [item.kind, JSON.stringify(item.payload), item.due_ms])),
    ]);
  }

  async claimDue(nowMs: number, leaseUntilMs: number, limit: number): Promise<OutboxItem[]> {
    const items = await this.#connection.many(ITEM, CLAIM, [leaseUntilMs, nowMs, limit]);
    return items.sort((one, other) => one.id - other.id);
  }

  async done(id: number): Promise<void> {
    await this.#connection.run(DONE, [id]);
  }

  async failed(id: number, error: string, dueMs: number | null): Promise<void> {
    await this.#connection.run(FAILED, [error, dueMs, id]);
  }

  async nextDue(): Promise<number | undefined> {
    const row = await this.#connection.get<{ at: number | null }>(NEXT_DUE);
    return row?.at ?? undefined;
  }

  async givenUp(limit: number): Promise<OutboxItem[]> {
    return this.#connection.many(ITEM, GIVEN_UP, [limit]);
  }
}
