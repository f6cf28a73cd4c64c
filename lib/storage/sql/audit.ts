import type { AuditEntry, AuditStore } from '../interface/audit.ts';
import type { SqlValue } from './connection.ts';
import { record } from './record.ts';
import { type Queries, run } from './store.ts';

const ENTRY = record<AuditEntry>({
  id: 'integer',
  at_ms: 'integer',
  action: 'text',
  user_id: 'integer',
  status: 'integer',
  code: 'text',
  details: 'json',
  client: 'text',
  network: 'text',
  request: 'text',
  times: 'integer',
});
const ROW = ENTRY.without('id').with<{ is_refusal: boolean }>({ is_refusal: 'boolean' });
const insert = run(ROW.insertMany('audit_log'));
const FIRST_KEPT = 'SELECT id FROM audit_log WHERE is_refusal = ? ORDER BY id DESC LIMIT 1 OFFSET ?';
const TRIM = `
  WITH old AS MATERIALIZED (
    SELECT id FROM audit_log WHERE is_refusal = ? ORDER BY id LIMIT ? SKIP_LOCKED)
  DELETE FROM audit_log WHERE id IN (SELECT id FROM old) AND (at_ms < ? OR id < ?)`;

export const audit: Queries<AuditStore> = {
  add: (connection, entries) =>
    insert(
      connection,
      entries.map((entry) => ROW.values({ ...entry, is_refusal: entry.status >= 400 })),
    ),

  async list(connection, { since, userId, action, limit }) {
    const conditions: [text: string, value: SqlValue][] = [['at_ms >= ?', since]];
    if (userId !== undefined) conditions.push(['user_id = ?', userId]);
    if (action !== undefined) conditions.push(['action = ?', action]);
    const newest = await connection.many(
      ENTRY,
      `SELECT ${ENTRY.columns} FROM audit_log WHERE ${conditions.map(([text]) => text).join(' AND ')}
       ORDER BY id DESC LIMIT ?`,
      [...conditions.map(([, value]) => value), limit],
    );
    return newest.reverse();
  },

  async trim(connection, what, untilMs, kept, limit) {
    const isRefusal = what === 'refused' ? 1 : 0;
    const first = (await connection.value(FIRST_KEPT, [isRefusal, kept - 1])) ?? 0;
    return connection.run(TRIM, [isRefusal, limit, untilMs, first]);
  },
};
