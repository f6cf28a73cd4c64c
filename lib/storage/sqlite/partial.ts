import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SqliteConnection } from './connection.ts';
import { defaultDriver } from './driver.ts';
import { isBusy } from './errors.ts';

/** Ends with the process that makes it, and a number of its own. */
const NAME = /\.(\d+)-[0-9a-f]{12}\.partial$/;

/** Those that this process makes. */
const making = new Set<string>();

/**
 * Lets a SQLite file be made beside its place, under a name that is gone afterwards: whoever makes it gives it its own
 * once it is whole. What processes that were killed have left in that folder is cleared first.
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

/** Where the folder cannot be looked into, or its files not be removed, they stay. */
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

/** By a process of another container or machine, whose number says nothing here. */
function isLocked(partial: string): boolean {
  let connection: SqliteConnection | undefined;
  try {
    connection = new SqliteConnection(defaultDriver(), partial);
    connection.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
    return false;
  } catch (error) {
    // What is torn is nobody's.
    return isBusy(error);
  } finally {
    connection?.close();
  }
}
