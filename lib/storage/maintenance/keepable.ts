import type { Connection } from '../sql/connection.ts';

/** Access to a whole database of any version, for backup, restore and checks. The storage need not be open. */
export interface Keepable {
  /**
   * Runs work on a read-only snapshot, over a separate connection. Does not migrate and does not block servers.
   * @throws StorageError if there are no tables, or if the database is of a newer version
   */
  inspect<T>(work: (connection: Connection, version: number) => Promise<T>): Promise<T>;
  /**
   * Creates the database again, atomically: other processes see the old content or all of the new. The new one has
   * the tables of migration `version` and no rows. Foreign keys are checked only after the work.
   * @throws StorageError `busy` if a server uses the database
   */
  refill<T>(options: RefillOptions, work: (connection: Connection) => Promise<T>): Promise<T>;
}

export interface RefillOptions {
  version: number;
  /** Throws if the existing organization must not be replaced. Not called if there is none. */
  checkReplaceable(name: string): void;
  /** Called with the path of the old content, if it is kept. */
  onSetAside?: (place: string) => void;
}
