/**
 * Which data an export contains.
 * - `full`: everything, except secrets and work in progress. Only this one can be imported.
 * - `public`: data that all members can see
 * - `consent`: also private data of users who allow it in their settings
 * - `user_id`: data of one person
 */
export type ExportScope = 'full' | 'public' | 'consent' | { readonly user_id: number };

/** A row of an export: its columns by name. */
export type ExportRow = Readonly<Record<string, unknown>>;

/** One file of rows. */
export interface ExportTable {
  readonly name: string;
  /** What a row is. */
  readonly is: string;
  /** All rows in the order of their keys, in small slices. */
  slices(): AsyncIterable<readonly ExportRow[]>;
  /** The last generated ID, also if its row is deleted. undefined if the table has no generated IDs. */
  lastId(): Promise<number | undefined>;
}

/** One snapshot of a database. */
export interface ExportSource {
  /** Newest migration of the database. */
  readonly schema: number;
  readonly organization: { readonly name: string; readonly uuid: string };
  readonly tables: readonly ExportTable[];
}
