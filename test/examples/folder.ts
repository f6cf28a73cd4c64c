import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** A path for a database that is removed after the test. */
export async function databasePath(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'example-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'chat.db');
}
