import type { DataExport, DataExportStore } from '../interface/data-exports.ts';
import { record } from './record.ts';
import { changes, count, type Queries, run } from './store.ts';

const EXPORT = record<DataExport>({
  id: 'integer',
  acting_user_id: 'integer',
  export_type: 'integer',
  created_ms: 'integer',
  file_key: 'text',
  size: 'integer',
  finished_ms: 'integer',
  failed_ms: 'integer',
  deleted_ms: 'integer',
});
const SELECT = `SELECT ${EXPORT.columns} FROM data_exports`;
const INSERT = `
  INSERT INTO data_exports (acting_user_id, export_type, created_ms, size) VALUES (?, ?, ?, 0) RETURNING id`;
const finish = changes(`
  UPDATE data_exports SET finished_ms = ?4, size = ?3
  WHERE id = ?1 AND file_key = ?2 AND finished_ms IS NULL AND failed_ms IS NULL`);

export const dataExports: Queries<DataExportStore> = {
  list: EXPORT.many(`${SELECT} ORDER BY id DESC LIMIT ?`),
  byId: EXPORT.one(`${SELECT} WHERE id = ?`),
  byFileKey: EXPORT.one(`${SELECT} WHERE file_key = ? AND finished_ms IS NOT NULL`),
  countSince: count('SELECT COUNT(*) FROM data_exports WHERE created_ms >= ?'),
  begin: run('UPDATE data_exports SET file_key = ?2 WHERE id = ?1'),
  fail: changes(
    `UPDATE data_exports SET failed_ms = ?3, file_key = NULL
    WHERE id = ?1 AND file_key = ?2 AND finished_ms IS NULL AND failed_ms IS NULL`,
  ),
  remove: run('UPDATE data_exports SET deleted_ms = ?2, file_key = NULL WHERE id = ?1'),
  withFile: EXPORT.many(`${SELECT} WHERE file_key IS NOT NULL ORDER BY id`),
  removeComplete: run(`
    UPDATE data_exports SET deleted_ms = ?, file_key = NULL WHERE file_key IS NOT NULL AND finished_ms IS NOT NULL`),
  restart: run('UPDATE data_exports SET file_key = NULL WHERE file_key IS NOT NULL AND finished_ms IS NULL'),
  create: (connection, { acting_user_id, export_type, created_ms }) =>
    connection.insert(INSERT, [acting_user_id, export_type, created_ms]),
  finish: (connection, id, { fileKey, size }, nowMs) => finish(connection, id, fileKey, size, nowMs),
};
