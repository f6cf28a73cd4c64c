import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { readdir, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { localFiles, openChat, StorageError, sqlite } from '../../lib/index.ts';
import { backUp } from '../../lib/maintenance/back-up.ts';
import { restore } from '../../lib/maintenance/restore.ts';
import type { Storage } from '../../lib/storage/interface/storage.ts';
import type { Keepable } from '../../lib/storage/maintenance/tables.ts';
import { places } from '../storage/migration-places.ts';
import { testOn } from '../support/engines.ts';
import { until } from '../support/until.ts';
import { never, open, quiet, scratch, testBackupOfDemo } from './backups.ts';

type PlaceOf = (typeof places)[number];
const [sqliteFile, , postgres] = places as [PlaceOf, PlaceOf, PlaceOf];

testBackupOfDemo(sqliteFile, postgres);
testBackupOfDemo(postgres, sqliteFile);

test('an uploaded file that cannot be read or written is named, not the backup', async (t) => {
  const folder = await scratch(t);
  const [storage, backup] = [sqlite(join(folder, 'a.db')), join(folder, 'a.backup')];
  const files = localFiles(join(folder, 'uploads'));
  const chat = await openChat({ storage, files, logger: quiet });
  const owner = await chat.createOrganization({ name: 'Example', owner: { email: 'a@example.com', full_name: 'Ada' } });
  await chat.as(owner).uploads.send({ file: new File(['x'], 'a.txt') });
  const broken = Object.create(files, {
    read: { value: async () => createReadStream('/dev/null/file') },
    size: { value: () => stat('/dev/null/file') },
  });
  const isOfFile = ({ message, reason }: StorageError) =>
    /^\/dev\/null\/file cannot be opened: ENOTDIR/.test(message) && reason === 'unreachable';
  await assert.rejects(backUp(storage, backup, { files: broken }), isOfFile);
  await backUp(storage, backup, { files });
  await chat.close();
  const target = sqlite(join(folder, 'b.db'));
  await assert.rejects(restore(backup, target, { files: broken, checkReplaceable: never }), isOfFile);
});

for (const { name, skip, make } of places) {
  testOn({ skip })(
    `a listener behind the backup reports the events that a restored organization lacks, on ${name}`,
    async (t) => {
      const folder = await scratch(t);
      const [here, there] = [await make(), await make()];
      t.after(() => Promise.all([here.remove(), there.remove()]));
      const storage = open(here);
      const chat = await openChat({ storage, logger: quiet });
      const owner = { email: 'ada@example.com', full_name: 'Ada' };
      await chat.createOrganization({ name: 'First', owner });
      const subscription = await chat.on('event', () => undefined, { cursor: 'index' });
      await subscription.stop();
      const { position } = subscription;
      const path = join(folder, 'first.backup');
      for (const name of ['one', 'two', 'three']) await chat.as(owner.email).channels.create({ name, subscribers: [] });
      await backUp(storage, path);
      await chat.close();

      await restore(path, open(there), { checkReplaceable: never });
      const restored = await openChat({ storage: open(there), logger: quiet });
      t.after(() => restored.close());
      const told: unknown[] = [];
      const again = await restored.on('event', ({ event }) => told.push(event), {
        cursor: 'index',
        onGap: ({ after, resumes_after }) => told.push([after === position, resumes_after > after]),
      });
      await again.caughtUp();
      assert.deepEqual(told[0], [true, true]);
      await again.stop();
    },
  );
}

test('a backup with replace overwrites a backup only, never a database or another file', async (t) => {
  const folder = await scratch(t);
  const database = join(folder, 'chat.db');
  const chat = await openChat({ storage: sqlite(database), logger: quiet });
  t.after(() => chat.close());
  const owner = { email: 'ada@example.com', full_name: 'Ada' };
  await chat.createOrganization({ name: 'First', owner });
  const storage = sqlite(database) as Storage & Keepable;
  const notes = join(folder, 'notes.txt');
  await writeFile(
    notes,
    'of great worth, and longer than the head of a file in which SQLite says what it is'.repeat(2),
  );
  for (const path of [database, notes, folder]) {
    await assert.rejects(backUp(storage, path, { replace: true }), StorageError, path);
  }
  assert.equal((await chat.as(owner.email).users.list()).members.length > 0, true);
  const place = join(folder, 'daily.backup');
  await symlink(join(folder, 'elsewhere'), place);
  await assert.rejects(backUp(storage, place), /exists already/);
  await rm(place);
  await backUp(storage, place);
  const { ino } = await stat(place);
  await truncate(place, 5_000);
  await backUp(storage, place, { replace: true });
  assert.notEqual((await stat(place)).ino, ino);
  const known = ['chat.db', 'chat.db-shm', 'chat.db-wal', 'daily.backup', 'notes.txt'];
  assert.deepEqual((await readdir(folder)).sort(), known);
});

test('restoring a file that does not exist is refused', async (t) => {
  const folder = await scratch(t);
  await assert.rejects(restore(join(folder, 'none'), {} as Keepable, { checkReplaceable: never }), /no file/);
});

for (const { name, skip, make } of places) {
  testOn({ skip })(
    `a second restore of a backup gives no ID of the database that it replaces, on ${name}`,
    async (t) => {
      const folder = await scratch(t);
      const place = await make();
      t.after(place.remove);
      const owner = { email: 'ada@example.com', full_name: 'Ada' };
      const path = join(folder, 'first.backup');
      const given = { messages: new Set<number>(), users: new Set<number>() };
      for (let round = 1; round <= 3; round++) {
        const chat = await openChat({ storage: open(place), logger: quiet });
        if (round === 1) await chat.createOrganization({ name: 'First', owner });
        if (round === 1) {
          const maker = open(place);
          await backUp(maker, path);
          await maker.close();
        }
        const { user_id } = await chat.system().users.ensure({ email: `ben${round}@example.com`, full_name: 'Ben' });
        const { id } = await chat.as(user_id).messages.send({ type: 'direct', to: [user_id], content: 'Hello' });
        given.users.add(user_id);
        given.messages.add(id);
        await chat.close();
        const target = open(place);
        if (round < 3) await restore(path, target, { checkReplaceable: () => undefined });
        await target.close();
      }
      assert.deepEqual([given.messages.size, given.users.size], [3, 3]);
    },
  );
}

for (const { name, skip, make } of places) {
  testOn({ skip })(`a restore over a database in use or with another name is refused, on ${name}`, async (t) => {
    const folder = await scratch(t);
    const place = await make();
    t.after(place.remove);
    const storage = open(place);
    let isListening = false;
    storage.onForeignCommit(() => (isListening = true));
    const chat = await openChat({ storage, logger: quiet });
    const ada = await chat.createOrganization({
      name: 'First',
      owner: { email: 'ada@example.com', full_name: 'Ada', password: 'a long password' },
    });
    const path = join(folder, 'first.backup');
    const maker = open(place);
    await backUp(maker, path);
    await maker.close();
    const { id } = await chat.as(ada.user_id).messages.send({ type: 'direct', to: [ada.user_id], content: 'later' });
    const replacing = (expected: string) => ({
      checkReplaceable: (found: string) => {
        if (found !== expected) throw new Error(`not ${found}`);
      },
    });
    const again = open(place);
    t.after(() => again.close());
    // The connection for notifications has the lock that a restore checks.
    if (name === 'PostgreSQL') await until('the storage listens', () => isListening);
    await assert.rejects(restore(path, again, replacing('First')), /is in use/);
    await chat.close();
    await assert.rejects(restore(path, again, replacing('Second')), /not First/);
    const untouched = await again.inspect((connection) =>
      Promise.resolve(connection.get<{ n: number }>('SELECT COUNT(*) AS n FROM messages')),
    );
    assert.equal(untouched?.n, 1);
    await restore(path, again, replacing('First'));
    const restored = await openChat({ storage: again, logger: quiet });
    const session = restored.as(ada.user_id);
    const { messages } = await session.messages.list({ anchor: 'newest', num_before: 10, num_after: 0 });
    assert.deepEqual(messages, []);
    const sent = await session.messages.send({ type: 'direct', to: [ada.user_id], content: 'anew' });
    assert.ok(sent.id > id);
    await restored.close();
  });
}
