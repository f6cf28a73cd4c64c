import { SqliteConnection } from '../../lib/storage/sqlite/connection.ts';
import { defaultDriver } from '../../lib/storage/sqlite/driver.ts';

/** Counts of records in a demo database. */
export interface Counts {
  users: number;
  channels: number;
  messages: number;
}

export function countIn(database: string): Counts {
  const connection = SqliteConnection.open(defaultDriver(), database);
  try {
    const count = (table: string) => Number(connection.scalar(`SELECT COUNT(*) FROM ${table}`));
    return { users: count('users'), channels: count('channels'), messages: count('messages') };
  } finally {
    connection.close();
  }
}

export const reaches = (counts: Counts, wanted: Partial<Counts>): boolean =>
  Object.entries(wanted).every(([name, least]) => counts[name as keyof Counts] >= least);
