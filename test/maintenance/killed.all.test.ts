import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { backUp, check, openChat, restore, sqlite } from '../../lib/index.ts';
import { defaultDriver, openHandle } from '../../lib/storage/sqlite/driver.ts';
import { compiledProgram } from '../programs.ts';

const OWNER = { email: 'ada@example.com', full_name: 'Ada' };

async function place(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'parlance-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const [database, backup] = [join(folder, 'chat.db'), join(folder, 'chat.backup')];
  const killed = async (what: 'backup' | 'restore') => {
    const args = [await compiledProgram('killed-keeper'), what, database, backup];
    assert.equal(spawnSync(process.execPath, args, { encoding: 'utf8' }).signal, 'SIGKILL');
  };
  await working(database, (chat) => chat.createOrganization({ name: 'Example', owner: OWNER }));
  return {
    folder,
    database,
    backup,
    killed,
    partials: () => readdirSync(folder).filter((name) => name.endsWith('.partial')),
  };
}

async function working<T>(
  database: string,
  work: (chat: Awaited<ReturnType<typeof openChat>>) => Promise<T>,
): Promise<T> {
  const chat = await openChat({ storage: sqlite(database) });
  try {
    return await work(chat);
  } finally {
    await chat.close();
  }
}

const note = (database: string, content: string) =>
  working(database, async (chat) => {
    const session = chat.as(OWNER.email);
    const { user_id } = await session.users.me();
    await session.messages.send({ type: 'direct', to: [user_id], content });
  });

const notes = (database: string) =>
  working(database, async (chat) => {
    const { messages } = await chat.as(OWNER.email).messages.list({ anchor: 'newest', num_before: 9, num_after: 0 });
    return messages.map(({ content }) => content);
  });

test('the next backup removes the partial file of a killed one, and no other file', async (t) => {
  const { folder, database, backup, killed, partials } = await place(t);
  await killed('backup');
  assert.equal(partials().length, 1);
  const living = spawn('sleep', ['600']);
  t.after(() => living.kill());
  const anothers = `monday.backup.${living.pid}-0123456789ab.partial`;
  const elsewhere = `tuesday.backup.99999999-0123456789ab.partial`;
  const strange = 'thesis.partial';
  for (const name of [anothers, strange]) writeFileSync(join(folder, name), '');
  // A partial file of another container, whose process IDs do not exist here.
  const handle = openHandle(defaultDriver(), join(folder, elsewhere));
  handle.exec('PRAGMA locking_mode = EXCLUSIVE; CREATE TABLE rows (id INTEGER)');
  await backUp(sqlite(database), backup);
  assert.deepEqual(partials().sort(), [anothers, elsewhere, strange].sort());
  handle.close();
  await backUp(sqlite(database), backup, { replace: true });
  assert.deepEqual(partials().sort(), [anothers, strange].sort());
});

test('a restore killed before its rename leaves the old database', async (t) => {
  const { folder, database, backup, killed, partials } = await place(t);
  await note(database, 'in the backup');
  await backUp(sqlite(database), backup);
  await note(database, 'later');
  await killed('restore');
  assert.ok(existsSync(database));
  assert.equal((await notes(database)).length, 2);
  await note(database, 'after the kill');
  await restore(backup, sqlite(database), { checkReplaceable: () => undefined });
  assert.equal((await notes(database)).length, 1);
  assert.deepEqual((await check(sqlite(database))).findings, []);
  assert.deepEqual(partials(), []);
  const asides = readdirSync(folder).filter((name) => name.includes('.before-'));
  // One of each restore.
  assert.equal(asides.length, 2);
  for (const aside of asides) {
    assert.equal((await notes(join(folder, aside))).length, 3, 'both files have the previous content');
  }
});

test('a restore to the path of a database that was moved away does not apply the log that a killed server left', async (t) => {
  const { folder, database, backup } = await place(t);
  await note(database, 'in the backup');
  await backUp(sqlite(database), backup);
  const left = join(folder, 'left');
  await working(database, async (chat) => {
    const session = chat.as(OWNER.email);
    for (const name of ['one', 'two', 'three']) await session.channels.create({ name, subscribers: [] });
    copyFileSync(`${database}-wal`, left);
  });
  renameSync(database, join(folder, 'moved.db'));
  renameSync(left, `${database}-wal`);
  await restore(backup, sqlite(database), { checkReplaceable: () => assert.fail('there is nothing to replace') });
  assert.deepEqual(await notes(database), ['<p>in the backup</p>']);
  assert.deepEqual((await check(sqlite(database))).findings, []);
  const asides = readdirSync(folder).filter((name) => name.includes('.before-'));
  assert.equal(asides.length, 1, 'the log may have acknowledged messages of the moved database');
  assert.match(asides[0] as string, /^chat\.db\.before-.*-wal$/);
});
