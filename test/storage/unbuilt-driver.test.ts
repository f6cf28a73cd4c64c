import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { atLeast, OLDEST_SQLITE } from '../../lib/storage/sqlite/driver.ts';

const OPENING = `
  import { sqlite } from './lib/storage/sqlite/sqlite.ts';
  const storage = sqlite('data/chat.db', { driver: process.argv[2] });
  await storage.open().then(
    () => storage.close().then(() => console.log('opened')),
    ({ reason, message }) => console.log(reason, message),
  );
`;

test('choosing a better-sqlite3 without its native part is refused, and leaves no file', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'parlance-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const [from, to] = [resolve('node_modules'), join(folder, 'node_modules')];
  await mkdir(to);
  for (const name of await readdir(from)) {
    if (name !== 'better-sqlite3') await symlink(join(from, name), join(to, name));
  }
  for (const part of ['better-sqlite3/lib', 'better-sqlite3/package.json']) {
    await cp(join(from, part), join(to, part), { recursive: true });
  }
  for (const part of ['lib', 'package.json']) await cp(part, join(folder, part), { recursive: true });
  await mkdir(join(folder, 'data'));
  await writeFile(join(folder, 'open.ts'), OPENING);
  const opening = async (...driver: string[]) => {
    const args = ['--import', 'tsx', 'open.ts', ...driver];
    return (await promisify(execFile)(process.execPath, args, { cwd: folder })).stdout;
  };
  const refusal = /^unsupported-engine .*better-sqlite3.* (install|choose|use) /;
  assert.match(await opening('better-sqlite3'), refusal);
  assert.deepEqual(await readdir(join(folder, 'data')), []);
  // Without a choice, the SQLite of Node is used if it is new enough.
  assert.match(await opening(), atLeast(process.versions.sqlite ?? '0', OLDEST_SQLITE) ? /^opened/ : refusal);
});
