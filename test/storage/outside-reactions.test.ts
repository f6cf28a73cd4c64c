import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Storage } from '../../lib/storage/interface/storage.ts';
import { SqliteConnection } from '../../lib/storage/sqlite/connection.ts';
import { defaultDriver } from '../../lib/storage/sqlite/driver.ts';
import { sqlite } from '../../lib/storage/sqlite/sqlite.ts';
import { createChannel, createUsers, organization, send, subscribe } from '../contract/fixtures.ts';
import { testOn, withoutPostgres } from '../support/engines.ts';
import { asOwner, postgresPlace } from '../support/postgres.ts';

/** A database, and how to make of it one that has seen only earlier migrations. */
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
  const test = testOn({ skip });

  test(`who reacted to what they had not received takes part in it after an upgrade (${engine})`, async (t) => {
    const { storage: open, execute } = await place(t);
    const older = open();
    await older.open();
    const { ids, Bob } = await older.write(async (tx) => {
      await tx.organization.create(organization());
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const channel = await createChannel(tx, 'Room');
      await subscribe(tx, channel, Ada);
      const topic = await tx.conversations.ensureTopic(channel, 'x');
      const ids = [
        await send(tx, Ada, topic),
        await send(tx, Ada, await tx.conversations.ensureDirect([Ada.id, Bob.id])),
      ];
      const tada = { reaction_type: 'unicode_emoji', emoji_code: '1f389', emoji_name: 'tada' } as const;
      for (const message_id of ids) {
        for (const user_id of [Ada.id, Bob.id]) await tx.reactions.add({ message_id, user_id, ...tada });
      }
      assert.deepEqual(await tx.flags.holders(ids), []);
      return { ids, Bob };
    });
    await older.close();
    await execute('INSERT INTO unfinished_fills (version, filled_to) VALUES (10, 0)');
    const newer = open();
    await newer.open();
    t.after(() => newer.close());
    const holders = await newer.read(async (tx) => [
      await tx.flags.holders([ids[0] as number]),
      await tx.flags.holders(ids),
    ]);
    assert.deepEqual(holders, [[Bob.id], [Bob.id]]);
  });
}
