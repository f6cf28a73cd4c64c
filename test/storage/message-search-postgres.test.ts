import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import pg from 'pg';
import { readSearch } from '../../lib/rules/search.ts';
import type { MessageTerm } from '../../lib/storage/interface/messages.ts';
import { migrations } from '../../lib/storage/migrations/index.ts';
import { arraysIn, PostgresConnection, withArrays } from '../../lib/storage/postgres/connection.ts';
import { keysOf } from '../../lib/storage/postgres/keys.ts';
import type { Connection, SqlValue } from '../../lib/storage/sql/connection.ts';
import { postgresDialect } from '../../lib/storage/sql/dialect.ts';
import { fetchMeasured } from '../../lib/storage/sql/message-search.ts';
import { testOn, withoutPostgres } from '../support/engines.ts';
import { type MigrationPlace, places } from './migration-places.ts';
import { contentOfOlder } from './older-content.ts';

const MESSAGES = 10_000;
const ALL = Array.from({ length: MESSAGES }, (_, at) => at + 1);
const LIMIT = 20;
/** Rows that a search may visit without statistics. */
const MOST_WITHOUT = 5 * MESSAGES;

/** Statistics as from an ANALYZE during a first import. */
const FORGET_STATISTICS = `
  UPDATE pg_class SET reltuples = 0 WHERE relnamespace = current_schema()::regnamespace;
  DELETE FROM pg_statistic WHERE starelid IN (SELECT oid FROM pg_class WHERE relnamespace = current_schema()::regnamespace)`;

/** A node of a PostgreSQL plan. */
interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  Plans?: PlanNode[];
}

describe('the rows a search visits on PostgreSQL', { skip: withoutPostgres !== undefined }, () => {
  const test = testOn({ skip: withoutPostgres });
  let place: MigrationPlace;
  let client: pg.PoolClient;
  let pool: pg.Pool;

  before(async () => {
    place = await (places.at(-1) as (typeof places)[number]).make();
    const storage = place.storage(migrations);
    await storage.open();
    await storage.close();
    await place.sql(contentOfOlder(0));
    await place.sql(`
      INSERT INTO users (delivery_email, email_key, full_name, role, is_active, is_system_bot, timezone, joined_ms,
        avatar_source, avatar_version, email_visibility, key_generation, settings, version)
        SELECT 'bob', 'bob', 'Bob', 400, 1, 0, '', 0, 'J', 1, 1, 0, '{}', 1;
      INSERT INTO conversation_participants VALUES (1, 1), (2, 1);
      INSERT INTO read_ranges VALUES (2, 1, ${MESSAGES / 2}, ${MESSAGES});
      INSERT INTO messages (conversation_id, sender_id, content, rendered_content, timestamp, client, is_me_message,
        read_by_sender) SELECT 1, 1, 'x', '', 0, '', 0, 1 FROM generate_series(1, ${MESSAGES});
      INSERT INTO message_words SELECT n, array_to_tsvector(ARRAY['wword' || n % 700] ||
        CASE WHEN n % 10 = 0 THEN '{}' ELSE ARRAY['wlamp'] END || CASE WHEN n = 7 THEN ARRAY['wcomet'] ELSE '{}' END)
        FROM generate_series(1, ${MESSAGES}) AS n`);
    await place.sql('VACUUM ANALYZE message_words');
    await place.sql('VACUUM ANALYZE messages');
    const { url, schema } = place.address as { url: string; schema: string };
    pool = new pg.Pool({ connectionString: url, options: `-c search_path=${schema}` });
    client = await pool.connect();
  });

  after(async () => {
    client.release();
    await pool.end();
    await place.remove();
  });

  // The other user has read the newer half.
  const unreadOfOther = { viewer: 2, unread: true };
  const lamp = (n: number) => n % 10 !== 0;
  const comet = (n: number) => n === 7;
  const old = (n: number) => n < MESSAGES / 2;
  const none = () => false;
  const searches: [
    said: string,
    options: { viewer?: number; sender?: number; unread?: boolean; channels?: number[] },
    most: number,
    matches: (n: number) => boolean,
  ][] = [
    ['lamp', {}, 1_000, lamp],
    ['lam', {}, 1_000, lamp],
    ['comet', {}, 10, comet],
    ['lamp comet', {}, 10, comet],
    ['nowhere', {}, 10, none],
    ['lamp', { sender: 2 }, 1_000, none],
    ['lamp', unreadOfOther, 3_500, (n) => lamp(n) && old(n)],
    ['-lamp', unreadOfOther, 3_500, (n) => !lamp(n) && old(n)],
    ['comet', unreadOfOther, 10, comet],
    ['', unreadOfOther, 3_500, old],
    ['', { ...unreadOfOther, sender: 1 }, 3_500, old],
    ['', { ...unreadOfOther, sender: 2 }, 10, none],
  ];
  for (const [said, options, most, matches] of searches) {
    const what = `"${said}" ${JSON.stringify(options)}`;

    test(`${what} finds its messages and visits ${most} rows at most among ${MESSAGES}`, async () => {
      const { ids, rows } = await search(said, options);
      assert.deepEqual(ids, ALL.filter(matches).slice(-LIMIT));
      assert.ok(rows <= most, `${rows} rows`);
    });

    test(`${what} visits at most ${MOST_WITHOUT} rows with statistics of empty tables`, async () => {
      await client.query('BEGIN');
      await client.query(FORGET_STATISTICS);
      const { ids, rows } = await search(said, options).finally(() => client.query('ROLLBACK'));
      assert.deepEqual(ids, ALL.filter(matches).slice(-LIMIT));
      assert.ok(rows <= MOST_WITHOUT, `${rows} rows`);
    });
  }

  test('a frequent word in a channel of many topics without it compares no message with each topic', async () => {
    const topics = 3_000;
    await client.query('BEGIN');
    try {
      // Without the triggers of foreign keys, since the channels need no rows here. Most channels have one topic.
      await client.query(`SET LOCAL session_replication_role = replica;
        INSERT INTO conversations (channel_id, topic, topic_key) SELECT 1, n, n FROM generate_series(1, ${topics}) AS n;
        INSERT INTO conversations (channel_id, topic, topic_key) SELECT n, 'x', 'x' FROM generate_series(2, 300) AS n;
        INSERT INTO messages (conversation_id, sender_id, content, rendered_content, timestamp, client, is_me_message,
          read_by_sender) SELECT id, 1, 'x', '', 0, '', 0, 1 FROM conversations WHERE channel_id = 1;
        ANALYZE conversations, messages`);
      const { ids, rows } = await search('lamp', { channels: [1] });
      assert.deepEqual(ids, []);
      assert.ok(rows <= 4 * MESSAGES, `${rows} rows`);
    } finally {
      await client.query('ROLLBACK');
    }
  });

  async function search(said: string, options: (typeof searches)[number][1]) {
    const { schema } = place.address as { schema: string };
    const connection = new PostgresConnection(client, {
      keys: keysOf(schema),
      sent: { statements: 0 },
      knownSchema: 0,
    });
    const sent: [text: string, params: SqlValue[]][] = [];
    const listening = new Proxy(connection, {
      get(target, name) {
        const value = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        return (...given: unknown[]) => {
          const [text, params] = given.filter((value) => typeof value === 'string' || Array.isArray(value));
          sent.push([text as string, params as SqlValue[]]);
          return value.apply(target, given);
        };
      },
    }) as Connection;
    const { viewer = 1, sender, unread = false, channels } = options;
    const negated = said.startsWith('-');
    const terms: MessageTerm[] = [];
    if (said) terms.push({ test: 'words', search: readSearch(said.replace('-', '')), negated });
    if (sender) terms.push({ test: 'sender', id: sender });
    if (unread) terms.push({ test: 'unread' });
    const page = { from: Number.MAX_SAFE_INTEGER, direction: 'before' as const, limit: LIMIT };
    const { ids } = await fetchMeasured(listening, { viewer, terms, ...(channels ? { channels } : {}) }, page);
    let rows = 0;
    for (const [sql, params] of sent) {
      const text = postgresDialect.query(sql);
      const values = withArrays(params, arraysIn(text));
      const explained = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values);
      rows += visited(explained.rows[0]['QUERY PLAN'][0].Plan);
    }
    return { ids, rows };
  }

  test('searches with different numbers of terms leave no prepared statements', async () => {
    const { schema } = place.address as { schema: string };
    const connection = new PostgresConnection(client, {
      keys: keysOf(schema),
      sent: { statements: 0 },
      knownSchema: 0,
    });
    const ask = (senders: number) => {
      const excluded = Array.from({ length: senders }, (_, at) => ({
        test: 'sender' as const,
        id: at + 2,
        negated: true,
      }));
      const terms: MessageTerm[] = [{ test: 'words', search: readSearch('comet'), negated: true }, ...excluded];
      return fetchMeasured(connection, { viewer: 1, terms }, { from: MESSAGES, direction: 'before', limit: 20 });
    };
    const kept = async () => (await client.query('SELECT FROM pg_prepared_statements')).rowCount;
    await ask(2);
    const before = await kept();
    for (let senders = 3; senders < 12; senders++) await ask(senders);
    assert.equal(await kept(), before);
  });
});

/** Visited rows of messages and their words, and compared pairs of rows. */
function visited(node: PlanNode): number {
  const isOfMessages = ['messages', 'message_words'].includes(node['Relation Name'] ?? '');
  const rows = isOfMessages ? node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) : 0;
  const own = (rows + (node['Rows Removed by Join Filter'] ?? 0)) * node['Actual Loops'];
  return (node.Plans ?? []).reduce((sum, plan) => sum + visited(plan), own);
}
