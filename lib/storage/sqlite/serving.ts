import { rmSync } from 'node:fs';
import { SqliteConnection } from './connection.ts';
import { defaultDriver } from './driver.ts';
import { isBusy } from './errors.ts';

/**
 * Locks an empty file beside the database until the process ends, so that a second server notices the first. Not the
 * database itself, which `chatctl` may use at the same time. Returns a function that ends the lock. undefined: another
 * server has it.
 */
export function lockServing(path: string): (() => void) | undefined {
  const file = `${path}-server`;
  let connection: SqliteConnection | undefined;
  try {
    connection = SqliteConnection.open(defaultDriver(), file);
    connection.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
  } catch (error) {
    connection?.close();
    // Without the right to write into the folder, there is no way to know.
    return isBusy(error) ? undefined : () => undefined;
  }
  return () => {
    connection.close();
    rmSync(file, { force: true });
  };
}
