import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SqliteConnection } from './connection.ts';
import { defaultDriver } from './driver.ts';
import { isBusy } from './errors.ts';

/** Contains the ID of the process and a random number. */
const NAME = /\.(\d+)-[0-9a-f]{12}\.partial$/;

/** Partial files of this process. */
const making = new Set<string>();

/**
 * Creates an SQLite file under a temporary name in the same folder. `make` must rename it when it is complete. Before,
 * removes temporary files of killed processes from that folder.
 */
export async function withPartial<T>(path: string, make: (partial: string) => Promise<T>): Promise<T> {
  await clearAbandoned(dirname(path));
  const partial = `${path}.${process.pid}-${randomBytes(6).toString('hex')}.partial`;
  making.add(partial);
  try {
    return await make(partial);
  } finally {
    for (const end of ['', '-journal']) await rm(partial + end, { force: true });
    making.delete(partial);
  }
}

/** Ignores errors: files that cannot be removed stay. */
async function clearAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const maker = NAME.exec(name)?.[1];
    const partial = join(folder, name);
    if (maker === undefined || isMade(partial, Number(maker)) || isLocked(partial)) continue;
    await rm(partial, { force: true }).catch(() => undefined);
  }
}

function isMade(partial: string, maker: number): boolean {
  if (maker === process.pid) return making.has(partial);
  try {
    return process.kill(maker, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether a process of another container or machine is writing it: its process ID means nothing here. */
function isLocked(partial: string): boolean {
  let connection: SqliteConnection | undefined;
  try {
    connection = new SqliteConnection(defaultDriver(), partial);
    connection.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
    return false;
  } catch (error) {
    // A truncated file is not in use.
    return isBusy(error);
  } finally {
    connection?.close();
  }
}
