import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Storage } from '../../lib/storage/interface/storage.ts';
import { SqliteConnection } from '../../lib/storage/sqlite/connection.ts';
import { defaultDriver } from '../../lib/storage/sqlite/driver.ts';
import { sqlite } from '../../lib/storage/sqlite/sqlite.ts';
import { newUser, organization } from '../contract/fixtures.ts';
import { testOn, withoutPostgres } from '../support/engines.ts';
import { asOwner, postgresPlace } from '../support/postgres.ts';

interface Place {
  storage(): Storage;
  execute(statement: string): Promise<void>;
}

async function file(t: TestContext): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'parlance-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'chat.db');
  return {
    storage: () => sqlite(path),
    async execute(statement) {
      const connection = new SqliteConnection(defaultDriver(), path);
      connection.exec(statement);
      connection.close();
    },
  };
}

async function schema(t: TestContext): Promise<Place> {
  const place = await postgresPlace();
  t.after(() => place.drop());
  return {
    storage: () => place.storage(),
    execute: (statement) => asOwner(place.url, `SET search_path TO ${place.schema}; ${statement}`),
  };
}

for (const [engine, place, skip] of [
  ['SQLite', file, undefined],
  ['PostgreSQL', schema, withoutPostgres],
] as const) {
  testOn({ skip })(
    `accounts with an address of Gravatar have a picture of our own after an upgrade (${engine})`,
    async (t) => {
      const { storage: open, execute } = await place(t);
      const older = open();
      await older.open();
      const before = await older.write(async (tx) => {
        await tx.organization.create(organization());
        for (let at = 0; at < 1_200; at++) await tx.users.create(newUser(`User${at}`, { avatar_source: 'G' }));
        const uploaded = await tx.users.create(newUser('Uploaded', { avatar_source: 'U', avatar_version: 3 }));
        return { uploaded, versions: await tx.organization.versions() };
      });
      await older.close();
      await execute('INSERT INTO unfinished_fills (version, filled_to) VALUES (13, 0)');
      const newer = open();
      await newer.open();
      t.after(() => newer.close());
      await newer.read(async (tx) => {
        const users = await tx.users.changedSince(0);
        assert.deepEqual(new Set(users.map((user) => user.avatar_source)), new Set(['J', 'U']));
        assert.deepEqual(users.at(-1), before.uploaded);
        // A process that knows the accounts as they were reads what has changed.
        const changed = await tx.users.changedSince(before.versions?.users_version as number);
        assert.equal(changed.length, 1_200);
        const newest = (await tx.organization.versions())?.users_version;
        assert.equal(Math.max(...changed.map(({ version }) => version)), newest);
      });
    },
  );
}
