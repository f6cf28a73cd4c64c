import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backUp, type Keepable, openChat, restore, sqlite } from '../../lib/index.ts';
import { seedDemo } from '../../lib/internal.ts';
import { migrations } from '../../lib/storage/migrations/index.ts';
import { places } from '../storage/migration-places.ts';
import { testOn, withoutPostgres } from '../support/engines.ts';

const test = testOn({ skip: withoutPostgres });

test('PostgreSQL has statistics of all tables after a restore, word indexes included', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'parlance-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const place = await (places.at(-1) as (typeof places)[number]).make();
  t.after(() => place.remove());
  const [storage, path] = [sqlite(join(folder, 'chat.db')), join(folder, 'demo.backup')];
  const chat = await openChat({ storage, logger: { debug() {}, info() {}, warn() {}, error() {} } });
  t.after(() => chat.close());
  await seedDemo(chat);
  await backUp(storage, path);
  await restore(path, place.storage(migrations) as unknown as Keepable, { checkReplaceable: () => assert.fail() });

  const tables = await place.sql(`SELECT relname AS name, reltuples AS expected FROM pg_class
    WHERE relkind = 'r' AND relnamespace = CAST(current_schema() AS regnamespace) ORDER BY relname`);
  assert.ok(tables.length > 50);
  for (const { name, expected } of tables) {
    const [counted] = await place.sql(`SELECT CAST(COUNT(*) AS INTEGER) AS n FROM ${name}`);
    assert.equal(expected, counted?.n, `${name} has as many rows as PostgreSQL expects`);
  }
  const described = await place.sql(
    "SELECT tablename AS name FROM pg_stats WHERE schemaname = current_schema() AND attname = 'words' ORDER BY tablename",
  );
  assert.deepEqual(described, [{ name: 'message_words' }, { name: 'topic_words' }]);
});
