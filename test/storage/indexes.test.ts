import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { after, before, describe } from 'node:test';
import pg from 'pg';
import { testOn, withoutPostgres } from '../support/engines.ts';
import { type PostgresPlace, postgresPlace } from '../support/postgres.ts';

/** Foreign keys without an index: no statement searches them, and the rows they refer to are never deleted. */
const WITHOUT_INDEX: Readonly<Record<string, string>> = {
  'channel_folders(creator_id)': 'users',
  'custom_emoji(author_id)': 'users',
  'data_exports(acting_user_id)': 'users',
  // Partial indexes find moves, but do not serve a foreign key.
  'edits(conversation_id)': 'conversations',
  'edits(prev_conversation_id)': 'conversations',
  'edits(editor_id)': 'users',
  // The index covers only users who are muted now.
  'muted_users(muted_user_id)': 'users',
  'reactions(user_id)': 'users',
  'reports(resolver_id)': 'users',
  'reports(sender_id)': 'users',
  'submessages(sender_id)': 'users',
  'read_ranges(conversation_id)': 'conversations',
  'scheduled_messages(channel_id)': 'channels',
};

/** An index serves a key if it starts with its columns and its condition includes its rows. */
const UNINDEXED = `
  SELECT format('%s(%s)', f.conrelid::regclass::name, columns.names) AS key, f.confrelid::regclass::name AS refers_to
  FROM pg_constraint f CROSS JOIN LATERAL (
    SELECT string_agg(a.attname, ',' ORDER BY k.n) AS names, string_agg(format('(%I IS NOT NULL)', a.attname), '') AS given
    FROM unnest(f.conkey) WITH ORDINALITY AS k(number, n)
    JOIN pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = k.number) AS columns
  WHERE f.contype = 'f' AND f.connamespace = $1::regnamespace AND NOT EXISTS (
    SELECT 1 FROM pg_index i
    WHERE i.indrelid = f.conrelid AND COALESCE(pg_get_expr(i.indpred, i.indrelid), columns.given) = columns.given
      AND (i.indkey::int2[])[0:cardinality(f.conkey) - 1] @> f.conkey)`;

const TWICE = `
  SELECT string_agg(indexrelid::regclass::text, ' = ' ORDER BY indexrelid) AS names FROM pg_index i
  JOIN pg_class c ON c.oid = i.indexrelid WHERE c.relnamespace = $1::regnamespace
  GROUP BY indrelid, indkey::text, indoption::text, indclass::text, pg_get_expr(indpred, indrelid), pg_get_expr(indexprs, indrelid)
  HAVING COUNT(*) > 1`;

describe('indexes on PostgreSQL', { skip: withoutPostgres !== undefined }, () => {
  const test = testOn({ skip: withoutPostgres });
  let place: PostgresPlace;
  let client: pg.Client;

  before(async () => {
    place = await postgresPlace();
    const storage = place.storage();
    await storage.open();
    await storage.close();
    client = new pg.Client({ connectionString: place.url });
    await client.connect();
    await client.query(`SET search_path TO ${place.schema}`);
  });

  after(async () => {
    await client.end();
    await place.drop();
  });

  test('every foreign key has an index if the rows it refers to can be deleted', async () => {
    const { rows } = await client.query<{ key: string; refers_to: string }>(UNINDEXED, [place.schema]);
    assert.deepEqual(
      Object.fromEntries(rows.map(({ key, refers_to }) => [key, refers_to]).sort()),
      Object.fromEntries(Object.entries(WITHOUT_INDEX).sort()),
    );
  });

  test('no statement deletes rows that a foreign key without index refers to', async () => {
    const kept = new RegExp(`DELETE FROM (${[...new Set(Object.values(WITHOUT_INDEX))].join('|')})\\b`);
    const folder = 'lib/storage/sql';
    for (const name of await readdir(folder)) assert.doesNotMatch(await readFile(`${folder}/${name}`, 'utf8'), kept);
  });

  test('no index is a duplicate of another', async () => {
    const { rows } = await client.query(TWICE, [place.schema]);
    assert.deepEqual(rows, []);
  });
});
