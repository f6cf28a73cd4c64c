export type StorageErrorReason =
  | 'not-a-database'
  | 'foreign-application'
  | 'newer-version'
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
