import pg from 'pg';
import { codeOf } from '../../base/caught.ts';
import { TransactionUnsuitable } from '../../base/errors.ts';
import { endedEarly, inTurn } from '../semaphore.ts';
import { JobConnection, type Work } from '../sql/transaction.ts';
import { PostgresConnection } from './connection.ts';
import type { Keys } from './keys.ts';
import { LIMITS, send } from './pool.ts';

/** The payload of notifications about a transaction of the host. This process must hear them, too. */
const WITHIN = 'within';
/** Others wait for the locks of the host's transaction for `LIMITS.lock`. It must not be idle as long. */
const IDLE_MS = 5_000;
const NO_TRANSACTION = '25P01';
const FAILED_TRANSACTION = '25P02';
const NO_SAVEPOINT = '3B001';
const NO_TABLE = '42P01';

interface HostSettings {
  path: string;
  lock: string;
  isolation: string;
  idle: number;
}

interface Schema {
  schema: string;
  keys: Keys;
  knownSchema: number;
  sent: { statements: number };
  /** The history of the storage. undefined if the server does not tell it. */
  origin: string | undefined;
  /** Sent with the next commit of the host. */
  notify: (payload: string, options: { hasDueWork: boolean }) => string;
}

/**
 * Runs a shared write in the open transaction of the host, in a savepoint. It holds the locks of a write until the host
 * commits. So the log keeps the order of commits. The settings of the host apply again afterwards, except that the
 * transaction ends if it is idle for 5 s.
 */
export function performWithin<T>(client: pg.PoolClient, schema: Schema, work: Work<T>): Promise<T> {
  if (typeof client.query !== 'function' || 'totalCount' in client)
    throw new TransactionUnsuitable('Pass the client of `pg` on which the transaction is open, not a pool.');
  return inTurn(client, async () => {
    await begin(client);
    const { knownSchema, keys, sent } = schema;
    const connection = new PostgresConnection(client, { keys, sent, knownSchema, isPreparing: false });
    try {
      const host = await enter(client, schema);
      const job = new JobConnection(connection);
      job.concurrency = connection.concurrency;
      const value = await job.perform(work);
      await send(
        client,
        `RELEASE SAVEPOINT parlance; SELECT set_config('search_path', ${pg.escapeLiteral(host.path)}, true);
         SELECT set_config('lock_timeout', ${pg.escapeLiteral(host.lock)}, true);
         ${schema.notify(WITHIN, connection)}`,
      );
      return value;
    } catch (error) {
      const left = send(client, 'ROLLBACK TO SAVEPOINT parlance; RELEASE SAVEPOINT parlance');
      const failure = await left.then(() => undefined, codeOf);
      if (failure === NO_TRANSACTION || failure === NO_SAVEPOINT) throw endedEarly();
      throw connection.refusal ?? error;
    }
  });
}

async function begin(client: pg.PoolClient): Promise<void> {
  try {
    await send(client, 'SAVEPOINT parlance');
  } catch (error) {
    const code = codeOf(error);
    if (code === NO_TRANSACTION)
      throw new TransactionUnsuitable('No transaction is open on this connection. Send BEGIN first.');
    if (code === FAILED_TRANSACTION)
      throw new TransactionUnsuitable('The transaction on this connection has failed. Send ROLLBACK.');
    throw error;
  }
}

async function enter(client: pg.PoolClient, { schema, keys, origin }: Schema): Promise<HostSettings> {
  const name = pg.escapeIdentifier(schema);
  const { rows } = await send(
    client,
    `SELECT current_setting('search_path') AS path, current_setting('lock_timeout') AS lock,
       current_setting('transaction_isolation') AS isolation,
       (SELECT CAST(setting AS integer) FROM pg_settings WHERE name = 'idle_in_transaction_session_timeout') AS idle`,
  );
  const host: HostSettings = rows[0];
  if (host.isolation !== 'read committed')
    throw new TransactionUnsuitable(`The transaction is ${host.isolation}. Use READ COMMITTED.`);
  await send(
    client,
    `SET LOCAL search_path TO ${name}; SET LOCAL lock_timeout = ${LIMITS.lock};
     SET LOCAL idle_in_transaction_session_timeout = ${host.idle > 0 ? Math.min(host.idle, IDLE_MS) : IDLE_MS};
     SELECT pg_advisory_xact_lock_shared(${keys.writers})`,
  );
  const log = await send(client, `SELECT origin FROM ${name}.event_log`).catch((error: { code?: unknown }) => {
    if (error.code !== NO_TABLE) throw error;
    return undefined;
  });
  if (!log || (origin !== undefined && log.rows[0]?.origin !== origin))
    throw new TransactionUnsuitable('This connection leads to another database than that of the chat.');
  return host;
}
