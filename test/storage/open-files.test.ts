import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { promisify } from 'node:util';

async function folderFor(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parlance-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

describe('open files of SQLite chats', { skip: process.platform === 'linux' ? false : 'needs Linux' }, () => {
  test('E5: a process that can open no more files says so, with its limit', async (t) => {
    const folder = await folderFor(t);
    const script = join(import.meta.dirname, 'open-many.ts');
    const command = 'ulimit -n 300 && exec "$0" --import tsx "$1" "$2"';
    const { stdout } = await promisify(execFile)('sh', ['-c', command, process.execPath, script, folder]);
    assert.match(stdout, /cannot be opened: this process has reached its limit of 300 open files/);
  });
});
