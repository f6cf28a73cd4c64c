import type { AuditEntry, AuditSelection, AuditStore, NewAuditEntry } from '../interface/audit.ts';
import type { SqlValue } from './connection.ts';
import { record } from './record.ts';
import { SqlStore } from './store.ts';

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
const INSERT = ROW.insertMany('audit_log');
const FIRST_KEPT = 'SELECT id FROM audit_log WHERE is_refusal = ? ORDER BY id DESC LIMIT 1 OFFSET ?';
const TRIM = `
  WITH old AS MATERIALIZED (
    SELECT id FROM audit_log WHERE is_refusal = ? ORDER BY id LIMIT ? SKIP_LOCKED)
  DELETE FROM audit_log WHERE id IN (SELECT id FROM old) AND (at_ms < ? OR id < ?)`;

export class SqlAudit extends SqlStore implements AuditStore {
  async add(entries: readonly NewAuditEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const rows = entries.map((entry) => ROW.values({ ...entry, is_refusal: entry.status >= 400 }));
    await this.connection.run(INSERT, [JSON.stringify(rows)]);
  }

  async list({ since, userId, action, limit }: AuditSelection): Promise<AuditEntry[]> {
    const conditions: [text: string, value: SqlValue][] = [['at_ms >= ?', since]];
    if (userId !== undefined) conditions.push(['user_id = ?', userId]);
    if (action !== undefined) conditions.push(['action = ?', action]);
    const newest = await this.connection.many(
      ENTRY,
      `SELECT ${ENTRY.columns} FROM audit_log WHERE ${conditions.map(([text]) => text).join(' AND ')}
       ORDER BY id DESC LIMIT ?`,
      [...conditions.map(([, value]) => value), limit],
    );
    return newest.reverse();
  }

  async trim(what: 'refused' | 'done', untilMs: number, kept: number, limit: number): Promise<number> {
    const isRefusal = what === 'refused' ? 1 : 0;
    const first = (await this.connection.value(FIRST_KEPT, [isRefusal, kept - 1])) ?? 0;
    return this.connection.run(TRIM, [isRefusal, limit, untilMs, first]);
  }
}
