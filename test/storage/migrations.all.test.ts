import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, type TestContext } from 'node:test';
import { readSearch } from '../../lib/rules/search.ts';
import type { MigrationStep, Storage } from '../../lib/storage/interface/storage.ts';
import { migrations } from '../../lib/storage/migrations/index.ts';
import type { Filling, Migration } from '../../lib/storage/migrations/migration.ts';
import { StorageError, type StorageErrorReason } from '../../lib/storage/storage-error.ts';
import { organization } from '../contract/fixtures.ts';
import { compiledProgram } from '../programs.ts';
import { testOn } from '../support/engines.ts';
import { later, NEXT } from './later-migrations.ts';
import { type MigrationPlace, places } from './migration-places.ts';
import { contentOfOlder } from './older-content.ts';

/** A future migration. */
function future(migration: Partial<Migration> = {}): readonly Migration[] {
  const sql = 'CREATE TABLE later (id INTEGER PRIMARY KEY) STRICT;';
  return [...migrations, { version: NEXT, name: 'of the future', sql, ...migration }];
}

const BASELINE = migrations[0]?.version ?? 0;

/** SQLite keeps the text of a statement, which differs after an added column. */
function columnsIn(shape: unknown): unknown {
  return JSON.parse(JSON.stringify(shape).replace(/\\n, copied TEXT\)/g, ',\\n  copied TEXT\\n)'));
}

const refusal = (reason: StorageErrorReason) => (error: unknown) =>
  error instanceof StorageError && error.reason === reason;

/** A database of the current version, with some messages. */
async function leftBy(place: MigrationPlace, messages: number): Promise<void> {
  const storage = place.storage(migrations);
  await storage.open();
  await storage.close();
  await place.sql(contentOfOlder(messages));
}

async function assertFilled(place: MigrationPlace, messages: number): Promise<void> {
  const rows = await place.sql('SELECT content, copied FROM messages ORDER BY id');
  assert.equal(rows.length, messages);
  assert.deepEqual(
    rows.map((row) => row.copied),
    rows.map((row) => row.content),
  );
}

for (const { name, skip, make } of places) {
  const test = testOn({ skip });

  const placeFor = async (t: TestContext) => {
    const place = await make();
    t.after(() => place.remove());
    return place;
  };

  const open = async (t: TestContext, storage: Storage, onMigration?: (step: MigrationStep) => void) => {
    t.after(() => storage.close());
    await storage.open(onMigration ? { onMigration } : {});
    return storage;
  };

  describe(`migrations on ${name}`, () => {
    test('a migrated database has the schema of a new one and keeps its content', async (t) => {
      const [place, fresh] = [await placeFor(t), await placeFor(t)];
      await (await open(t, fresh.storage(later))).close();
      await leftBy(place, 20);
      const storage = await open(t, place.storage(later));
      assert.equal((await storage.read((tx) => tx.organization.get()))?.name, 'Old');
      assert.deepEqual(columnsIn(await place.shape()), columnsIn(await fresh.shape()));
      await assertFilled(place, 20);
    });

    test('a database from before the baseline is refused, not changed, and its error names the commit that upgrades it', async (t) => {
      const place = await placeFor(t);
      await leftBy(place, 3);
      await place.sql(
        `DELETE FROM migrations WHERE version > ${BASELINE}; UPDATE migrations SET version = ${BASELINE - 1}`,
      );
      for (const migrate of [true, false, 'new'] as const) {
        const storage = place.storage(migrations);
        await assert.rejects(storage.open({ migrate }), (error) => {
          assert.match((error as Error).message, /was written by an older version .* commit [0-9a-f]{8,40} first/);
          return refusal('too-old')(error);
        });
        await storage.close();
      }
      const [left, ...others] = await place.sql('SELECT version FROM migrations');
      assert.deepEqual([Number(left?.version), others], [BASELINE - 1, []]);
    });

    test('an unfinished filling from before the baseline is refused', async (t) => {
      const place = await placeFor(t);
      await leftBy(place, 3);
      await place.sql('INSERT INTO unfinished_fills (version, filled_to) VALUES (30, 0)');
      const storage = place.storage(migrations);
      await assert.rejects(storage.open(), refusal('too-old'));
      await storage.close();
    });

    test('messages and topics from before the search index are found after its filling', async (t) => {
      const place = await placeFor(t);
      await leftBy(place, 1_300);
      await place.sql(`INSERT INTO channels (name, name_key, description, rendered_description, created_ms, invite_only,
          history_public_to_subscribers, is_web_public, is_archived, is_default, topics_policy, settings)
          VALUES ('c', 'c', '', '', 0, 0, 1, 0, 0, 0, 'inherit', '{}');
        INSERT INTO conversations (channel_id, topic, topic_key) SELECT MIN(id), 'Lanterns', 'lanterns' FROM channels;
        INSERT INTO conversation_participants (user_id, conversation_id)
          SELECT 1, MIN(id) FROM conversations;
        INSERT INTO messages (conversation_id, sender_id, content, rendered_content, timestamp, client, is_me_message,
          read_by_sender) SELECT MAX(id), 1, 'in a topic', '', 0, '', 0, 1 FROM conversations;
        INSERT INTO unfinished_fills (version, filled_to) VALUES (${BASELINE}, 0)`);
      const storage = await open(t, place.storage(migrations));
      const found = async (said: string, places: { channels?: number[] } = {}) => {
        const terms = [{ test: 'words' as const, search: readSearch(said) }];
        return storage.read((tx) => tx.messages.fetchIds({ viewer: 1, terms, ...places }, 0, 'after', 5_000));
      };
      assert.equal((await found('plain')).length, 326);
      assert.equal((await found('σίσυφος')).length, 162);
      assert.deepEqual(await found('1299'), [1_300]);
      assert.deepEqual(await found('lantern', { channels: [1] }), [1_301]);
    });

    test('with migrate false, a database with an unfinished filling is refused, and another process completes it', async (t) => {
      const place = await placeFor(t);
      await leftBy(place, 20);
      await place.sql(`INSERT INTO unfinished_fills (version, filled_to) VALUES (${BASELINE}, 3)`);
      const storage = place.storage(migrations);
      await assert.rejects(storage.open({ migrate: false }), refusal('older-version'));
      await storage.close();
      await (await open(t, place.storage(migrations))).close();
      await (await open(t, place.storage(migrations))).close();
    });

    test('many rows are filled in batches, and onMigration reports each step', async (t) => {
      const place = await placeFor(t);
      await leftBy(place, 1_300);
      const steps: MigrationStep[] = [];
      await open(t, place.storage(later), (step) => steps.push(step));
      await assertFilled(place, 1_300);
      assert.deepEqual(
        steps.filter(({ filled }) => !filled).map(({ version }) => version),
        [NEXT, NEXT + 1],
      );
      assert.ok(steps.every(({ isNew }) => !isNew));
      const filled = steps.flatMap(({ version, filled }) => (version === NEXT && filled ? [filled] : []));
      assert.ok(filled.length >= 3, `${filled.length} batches`);
      assert.deepEqual(
        filled.map(({ done }) => done),
        filled.map(({ done }) => done).sort((one, other) => one - other),
      );
      assert.deepEqual(filled.at(-1), { done: 1_300, total: 1_300 });
      const again: MigrationStep[] = [];
      await open(t, place.storage(later), (step) => again.push(step));
      assert.deepEqual(again, []);
    });

    test('onMigration reports a new database as new in every step', async (t) => {
      const place = await placeFor(t);
      const steps: MigrationStep[] = [];
      await open(t, place.storage(later), (step) => steps.push(step));
      assert.ok(steps.length >= later.length && steps.every(({ isNew }) => isNew));
    });

    test('a process killed during a filling leaves the rest to the next process', async (t) => {
      const place = await placeFor(t);
      await leftBy(place, 2_300);
      const child = fork(await compiledProgram('killed-in-fill'), [JSON.stringify(place.address)], { execArgv: [] });
      assert.deepEqual(await once(child, 'exit'), [null, 'SIGKILL']);
      const [left] = await place.sql('SELECT version, filled_to FROM unfinished_fills');
      const done = Number(left?.filled_to);
      assert.ok(done > 0 && done < 2_300, `${done} rows were filled`);
      const steps: MigrationStep[] = [];
      await open(t, place.storage(later), (step) => steps.push(step));
      const first = steps.find(({ filled }) => filled)?.filled?.done ?? 0;
      assert.ok(first > done, `continued at ${first} after ${done}`);
      await assertFilled(place, 2_300);
      assert.deepEqual(await place.sql('SELECT version FROM unfinished_fills'), []);
    });

    test('two processes that start together share a filling, and no step runs twice', async (t) => {
      const place = await placeFor(t);
      await leftBy(place, 2_300);
      const steps: MigrationStep[] = [];
      await Promise.all([1, 2].map(() => open(t, place.storage(later), (step) => void steps.push(step))));
      await assertFilled(place, 2_300);
      const told = steps.map(({ version, filled }) => `${version} ${filled?.done ?? ''} ${filled?.total ?? ''}`);
      const filling = new Set(steps.filter(({ filled }) => filled && filled.done > 0).map(({ version }) => version));
      const once = told.length - filling.size;
      assert.equal(new Set(told).size, once, 'no batch runs twice, except the check whether each filling has ended');
    });

    test('other processes can write between the batches of a filling', async (t) => {
      const place = await placeFor(t);
      await leftBy(place, 0);
      const older = await open(t, place.storage(migrations));
      let hasWritten = false;
      let writing: Promise<void> | undefined;
      // Returns batches until the other process has written.
      const some: Filling['some'] = async (_connection, after) => {
        writing ??= older
          .write((tx) => tx.outbox.add([{ kind: 'between batches', payload: {}, due_ms: 1 }]))
          .then(() => {
            hasWritten = true;
          });
        return hasWritten ? undefined : { to: after + 1, total: 1_000_000 };
      };
      await open(t, place.storage(future({ fill: { goesThrough: [], some } })));
      await writing;
      assert.equal((await older.write((tx) => tx.outbox.claimDue('between batches', 1, 2, 10))).length, 1);
    });

    test('an older process continues after a migration that is not breaking', async (t) => {
      const place = await placeFor(t);
      await leftBy(place, 0);
      const older = await open(t, place.storage(migrations));
      const newer = await open(t, place.storage(future()));
      for (const storage of [older, newer]) {
        await storage.write(async (tx) => {
          assert.ok(await tx.organization.versions());
          await tx.organization.update({ name: 'Still here' });
        });
      }
    });

    test('an older process is refused as outdated after a breaking migration', async (t) => {
      const place = await placeFor(t);
      await leftBy(place, 0);
      const older = await open(t, place.storage(migrations));
      await older.read((tx) => tx.organization.versions());
      const newer = await open(t, place.storage(future({ isBreaking: true })));
      const { statements } = older as Storage & { statements: number };
      await assert.rejects(
        older.read((tx) => tx.organization.versions()),
        refusal('outdated'),
      );
      assert.equal((older as Storage & { statements: number }).statements, statements + 1);
      await assert.rejects(
        older.write(async (tx) => {
          await tx.organization.update({ name: 'Too late' });
          await tx.organization.versions();
        }),
        refusal('outdated'),
      );
      assert.equal((await newer.read((tx) => tx.organization.get()))?.name, 'Old');
      assert.ok(await newer.read((tx) => tx.organization.versions()));
    });

    test('an older process cannot create the organization in a database that a newer one migrated', async (t) => {
      const place = await placeFor(t);
      const older = await open(t, place.storage(migrations));
      const newer = await open(t, place.storage(future()));
      await assert.rejects(
        older.write((tx) => tx.organization.create(organization())),
        refusal('outdated'),
      );
      await newer.write((tx) => tx.organization.create(organization()));
      assert.ok(await newer.read((tx) => tx.organization.versions()));
    });

    test('with migrate false, a database that is not up to date is refused and not changed', async (t) => {
      const place = await placeFor(t);
      await assert.rejects(
        place.storage(migrations).open({ migrate: false }),
        refusal('path' in place.address ? 'unreachable' : 'empty'),
      );
      await leftBy(place, 3);
      const shape = await place.shape();
      for (const migrate of [false, 'new'] as const) {
        const storage = place.storage(later);
        await assert.rejects(storage.open({ migrate }), refusal('older-version'));
        await storage.close();
      }
      assert.deepEqual(await place.shape(), shape);
      await (await open(t, place.storage(later))).close();
      const storage = place.storage(later);
      await storage.open({ migrate: false });
      assert.ok(await storage.read((tx) => tx.organization.versions()));
      await storage.close();
    });

    test('with migrate new, an empty database is created', async (t) => {
      const storage = (await placeFor(t)).storage(migrations);
      t.after(() => storage.close());
      await storage.open({ migrate: 'new' });
      assert.equal(await storage.read((tx) => tx.organization.versions()), undefined);
    });
  });
}

describe('SQLite files that must not be migrated', () => {
  const [file] = places;
  const test = testOn({ skip: undefined });

  test('with migrate false, no file is created, and empty and older files are not changed', async (t) => {
    assert.ok(file);
    const place = await file.make();
    t.after(() => place.remove());
    const { path } = place.address as { path: string };
    await assert.rejects(place.storage(migrations).open({ migrate: false }), refusal('unreachable'));
    assert.ok(!existsSync(path));
    await writeFile(path, '');
    await assert.rejects(place.storage(migrations).open({ migrate: false }), refusal('empty'));
    assert.equal((await stat(path)).size, 0);
    assert.deepEqual(await readdir(dirname(path)), ['chat.db']);
    await leftBy(place, 3);
    const before = await readFile(path);
    await assert.rejects(place.storage(later).open({ migrate: false }), refusal('older-version'));
    assert.deepEqual(await readFile(path), before);
  });
});
