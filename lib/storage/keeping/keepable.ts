import type { Connection } from '../sql/connection.ts';

/** What a storage does with a whole database, of whatever version, without being open. */
export interface Keepable {
  /**
   * One snapshot of all that is committed, as long as the work takes, on a connection of its own. Nothing is brought
   * up to date, nothing can be written, and nobody waits for it.
   * @throws StorageError where there is no organization, or one of a newer version
   */
  inspect<T>(work: (connection: Connection, version: number) => Promise<T>): Promise<T>;
  /**
   * Makes the database anew, in one piece: others see all of it or what was there before. It is made as migrations up
   * to `version` have it, without rows and without being held to what refers to what; that is looked at when the work
   * is done.
   * @throws StorageError `busy` where a server uses the database
   */
  refill<T>(options: RefillOptions, work: (connection: Connection) => Promise<T>): Promise<T>;
}

export interface RefillOptions {
  version: number;
  /** Throws unless the organization that is there may go. Not asked where there is none. */
  checkReplaceable(name: string): void;
  /** Where what was there before is kept, if it is. */
  onSetAside?: (place: string) => void;
}
