import { counted } from '../../base/counted.ts';
import { storedAt } from '../../domains/uploads/stored-file.ts';
import { emailKey, fold, foldTopic, nameKey } from '../../rules/fold.ts';
import { countOf, slicesOf } from '../../storage/maintenance/tables.ts';
import type { SqlValue } from '../../storage/sql/connection.ts';
import { ADVICE, type Check, type Checked, inWindows, once } from './check.ts';

/** Columns that contain JSON. */
const STRUCTURES: readonly { name: string; key?: string; columns: string[] }[] = [
  { name: 'organization', columns: ['settings'] },
  { name: 'users', columns: ['settings', 'profile_data'] },
  { name: 'user_groups', columns: ['settings'] },
  { name: 'channels', columns: ['settings'] },
  { name: 'outbox', columns: ['payload'] },
  { name: 'scheduled_messages', columns: ['recipient_ids'] },
  { name: 'drafts', columns: ['recipients'] },
  { name: 'invitation_offers', columns: ['stream_ids', 'group_ids'] },
  { name: 'event_queues', columns: ['event_types', 'narrow', 'options'] },
  { name: 'events', key: 'seq', columns: ['body'] },
];

/** Lookup keys that are derived from another column. */
const KEYS: readonly { name: string; of: string; key: string; make(text: string): string }[] = [
  { name: 'users', of: 'delivery_email', key: 'email_key', make: emailKey },
  { name: 'users', of: 'full_name', key: 'name_key', make: nameKey },
  { name: 'channels', of: 'name', key: 'name_key', make: fold },
  { name: 'conversations', of: 'topic', key: 'topic_key', make: foldTopic },
];

/** The rows of a table with these columns, of which the first is the key. */
async function* rowsOf({ connection }: Checked, name: string, columns: readonly string[]) {
  const table = { name, columns: columns.map((column) => ({ name: column, type: 'TEXT' as const })) };
  for await (const rows of slicesOf(connection, { ...table, key: columns.slice(0, 1) })) yield* rows;
}

/** Stored data must be readable and consistent. */
export const storedChecks: readonly Check[] = [
  {
    name: 'organization',
    says: () => 'Required rows are missing or exist more than once.',
    advice: ADVICE.restore,
    run: once(`
      SELECT 'organization' AS example WHERE (SELECT COUNT(*) FROM organization) <> 1
      UNION ALL SELECT 'message_retention' WHERE (SELECT COUNT(*) FROM message_retention) <> 1
      UNION ALL SELECT 'presence_updates' WHERE (SELECT COUNT(*) FROM presence_updates) <> 1
      UNION ALL SELECT 'upload_space' WHERE (SELECT COUNT(*) FROM upload_space) <> 1
      UNION ALL SELECT 'an owner whose account is active' WHERE NOT EXISTS (
        SELECT 1 FROM users WHERE role = 100 AND is_active = 1 AND bot_type IS NULL)`),
  },
  {
    name: 'versions',
    says: (n) => `${counted(n, 'account has', 'accounts have')} a version above users_version. Caches may be stale.`,
    advice: 'UPDATE organization SET users_version to the largest version in users. Then restart all servers.',
    run: once(`SELECT 'user ' || id AS example FROM users
      WHERE version > (SELECT users_version FROM organization WHERE id = 1) ORDER BY id LIMIT 1000`),
  },
  {
    name: 'structures',
    says: (n) => `${counted(n, 'stored JSON value')} cannot be read.`,
    advice: ADVICE.restore,
    async *run(checked) {
      for (const { name, key = 'id', columns } of STRUCTURES) {
        for await (const [id, ...values] of rowsOf(checked, name, [key, ...columns])) {
          for (const [at, column] of columns.entries()) {
            if (!isJson(values[at])) yield `${name} ${id}, ${column}`;
          }
        }
      }
    },
  },
  {
    name: 'keys',
    says: (n) => `${counted(n, 'row')} cannot be found by name or address.`,
    advice: 'Change the name or the address to another value and back.',
    async *run(checked) {
      for (const { name, of, key, make } of KEYS) {
        for await (const [id, given, found] of rowsOf(checked, name, ['id', of, key])) {
          if (name === 'conversations' && found === null) continue;
          if (make(String(given)) !== found) yield `${name} ${id}, ${key}`;
        }
      }
    },
  },
  {
    name: 'outbox',
    says: (n) => `${counted(n, 'waiting item is', 'waiting items are')} of a kind that this version does not know.`,
    advice: 'They are from a newer version, which processes them when it runs. Otherwise DELETE them FROM outbox.',
    async *run(checked) {
      for await (const [id, kind, due] of rowsOf(checked, 'outbox', ['id', 'kind', 'due_ms'])) {
        if (due !== null && !checked.kinds.has(String(kind))) yield `${id}: ${kind}`;
      }
    },
  },
  {
    name: 'upload space',
    says: () => 'The stored total size of uploaded files is wrong. The upload quota depends on it.',
    advice: 'UPDATE upload_space SET used to the sum above.',
    run: once(`SELECT 'stored: ' || s.used || ', sum: ' || f.sum AS example FROM upload_space s
      CROSS JOIN (SELECT COALESCE(SUM(size), 0) AS sum FROM uploads WHERE is_complete = 1) AS f WHERE s.used <> f.sum`),
  },
  {
    name: 'bot storage',
    says: (n) =>
      `${counted(n, 'account has', 'accounts have')} a wrong stored size of bot storage. The quota depends on it.`,
    advice: 'UPDATE bot_storage_sizes SET entries and bytes to the actual values above.',
    run: inWindows(
      'users',
      `SELECT 'user ' || u.id || ', stored: ' || u.entries || ' and ' || u.bytes || ', actual: ' || u.n || ' and ' || u.sum AS example
       FROM (SELECT a.id, COALESCE(z.entries, 0) AS entries, COALESCE(z.bytes, 0) AS bytes,
           (SELECT COUNT(*) FROM bot_storage s WHERE s.user_id = a.id) AS n,
           (SELECT COALESCE(SUM(s.bytes), 0) FROM bot_storage s WHERE s.user_id = a.id) AS sum
         FROM users a LEFT JOIN bot_storage_sizes z ON z.user_id = a.id WHERE a.id > ? AND a.id <= ?) AS u
       WHERE u.n <> u.entries OR u.sum <> u.bytes ORDER BY u.id`,
      { width: 200 },
    ),
  },
  {
    name: 'files',
    says: (n) => `${counted(n, 'uploaded file is', 'uploaded files are')} missing or of the wrong size.`,
    advice: 'Restore a backup into another database and folder with `chatctl restore`, and copy the files from there.',
    async *run(checked) {
      const { files, connection, onStep } = checked;
      if (!files) return;
      const total = await countOf(connection, 'uploads', 'is_complete = 1');
      const columns = ['id', 'file_key', 'name', 'size', 'is_complete'];
      let done = 0;
      for await (const [id, file_key, name, size, isComplete] of rowsOf(checked, 'uploads', columns)) {
        if (isComplete !== 1) continue;
        const found = await files.size(storedAt({ file_key: String(file_key) }));
        if (found !== size) yield `file ${id}, ${JSON.stringify(name)}: ${found ?? 'none'} of ${size} bytes`;
        onStep('uploaded files', ++done, total);
      }
    },
  },
];

function isJson(value: SqlValue | undefined): boolean {
  if (value === null) return true;
  try {
    JSON.parse(String(value));
    return true;
  } catch {
    return false;
  }
}

/** No group may contain itself, directly or through subgroups. */
export const groupChecks: readonly Check[] = [
  {
    name: 'groups',
    says: (n) => `${counted(n, 'group contains itself', 'groups contain themselves')}.`,
    advice: 'Break the cycle: remove one of these groups from another with `chatctl user-groups subgroups`.',
    run: inWindows(
      'user_groups',
      `SELECT 'group ' || g.id AS example FROM user_groups g WHERE g.id > ? AND g.id <= ? AND g.id IN (
         WITH RECURSIVE below (id) AS (
           SELECT subgroup_id FROM group_subgroups WHERE group_id = g.id
           UNION SELECT s.subgroup_id FROM below JOIN group_subgroups s ON s.group_id = below.id)
         SELECT id FROM below) ORDER BY g.id`,
      { width: 200 },
    ),
  },
];
