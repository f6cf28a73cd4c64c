import type { OutboxClaim, OutboxItem, OutboxStore } from '../interface/outbox.ts';
import { record } from './record.ts';
import { after, changed, changes, keyed, type Queries, row, rows, run, value } from './store.ts';

const ITEM = record<OutboxItem>({
  id: 'integer',
  kind: 'text',
  payload: 'json',
  // null: given up.
  due_ms: { column: 'due_ms', read: (value) => Number(value ?? 0) },
  attempts: 'integer',
  last_error: 'text',
  created_ms: 'integer',
  given_up_ms: 'integer',
});

const ADD = `
  INSERT INTO outbox (kind, payload, due_ms, created_ms, attempts)
  SELECT TEXT(0), TEXT(1), NUMBER(2), NUMBER(2), 0 FROM ROWS(?)`;
const FAILED = `
  UPDATE outbox SET due_ms = p.b, last_error = p.c, given_up_ms = CASE WHEN p.b IS NULL THEN CAST(? AS BIGINT) END
  FROM PAIRS(?) p WHERE outbox.id = p.a AND outbox.attempts = ? AND outbox.due_ms IS NOT NULL RETURNING id`;
const advance = changes('UPDATE outbox SET payload = ? WHERE id = ? AND attempts = ? AND due_ms IS NOT NULL');
// Earlier versions stored no time of the final failure.
const GIVEN_UP_AT = 'COALESCE(given_up_ms, created_ms)';

export const outbox: Queries<OutboxStore> = {
  claimDue: after(
    // In a subquery: in a join, the engine could evaluate the selection again and exceed the limit.
    ITEM.many(`
      WITH claimed AS MATERIALIZED (
        SELECT id FROM outbox WHERE kind = ?1 AND due_ms <= ?2 ORDER BY due_ms, id LIMIT ?4 SKIP_LOCKED)
      UPDATE outbox SET due_ms = ?3, attempts = attempts + 1 WHERE id IN (SELECT id FROM claimed)
      RETURNING ${ITEM.columns}`),
    (items) => items.sort((a, b) => a.id - b.id),
  ),
  renew: keyed(
    pairsOf,
    run(`
      UPDATE outbox SET due_ms = ?2
      FROM PAIRS(?1) p WHERE outbox.id = p.a AND outbox.attempts = p.b AND outbox.due_ms IS NOT NULL`),
  ),
  advance: (connection, { id, attempts }, payload) => advance(connection, JSON.stringify(payload), id, attempts),
  done: changed('DELETE FROM outbox WHERE due_ms IS NOT NULL AND id IN_IDS(?)'),
  nextDue: value('SELECT MIN(due_ms) AS at FROM outbox WHERE kind = ? AND due_ms IS NOT NULL'),
  givenUp: ITEM.many(
    `SELECT ${ITEM.columns} FROM outbox WHERE due_ms IS NULL ORDER BY ${GIVEN_UP_AT} DESC, id DESC LIMIT ?`,
  ),
  oldestGivenUp: value(`SELECT MIN(${GIVEN_UP_AT}) AS at FROM outbox WHERE due_ms IS NULL`),
  removeGivenUp: changed(`
    WITH forgotten AS MATERIALIZED (
      SELECT id FROM outbox WHERE due_ms IS NULL AND ${GIVEN_UP_AT} <= ? ORDER BY ${GIVEN_UP_AT}, id LIMIT ? SKIP_LOCKED)
    DELETE FROM outbox WHERE id IN (SELECT id FROM forgotten)`),
  figures: after(
    row<{ open: number; given_up: number }>(`
      SELECT (SELECT COUNT(*) FROM (SELECT 1 FROM outbox WHERE due_ms IS NOT NULL LIMIT ?1) AS o) AS open,
        (SELECT COUNT(*) FROM (SELECT 1 FROM outbox WHERE due_ms IS NULL LIMIT ?1) AS g) AS given_up`),
    (found) => ({ open: found?.open ?? 0, givenUp: found?.given_up ?? 0 }),
  ),
  // A retry moves the due time, so only the creation tells how long an item has been waiting.
  waiting: rows<{ kind: string; created_ms: number; error: string | null }>(`
    SELECT kind, MIN(created_ms) AS created_ms, MAX(last_error) AS error FROM (
      SELECT kind, created_ms, last_error FROM outbox WHERE due_ms IS NOT NULL AND created_ms <= ?1 LIMIT ?2) AS w
    GROUP BY kind ORDER BY kind`),

  async add(connection, items) {
    if (items.length === 0) return;
    connection.concurrency?.announceDueWork();
    await connection.run(ADD, [
      JSON.stringify(items.map((item) => [item.kind, JSON.stringify(item.payload), item.due_ms])),
    ]);
  },

  async failed(connection, failures, nowMs) {
    const recorded: number[] = [];
    // One statement per number of attempts, of which there are few.
    for (const attempts of new Set(failures.map((failure) => failure.attempts))) {
      const alike = failures.filter((failure) => failure.attempts === attempts);
      const rows = alike.map(({ id, due_ms, error }) => [id, due_ms, error]);
      recorded.push(...(await connection.column(FAILED, [nowMs, JSON.stringify(rows), attempts])));
    }
    return recorded;
  },
};

function pairsOf(claims: readonly OutboxClaim[]) {
  return claims.map(({ id, attempts }) => [id, attempts]);
}
