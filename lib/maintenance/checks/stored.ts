import { counted } from '../../base/counted.ts';
import { storedAt } from '../../domains/uploads/stored-file.ts';
import { emailKey, fold, foldTopic, nameKey } from '../../rules/fold.ts';
import { countOf, slicesOf } from '../../storage/maintenance/tables.ts';
import type { Connection, SqlValue } from '../../storage/sql/connection.ts';
import { wordsText } from '../../storage/sql/word-index.ts';
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
    advice: ADVICE.repair,
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
    advice: ADVICE.repair,
    run: once(`SELECT 'stored: ' || s.used || ', sum: ' || f.sum AS example FROM upload_space s
      CROSS JOIN (SELECT COALESCE(SUM(size), 0) AS sum FROM uploads WHERE is_complete = 1) AS f WHERE s.used <> f.sum`),
  },
  {
    name: 'bot storage',
    says: (n) =>
      `${counted(n, 'account has', 'accounts have')} a wrong stored size of bot storage. The quota depends on it.`,
    advice: ADVICE.repair,
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
    advice:
      'Add missing files from a backup: `chatctl restore FILE.backup --db other.db --uploads FOLDER`. Move files of the wrong size away first.',
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

const PEOPLE = { key: 'id', width: 500 };

/** Subscriptions and read state. */
export const readingChecks: readonly Check[] = [
  {
    name: 'read ranges',
    says: (n) => `${counted(n, 'range')} of read messages ${n === 1 ? 'is' : 'are'} empty, or overlap.`,
    advice: 'The read state of these users may be wrong. Marking the messages as read again corrects it.',
    run: inWindows(
      'users',
      `SELECT 'user ' || r.user_id || ', conversation ' || r.conversation_id || ', from ' || r.from_id AS example
       FROM read_ranges r WHERE r.user_id > ? AND r.user_id <= ? AND (r.to_id < r.from_id OR r.from_id < -1
         OR EXISTS (SELECT 1 FROM read_ranges n WHERE n.user_id = r.user_id AND n.conversation_id = r.conversation_id
           AND n.from_id > r.from_id AND n.from_id <= r.to_id))
       ORDER BY r.user_id, r.conversation_id, r.from_id`,
      PEOPLE,
    ),
  },
  {
    name: 'periods',
    says: (n) => `${counted(n, 'subscription period')} ${n === 1 ? 'has' : 'have'} an invalid end, or overlap.`,
    advice: ADVICE.restore,
    run: inWindows(
      'users',
      `SELECT 'user ' || p.user_id || ', channel ' || p.channel_id || ', after ' || p.after_seq AS example
       FROM subscription_periods p WHERE p.user_id > ? AND p.user_id <= ?
         AND (p.to_seq < p.after_seq OR p.to_message_id < p.after_message_id
           OR (p.to_seq IS NULL AND p.to_message_id IS NOT NULL) OR (p.to_seq IS NOT NULL AND p.to_message_id IS NULL)
           OR EXISTS (SELECT 1 FROM subscription_periods n WHERE n.user_id = p.user_id AND n.channel_id = p.channel_id
             AND n.after_seq > p.after_seq AND (p.to_seq IS NULL OR n.after_seq < p.to_seq)))
       ORDER BY p.user_id, p.channel_id, p.after_seq`,
      PEOPLE,
    ),
  },
  {
    name: 'subscriptions',
    says: (n) => `${counted(n, 'subscription does', 'subscriptions do')} not match the stored periods.`,
    advice: 'Unsubscribe these users from the channel and subscribe them again.',
    run: inWindows(
      'users',
      `SELECT 'user ' || s.user_id || ', channel ' || s.channel_id AS example FROM subscriptions s
       WHERE s.user_id > ? AND s.user_id <= ? AND s.active <> (SELECT COUNT(*) FROM subscription_periods p
         WHERE p.user_id = s.user_id AND p.channel_id = s.channel_id AND p.to_seq IS NULL)
       ORDER BY s.user_id, s.channel_id`,
      PEOPLE,
    ),
  },
  {
    name: 'subscriber counts',
    says: (n) => `${counted(n, 'channel has', 'channels have')} a wrong subscriber count.`,
    advice: `Only the displayed number is wrong. ${ADVICE.repair}`,
    run: inWindows(
      'channels',
      `SELECT 'channel ' || c.id || ', stored: ' || c.subscriber_count || ', actual: ' || c.n AS example FROM (
         SELECT ch.id, ch.subscriber_count, (SELECT COUNT(*) FROM subscriptions s JOIN users u ON u.id = s.user_id
           WHERE s.channel_id = ch.id AND s.active = 1 AND u.is_active = 1) AS n
         FROM channels ch WHERE ch.id > ? AND ch.id <= ?) AS c
       WHERE c.n <> c.subscriber_count ORDER BY c.id`,
      { width: 200 },
    ),
  },
  {
    name: 'flags',
    says: (n) => `${counted(n, 'message has', 'messages have')} unknown flags.`,
    advice: ADVICE.restore,
    run: inWindows(
      'messages',
      `SELECT 'message ' || f.message_id || ', user ' || f.user_id AS example FROM message_flags f
       WHERE f.message_id > ? AND f.message_id <= ? AND (f.bits < 0 OR f.bits > 1023) ORDER BY f.message_id, f.user_id`,
    ),
  },
  {
    name: 'direct conversations',
    says: (n) => `${counted(n, 'conversation does', 'conversations do')} not match the stored participants.`,
    advice: ADVICE.restore,
    run: inWindows('conversations', {
      sqlite: contradicting(
        "(SELECT group_concat(user_id, ',') FROM (SELECT user_id FROM conversation_participants p WHERE p.conversation_id = c.id ORDER BY user_id))",
      ),
      postgres: contradicting(
        "(SELECT string_agg(CAST(p.user_id AS text), ',' ORDER BY p.user_id) FROM conversation_participants p WHERE p.conversation_id = c.id)",
      ),
    }),
  },
];

/** A topic without messages has no `topic_key`: its name may belong to another topic now. */
function contradicting(list: string): string {
  return `SELECT 'conversation ' || c.id AS example FROM conversations c WHERE c.id > ? AND c.id <= ?
    AND ((c.channel_id IS NULL AND (c.direct_key IS NULL OR c.direct_key <> COALESCE(${list}, '')))
      OR (c.channel_id IS NOT NULL AND (c.direct_key IS NOT NULL OR (c.topic_key IS NULL AND EXISTS (
        SELECT 1 FROM messages m WHERE m.conversation_id = c.id))))) ORDER BY c.id`;
}

/** Number of texts whose words are compared, spread evenly over the table. */
const SAMPLED_TEXTS = 2_000;

const kinds = [
  { table: 'messages', index: 'message_words', text: 'content', one: 'message', indexed: '1 = 1' },
  // A direct conversation has no topic.
  { table: 'conversations', index: 'topic_words', text: 'topic', one: 'topic', indexed: 't.channel_id IS NOT NULL' },
] as const;

/** Rows of one table that are missing in another. */
const absent = (there: string, here: string, one: string, condition = '1 = 1') =>
  `SELECT '${one} ' || t.id AS example FROM ${there} t
   WHERE t.id > ? AND t.id <= ? AND ${condition} AND NOT EXISTS (SELECT 1 FROM ${here} h WHERE h.id = t.id) ORDER BY t.id`;

/** The search index must contain all texts and nothing else. For a sample of texts, the words are compared. */
export const searchChecks: readonly Check[] = kinds.flatMap(({ table, index, text, one, indexed }): Check[] => {
  const rows = { sqlite: `${index}_docsize`, postgres: index };
  return [
    {
      name: `search for ${one}s`,
      says: (n) => `${counted(n, one)} cannot be found by search.`,
      advice: ADVICE.repair,
      run: inWindows(table, {
        sqlite: absent(table, rows.sqlite, one, indexed),
        postgres: absent(table, rows.postgres, one, indexed),
      }),
    },
    {
      name: `words of absent ${one}s`,
      says: (n) => `The search index contains ${counted(n, one)} that ${n === 1 ? 'does' : 'do'} not exist.`,
      advice: ADVICE.repair,
      run: (checked) =>
        inWindows(
          rows[checked.connection.dialect.name],
          absent(rows[checked.connection.dialect.name], table, one),
        )(checked),
    },
    {
      name: `words of ${one}s`,
      says: (n) => `In a sample of ${one}s, ${n.toLocaleString('en')} cannot be found by their words.`,
      advice: ADVICE.repair,
      async *run({ connection }) {
        for (const { id, text: content } of await sampled(connection, table, text)) {
          const words = wordsText(content);
          if (words !== '' && !(await isFound(connection, index, id, words))) yield `${one} ${id}`;
        }
      },
    },
  ];
});

async function sampled(connection: Connection, table: string, text: string): Promise<{ id: number; text: string }[]> {
  const count = await countOf(connection, table);
  return connection.all(
    `SELECT id, ${text} AS text FROM ${table} WHERE id % CAST(? AS BIGINT) = 0 ORDER BY id LIMIT ?`,
    [Math.ceil(count / SAMPLED_TEXTS) || 1, 2 * SAMPLED_TEXTS],
  );
}

async function isFound(connection: Connection, index: string, id: number, words: string): Promise<boolean> {
  if (connection.dialect.name === 'postgres') {
    const isSame = await connection.value(
      `SELECT words = array_to_tsvector(string_to_array(CAST(? AS text), ' ')) AS same FROM ${index} WHERE id = ?`,
      [words, id],
    );
    return isSame === 1;
  }
  const all = words
    .split(' ')
    .slice(0, 50)
    .map((word) => `"${word}"`);
  const found = await connection.get(`SELECT rowid FROM ${index} WHERE ${index} MATCH ? AND rowid = ?`, [
    all.join(' AND '),
    id,
  ]);
  return found !== undefined;
}
