import type { Connection } from '../sql/connection.ts';

export interface Migration {
  version: number;
  name: string;
  /** Must be fast for any number of rows, since it blocks all writers. */
  sql: string;
  /** Work on rows, in small transactions. Other code must handle rows that are not filled yet. */
  fill?: Filling;
  /** Processes that do not know this migration must refuse all requests. By default, they keep running. */
  isBreaking?: boolean;
}

export interface Filling {
  /** The tables whose rows are processed. `planMigration` estimates the duration from their number of rows. */
  goesThrough: readonly string[];
  /** Rough number of rows per second on current hardware, including pauses for other writers. Default 20,000. */
  perSecond?: number;
  /** Rough growth of the database in bytes per row. Default 0. */
  bytesEach?: number;
  /** Tables whose content is derived from other tables. Backups do not contain them, and a restore fills them again. */
  makes?: readonly string[];
  /** Fills the next rows after `after`, few enough for one transaction. undefined if none are left. */
  some(connection: Connection, after: number): Promise<{ to: number; total: number } | undefined>;
}

export function newestOf(known: readonly Migration[]): number {
  return known.at(-1)?.version ?? 0;
}
