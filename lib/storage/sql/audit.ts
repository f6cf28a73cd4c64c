import type { AuditEntry, AuditStore } from '../interface/audit.ts';
import type { SqlValue } from './connection.ts';
import { record } from './record.ts';
import { changed, type Queries, run } from './store.ts';

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
const trim = changed(`
  WITH old AS MATERIALIZED (
    SELECT id FROM audit_log WHERE is_refusal = ?1 ORDER BY id LIMIT ?4 SKIP_LOCKED)
  DELETE FROM audit_log WHERE id IN (SELECT id FROM old) AND (at_ms < ?2
    OR id < (SELECT k.id FROM audit_log k WHERE k.is_refusal = ?1 ORDER BY k.id DESC LIMIT 1 OFFSET ?3))`);

/** The fields of the details that name a channel. */
const CHANNEL_FIELDS = ['stream_id', 'from_stream_id', 'channel_id'];

export const audit: Queries<AuditStore> = {
  add: (connection, entries) =>
    insert(
      connection,
      entries.map((entry) => ROW.values({ ...entry, is_refusal: entry.status >= 400 })),
    ),

  async list(connection, { since, beforeId, userId, action, channelId, limit }) {
    const conditions: [text: string, ...values: SqlValue[]][] = [['at_ms >= ?', since]];
    if (beforeId !== undefined) conditions.push(['id < ?', beforeId]);
    if (userId !== undefined) conditions.push(['user_id = ?', userId]);
    if (action !== undefined) conditions.push(['action = ?', action]);
    if (channelId !== undefined) {
      // The details are JSON without blanks.
      const members = CHANNEL_FIELDS.flatMap((name) => [',', '}'].map((end) => `%"${name}":${channelId}${end}%`));
      conditions.push([`(${members.map(() => 'details LIKE ?').join(' OR ')})`, ...members]);
    }
    const newest = await connection.many(
      ENTRY,
      `SELECT ${ENTRY.columns} FROM audit_log WHERE ${conditions.map(([text]) => text).join(' AND ')}
       ORDER BY id DESC LIMIT ?`,
      [...conditions.flatMap(([, ...values]) => values), limit],
    );
    return newest.reverse();
  },

  trim: (connection, what, { untilMs, kept, limit }) =>
    trim(connection, what === 'refused' ? 1 : 0, untilMs, kept - 1, limit),
};
