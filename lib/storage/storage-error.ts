import { recognizeCopies } from '../base/across-copies.ts';

/** Why the database cannot be used. */
export type StorageErrorReason =
  /** The address of the database is invalid: a syntax error, an unknown parameter or a missing file. */
  | 'bad-address'
  /** The file is not an SQLite database, or is damaged. */
  | 'not-a-database'
  /** Another program created the database or the file. */
  | 'foreign-application'
  /** A newer version of this package has migrated it. */
  | 'newer-version'
  /** It needs a migration, and `migrate` does not allow one. */
  | 'older-version'
  /** It is so old that an earlier version must migrate it first. The message names it. */
  | 'too-old'
  /** It has no tables or no organization yet. */
  | 'empty'
  /** Another process has migrated it. This process is too old now: restart it with the newer version. */
  | 'outdated'
  /** The organization has moved to another database, or its move to this one has not ended. Retry later. */
  | 'moved'
  /** The driver or the database server is too old, or the driver cannot be loaded. */
  | 'unsupported-engine'
  /** A lock, a connection limit or a timeout. Retry later. */
  | 'busy'
  /** It does not exist or does not answer, or the connection broke. */
  | 'unreachable'
  /** No disk space is left. */
  | 'full'
  /** A disk error, or missing or damaged data. */
  | 'io'
  /** A backup would lack uploaded files. */
  | 'files-missing'
  /** The database can only be read. */
  | 'read-only'
  /** The storage has been closed, or is not open yet. */
  | 'closed'
  /** A transaction was used after its work had ended. */
  | 'ended'
  /** Code inside a transaction waited for something outside of it. */
  | 'stalled';

/** The database cannot be used. Branch on `reason`. The message is for the operator and names the database. */
export class StorageError extends Error {
  constructor(
    message: string,
    readonly reason: StorageErrorReason,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'StorageError';
  }
}

recognizeCopies(StorageError, 'StorageError');

export const isMoved = (error: unknown): error is StorageError =>
  error instanceof StorageError && error.reason === 'moved';

/** For work that is pending, but waits for no statement of its transaction. */
export function stalled(): StorageError {
  return new StorageError(
    'Code inside a transaction waited for something outside of it: another write, a file or the network. Do that before or after the transaction.',
    'stalled',
  );
}
