export type StorageErrorReason =
  | 'not-a-database'
  | 'foreign-application'
  | 'newer-version'
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
