import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const OPENING = `
  import { sqlite } from './lib/storage/sqlite/sqlite.ts';
  await sqlite('data/chat.db', { driver: 'better-sqlite3' }).open()
    .catch(({ reason, message }) => console.log(reason, message));
`;

test('a better-sqlite3 whose native part was never installed is refused by name, and no file is left', async (t) => {
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
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', 'open.ts'], { cwd: folder });
  assert.match(stdout, /^unsupported-engine .*better-sqlite3.* (install|choose) /);
  assert.deepEqual(await readdir(join(folder, 'data')), []);
});
