import type { Report, ReportStore } from '../interface/reports.ts';
import { record } from './record.ts';
import { changes, count, exists, type Queries } from './store.ts';

const REPORT = record<Report>({
  id: 'integer',
  message_id: 'integer',
  sender_id: 'integer',
  reporter_id: 'integer',
  report_type: 'text',
  description: 'text',
  content: 'text',
  timestamp: 'integer',
  resolved_timestamp: 'integer',
  resolver_id: 'integer',
  outcome: 'text',
});
const NEW_REPORT = REPORT.without('id', 'resolved_timestamp', 'resolver_id', 'outcome');
const INSERT = `INSERT INTO reports (${NEW_REPORT.columns}) VALUES (${NEW_REPORT.places}) RETURNING id`;
const resolve = changes(`
  UPDATE reports SET resolved_timestamp = ?2, resolver_id = ?3, outcome = ?4
  WHERE id = ?1 AND resolved_timestamp IS NULL`);

const listIf = (condition: string) =>
  REPORT.many(`
    SELECT ${REPORT.columns} FROM reports
    WHERE id < ?1 AND sender_id <> ?2 AND sender_id NOT IN (SELECT id FROM users WHERE bot_owner_id = ?2) AND ${condition}
    ORDER BY id DESC LIMIT ?3`);
const listOpen = listIf('resolved_timestamp IS NULL');
const listResolved = listIf('resolved_timestamp IS NOT NULL');

export const reports: Queries<ReportStore> = {
  byId: REPORT.one(`SELECT ${REPORT.columns} FROM reports WHERE id = ?`),
  hasOpen: exists(`
    SELECT 1 AS found FROM reports WHERE reporter_id = ? AND message_id = ? AND resolved_timestamp IS NULL LIMIT 1`),
  countSince: count(`
    SELECT COUNT(*) FROM (SELECT 1 AS one FROM reports WHERE reporter_id = ? AND timestamp >= ? LIMIT ?) AS found`),
  create: (connection, report) => connection.insert(INSERT, NEW_REPORT.values(report)),
  resolve: (connection, id, { resolved_timestamp, resolver_id, outcome }) =>
    resolve(connection, id, resolved_timestamp, resolver_id, outcome),

  list: (connection, { isOpen, beforeId, exceptSender, limit }) =>
    (isOpen ? listOpen : listResolved)(connection, beforeId, exceptSender, limit),
};
