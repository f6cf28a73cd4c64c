import type { AuditEntry, AuditSelection, AuditStore, NewAuditEntry } from '../interface/audit.ts';
import { SqlStore, type SqlValue } from './connection.ts';
import { record } from './record.ts';

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
const NEW_ENTRY = ENTRY.without('id');

const INSERT = `INSERT INTO audit_log (${NEW_ENTRY.columns}, is_refusal) VALUES`;
const ROW = `(${NEW_ENTRY.places}, ?)`;
/** Rows that one statement adds. */
const ROWS_PER_STATEMENT = 50;
const ANY = 'SELECT 1 AS one FROM audit_log LIMIT 1';
const FIRST_KEPT = 'SELECT id FROM audit_log WHERE is_refusal = ? ORDER BY id DESC LIMIT 1 OFFSET ?';
const TRIM = `
  WITH old AS MATERIALIZED (
    SELECT id FROM audit_log WHERE is_refusal = ? ORDER BY id LIMIT ? SKIP_LOCKED)
  DELETE FROM audit_log WHERE id IN (SELECT id FROM old) AND (at_ms < ? OR id < ?)`;

export class SqlAudit extends SqlStore implements AuditStore {
  async add(entries: readonly NewAuditEntry[]): Promise<void> {
    for (let at = 0; at < entries.length; at += ROWS_PER_STATEMENT) {
      const some = entries.slice(at, at + ROWS_PER_STATEMENT);
      await this.connection.run(
        `${INSERT} ${some.map(() => ROW).join(', ')}`,
        some.flatMap((entry) => [...NEW_ENTRY.values(entry), entry.status >= 400 ? 1 : 0]),
      );
    }
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

  async isEmpty(): Promise<boolean> {
    return (await this.connection.get(ANY)) === undefined;
  }

  async trim(what: 'refused' | 'done', untilMs: number, kept: number, limit: number): Promise<number> {
    const isRefusal = what === 'refused' ? 1 : 0;
    const first = await this.connection.get<{ id: number }>(FIRST_KEPT, [isRefusal, kept - 1]);
    return this.connection.run(TRIM, [isRefusal, limit, untilMs, first?.id ?? 0]);
  }
}
