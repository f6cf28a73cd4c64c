import type { IdempotencyStore, RepeatableCall } from '../interface/idempotency.ts';
import { record } from './record.ts';
import { changed, type Queries, row, value } from './store.ts';

const CALL = record<RepeatableCall>({
  user_id: 'integer',
  operation: 'text',
  key: 'text',
  digest: 'text',
  answer: 'text',
  created_ms: 'integer',
});

const ADD = `
  INSERT INTO idempotency_keys (${CALL.columns}) VALUES (${CALL.places})
  ON CONFLICT (user_id, operation, key) DO UPDATE
    SET digest = excluded.digest, answer = excluded.answer, created_ms = excluded.created_ms
    WHERE idempotency_keys.created_ms < ?`;

const TRIM = `
  DELETE FROM idempotency_keys WHERE (user_id, operation, key) IN (
    SELECT user_id, operation, key FROM idempotency_keys
    WHERE user_id = ? ORDER BY created_ms DESC, operation, key LIMIT ? OFFSET ? SKIP_LOCKED)`;

const count = value(`
  SELECT COUNT(*) AS calls FROM idempotency_keys WHERE user_id = ? AND operation = ? AND created_ms >= ?`);

export const idempotency: Queries<IdempotencyStore> = {
  get: row(`
    SELECT digest, answer FROM idempotency_keys
    WHERE user_id = ? AND operation = ? AND key = ? AND created_ms >= ?`),
  count: async (connection, userId, operation, since) => (await count(connection, userId, operation, since)) ?? 0,
  oldest: value('SELECT MIN(created_ms) AS at FROM idempotency_keys'),
  trim: async (connection, userId, keep, limit) => connection.run(TRIM, [userId, limit, keep]),
  removeOlder: changed(`
    DELETE FROM idempotency_keys WHERE (user_id, operation, key) IN (
      SELECT user_id, operation, key FROM idempotency_keys
      WHERE created_ms < ? ORDER BY created_ms LIMIT ? SKIP_LOCKED)`),

  add: async (connection, call, since) => (await connection.run(ADD, [...CALL.values(call), since])) > 0,
};
