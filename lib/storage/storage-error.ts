/** Why the database cannot be used. */
export type StorageErrorReason =
  /** The address of the database is malformed, or has an unknown parameter or a missing file. */
  | 'bad-address'
  /** No file of SQLite, or a damaged one. */
  | 'not-a-database'
  /** A database that another program has made. */
  | 'foreign-application'
  /** A newer version of this package has migrated it. */
  | 'newer-version'
  /** Of an older version, and was not to be brought up to date. */
  | 'older-version'
  /** Nothing has been made in it yet, and nothing was to be. */
  | 'empty'
  /** Another process has migrated it, so that this one cannot go on. */
  | 'outdated'
  /** The driver or the server of the database is too old, or cannot be loaded. */
  | 'unsupported-engine'
  /** Others keep it from going on: a lock, a limit of connections or of time. */
  | 'busy'
  /** Not there, not answering, or broken off in the middle. */
  | 'unreachable'
  /** No space is left. */
  | 'full'
  /** The disk does not do what it is asked. */
  | 'io'
  /** It can be read alone. */
  | 'read-only'
  /** The storage has been closed, or is not open yet. */
  | 'closed'
  /** A transaction was used after its work had ended. */
  | 'ended'
  /** Work inside a transaction waited for something other than it. */
  | 'stalled';

/** The same in every copy of the package. */
const BRAND: unique symbol = Symbol.for('parlance.StorageError');

/** The database cannot be used as it is; the message names it and is meant for the operator. */
export class StorageError extends Error {
  readonly [BRAND] = true;

  /** The package's server may be of another copy than the chat that it serves. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return (value as { [BRAND]?: unknown } | null | undefined)?.[BRAND] === true;
  }

  constructor(
    message: string,
    readonly reason: StorageErrorReason,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'StorageError';
  }
}

/** For work that neither ended nor asked its transaction for anything. */
export function stalled(): StorageError {
  return new StorageError(
    'Work inside a transaction waited for something other than that transaction: a write inside a write, a file, the network. Do that before or after it.',
    'stalled',
  );
}
