import { codeOf } from '../../base/caught.ts';
import { StorageError, type StorageErrorReason } from '../storage-error.ts';

/** Reasons by SQLSTATE, by its class (the first two characters), or by system error code. */
const REASONS: Readonly<Record<string, StorageErrorReason>> = {
  // Broken connections, and a server that shuts down, starts or recovers from a crash.
  '08': 'unreachable',
  '57P01': 'unreachable',
  '57P02': 'unreachable',
  '57P03': 'unreachable',
  '57P05': 'unreachable',
  ECONNREFUSED: 'unreachable',
  ECONNRESET: 'unreachable',
  ENOTFOUND: 'unreachable',
  EPIPE: 'unreachable',
  ETIMEDOUT: 'unreachable',
  // Timeouts, connection limits, server resources, and conflicts that persist after retries.
  '25P03': 'busy',
  '25P04': 'busy',
  '40001': 'busy',
  '40P01': 'busy',
  '53': 'busy',
  '55P03': 'busy',
  '57014': 'busy',
  '53100': 'full',
  '58': 'io',
  '25006': 'read-only',
  // The role lost its rights while the chat was open, or may only read.
  '42501': 'read-only',
};

const SAYS: Partial<Record<StorageErrorReason, string>> = {
  unreachable: 'does not answer',
  busy: 'is too busy',
  full: 'has no space left on its disk',
  io: 'cannot read or write its disk',
  'read-only': 'can only be read',
};

/** The pooler has switched the connection: a prepared statement is unknown or already exists there. */
const PREPARED_ELSEWHERE = new Set(['26000', '42P05']);
const POOLER =
  'Prepared statements do not survive a pooler in transaction mode. Set max_prepared_statements = 1000 in PgBouncer 1.21 or later, or add ?prepared_statements=false to the address';

const LOCK_TIMEOUT = '55P03';
const LOCKED =
  'is locked by another transaction for too long. Inside your own transaction, call the chat with within(client).';

/** Turns errors of the server and the connection into a `StorageError`. Returns other errors unchanged. */
export function explain(error: unknown, place: () => string): unknown {
  if (!(error instanceof Error)) return error;
  const code = codeOf(error);
  if (code !== undefined && PREPARED_ELSEWHERE.has(code)) {
    return new StorageError(`${place()}: ${POOLER} (${error.message}).`, 'unsupported-engine', { cause: error });
  }
  const reason = reasonOf(error);
  if (reason === undefined) return error;
  if (code === LOCK_TIMEOUT) return new StorageError(`${place()} ${LOCKED}`, reason, { cause: error });
  return new StorageError(`${place()} ${SAYS[reason]}: ${error.message}.`, reason, { cause: error });
}

/** undefined for errors that are explained already, and for errors not related to the server. */
export function reasonOf(error: unknown): StorageErrorReason | undefined {
  if (!(error instanceof Error) || error instanceof StorageError) return undefined;
  const code = codeOf(error);
  if (code !== undefined) return REASONS[code] ?? (/^\w{5}$/.test(code) ? REASONS[code.slice(0, 2)] : undefined);
  // pg sets no code on its own errors.
  const broken = /^Connection terminated|connection error and is not queryable|^Client was closed|^timeout exceeded/;
  return broken.test(error.message) ? 'unreachable' : undefined;
}
