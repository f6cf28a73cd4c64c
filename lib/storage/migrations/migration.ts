import type { Connection } from '../sql/connection.ts';

export interface Migration {
  version: number;
  name: string;
  /** Must be quick however many rows there are: everybody waits for it. */
  sql: string;
  /** What has to be done row by row. Others work on meanwhile, so they must cope with rows that are not filled. */
  fill?: Fill;
  /** A process that does not know this migration cannot go on beside it; otherwise older ones do. */
  isBreaking?: boolean;
}

/** Fills some rows behind the place `after`, few enough for one transaction; undefined when there are none left. */
export type Fill = (connection: Connection, after: number) => Promise<{ to: number; total: number } | undefined>;

export function newestOf(known: readonly Migration[]): number {
  return known.at(-1)?.version ?? 0;
}
