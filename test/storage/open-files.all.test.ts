import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { sqlite } from '../../lib/index.ts';
import { testChat } from '../../lib/testing/testing.ts';

async function folderFor(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parlance-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** The open files of this process below a folder. */
async function openIn(folder: string): Promise<number> {
  const numbers = await readdir('/proc/self/fd');
  const paths = await Promise.all(numbers.map((number) => readlink(`/proc/self/fd/${number}`).catch(() => '')));
  return paths.filter((path) => path.startsWith(folder)).length;
}

describe('open files of SQLite chats', { skip: process.platform === 'linux' ? false : 'needs Linux' }, () => {
  test('E5: the error of a process at its limit of open files names the limit', async (t) => {
    const folder = await folderFor(t);
    const script = join(import.meta.dirname, 'open-many.ts');
    const command = 'ulimit -n 300 && exec "$0" --import tsx "$1" "$2"';
    const { stdout } = await promisify(execFile)('sh', ['-c', command, process.execPath, script, folder]);
    assert.match(stdout, /cannot be opened: this process has reached its limit of 300 open files/);
  });

  for (const [footprint, files] of [
    ['normal', 5],
    ['small', 3],
  ] as const)
    test(`E5: a chat with a ${footprint} footprint keeps ${files} files open, also after requests`, async (t) => {
      const folder = await folderFor(t);
      const { people, close } = await testChat({ storage: sqlite(join(folder, 'chat.db'), { footprint }) });
      t.after(close);
      await people.dora.users.list();
      await people.dora.drafts.create({ drafts: [] });
      assert.equal(await openIn(folder), files);
    });
});
