import type { Connection } from '../sql/connection.ts';

export interface Migration {
  version: number;
  name: string;
  /** Must be quick however many rows there are: everybody waits for it. */
  sql: string;
  /** What has to be done row by row. Others work on meanwhile, so they must cope with rows that are not filled. */
  fill?: Filling;
  /** A process that does not know this migration cannot go on beside it; otherwise older ones do. */
  isBreaking?: boolean;
}

export interface Filling {
  /** The tables whose rows it goes through: their number is what somebody who plans an upgrade waits for. */
  goesThrough: readonly string[];
  /** Rows a second, roughly, with a disk and a processor of today and pauses for others. Default 20,000. */
  perSecond?: number;
  /** Bytes by which the database grows for each row, roughly. Default 0. */
  bytesEach?: number;
  /** The tables that are made of the others' rows here: no backup contains them, and a restore fills them once more. */
  makes?: readonly string[];
  /** Fills some rows behind the place `after`, few enough for one transaction; undefined when there are none left. */
  some(connection: Connection, after: number): Promise<{ to: number; total: number } | undefined>;
}

export function newestOf(known: readonly Migration[]): number {
  return known.at(-1)?.version ?? 0;
}
