export type StorageErrorReason =
  | 'not-a-database'
  | 'foreign-application'
  | 'newer-version'
  /** Of an older version, and was not to be brought up to date. */
  | 'older-version'
  /** Nothing has been made in it yet, and nothing was to be. */
  | 'empty'
  /** Another process has migrated it, so that this one cannot go on. */
  | 'outdated'
  | 'unsupported-engine'
  | 'busy'
  | 'unreachable'
  | 'closed';

/** The database cannot be used as it is; the message names it and is meant for the operator. */
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
