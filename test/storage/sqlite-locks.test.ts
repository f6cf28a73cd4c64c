import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { defaultDriver, openHandle } from '../../lib/storage/sqlite/driver.ts';
import { explain } from '../../lib/storage/sqlite/errors.ts';
import { sqlite } from '../../lib/storage/sqlite/sqlite.ts';
import { StorageError } from '../../lib/storage/storage-error.ts';
import { migratedFile } from '../support/engines.ts';

/** The error of a write while another connection writes. */
function busyError(path: string): unknown {
  const handle = openHandle(defaultDriver(), path);
  handle.exec('PRAGMA busy_timeout = 0');
  try {
    handle.exec('BEGIN IMMEDIATE');
  } catch (error) {
    return error;
  } finally {
    handle.close();
  }
  return assert.fail('the file is not locked');
}

test('the error of a locked file names the process and the time, and says within() for a transaction of this process', {
  skip: process.platform !== 'linux',
}, async (t) => {
  const { path, remove } = await migratedFile();
  const storage = sqlite(path);
  await storage.open();
  t.after(async () => {
    await storage.close();
    await remove();
  });
  const own = openHandle(defaultDriver(), path);
  own.exec('BEGIN IMMEDIATE');
  const ours = explain(busyError(path), path, 12_340);
  own.exec('ROLLBACK');
  own.close();
  assert.ok(ours instanceof StorageError && ours.reason === 'busy');
  assert.equal(
    ours.message,
    `${path} is still locked after 12.3 s by a transaction of this process. Inside your own transaction, call the chat with within(connection).`,
  );

  const program = `
    import { openHandle, defaultDriver } from '${new URL('../../lib/storage/sqlite/driver.ts', import.meta.url).href}';
    openHandle(defaultDriver(), ${JSON.stringify(path)}).exec('BEGIN IMMEDIATE');
    console.log('begun');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  const theirs = explain(busyError(path), path) as StorageError;
  child.kill();
  assert.equal(theirs.message, `${path} is locked by process ${child.pid}.`);
});
