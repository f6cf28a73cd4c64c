import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { memoryFolder } from '../support/memory-folder.ts';

const SKIP = process.platform === 'linux' ? false : 'needs Linux';

/** Runs `many-tenants.ts` in a process with a limit of open files. */
async function run(t: TestContext, limit: number, ...given: readonly (string | number)[]): Promise<string> {
  const folder = await mkdtemp(join(memoryFolder(), 'parlance-many-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const script = join(import.meta.dirname, 'many-tenants.ts');
  const command = `ulimit -n ${limit} && exec "$0" --expose-gc --import tsx "$@"`;
  const { stdout } = await promisify(execFile)('sh', [
    '-c',
    command,
    process.execPath,
    script,
    folder,
    ...given.map(String),
  ]);
  return stdout;
}

describe('many SQLite tenants in one process', { skip: SKIP }, () => {
  for (const [count, maxOpen] of [
    [200, 200],
    [1_000, 200],
  ] as const) {
    test(`${count} tenants, ${maxOpen} open at most, take less than 1,024 files and 1.5 MB for each open one`, async (t) => {
      const found = JSON.parse(await run(t, 1_024, count, maxOpen));
      t.diagnostic(JSON.stringify(found));
      assert.equal(found.mostOpen, Math.min(count - 1, maxOpen));
      assert.ok(found.mostFiles < 1_024, `${found.mostFiles} files`);
      assert.ok(found.bytes < 1.5e6, `${found.bytes} bytes`);
      assert.deepEqual(found.own, [`<p>in ${count - 1}</p>`]);
      assert.deepEqual(found.sent, ['<p>in 0</p>', '<p>on time</p>']);
      assert.ok(found.leftOpen <= 0, `${found.leftOpen} files are still open`);
    });
  }

  test('if the process can open no more files, the error names its limit', async (t) => {
    const said = await run(t, 200, 100, 100, 'normal');
    assert.match(said, /cannot be opened: this process has reached its limit of 200 open files \(ulimit -n\)/);
  });
});
