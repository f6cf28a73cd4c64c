import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { type Bundle, bundle } from '../support/bundle.ts';
import { memoryFolder } from '../support/memory-folder.ts';

export const SKIP = process.platform === 'linux' ? false : 'needs Linux';

/** Compiled, since a compiler in the process could open no more files either. */
let compiled: Promise<Bundle> | undefined;
after(async () => (await compiled)?.remove());

/** Runs `many-tenants.ts` in a process with a limit of open files. */
export async function manyTenants(
  t: TestContext,
  limit: number,
  ...given: readonly (string | number)[]
): Promise<string> {
  const folder = await mkdtemp(join(memoryFolder(), 'parlance-many-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  compiled ??= bundle('many-tenants', { 'many-tenants': 'test/chat/many-tenants.ts' });
  const script = (await compiled).program('many-tenants');
  const command = `ulimit -n ${limit} && exec "$0" --expose-gc "$@"`;
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

/** Opens `count` tenants in turn, with a limit of open tenants. */
export function playTenants(count: number, maxOpen: number): void {
  test(`${count} SQLite tenants in one process, ${maxOpen} open at most, take less than 1,024 files and 1.5 MB for each open one`, {
    skip: SKIP,
  }, async (t) => {
    const found = JSON.parse(await manyTenants(t, 1_024, count, maxOpen));
    t.diagnostic(JSON.stringify(found));
    assert.equal(found.mostOpen, Math.min(count - 1, maxOpen));
    assert.ok(found.mostFiles < 1_024, `${found.mostFiles} files`);
    assert.ok(found.bytes < 1.5e6, `${found.bytes} bytes`);
    assert.deepEqual(found.own, [`<p>in ${count - 1}</p>`]);
    assert.deepEqual(found.sent, ['<p>in 0</p>', '<p>on time</p>']);
    assert.ok(found.leftOpen <= 0, `${found.leftOpen} files are still open`);
  });
}
