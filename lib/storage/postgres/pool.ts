import pg from 'pg';
import type { SqlValue } from '../sql/connection.ts';
import { StorageError } from '../storage-error.ts';
import { reasonOf } from './errors.ts';

/** Every failure is answered within these, milliseconds; a host's own pool keeps its own limits. */
const TIMEOUTS = {
  connectionTimeoutMillis: 10_000,
  lock_timeout: 20_000,
  statement_timeout: 30_000,
  idle_in_transaction_session_timeout: 30_000,
};

/** Connections whose errors are listened to; a host's pool outlives our storages. */
const heard = new WeakSet<pg.PoolClient>();

export function newPool(url: string, size: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    allowExitOnIdle: true,
    pipeline: true,
    fallback_application_name: 'parlance',
    ...TIMEOUTS,
  });
  // An idle connection that breaks is replaced by the pool; unheard, its error would end the process.
  pool.on('error', () => undefined);
  return pool;
}

export async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  const client = await pool.connect().catch((error: unknown) => {
    const { code, message } = error as { code?: string; message?: string };
    if (message?.startsWith('timeout exceeded')) {
      // What pg says of those who wait in the pool's own line; of a server that does not answer it says otherwise.
      const busy = `All ${pool.options.max} connections to ${placeOf(pool)} were busy for too long.`;
      throw new StorageError(busy, 'busy', { cause: error });
    }
    const said = `${placeOf(pool)} cannot be reached: ${message || code}.`;
    // Too many connections, as opposed to no server.
    throw new StorageError(said, reasonOf(error) === 'busy' ? 'busy' : 'unreachable', { cause: error });
  });
  if (!heard.has(client)) {
    heard.add(client);
    // A connection may break between two statements; the next statement tells, this would end the process.
    client.on('error', () => undefined);
  }
  return client;
}

/** What connections that do not pipeline are busy with. */
const underWay = new WeakMap<pg.PoolClient, Promise<unknown>>();

/**
 * Sends a statement behind those before it, answered or not. The connections of a host's own pool may not
 * pipeline: they are asked when they are free, since pg lets nobody else queue for much longer.
 */
export function send(client: pg.PoolClient, text: string): Promise<pg.QueryResult>;
export function send(client: pg.PoolClient, query: pg.QueryArrayConfig): Promise<pg.QueryArrayResult<SqlValue[]>>;
export function send(client: pg.PoolClient, query: string | pg.QueryArrayConfig): Promise<unknown> {
  if (client.pipeline) return client.query(query as string);
  const sent = (underWay.get(client) ?? Promise.resolve()).then(() => client.query(query as string));
  underWay.set(
    client,
    sent.catch(() => undefined),
  );
  return sent;
}

/** A connection like those of the pool, beside it. */
export function newClient({ options }: pg.Pool): pg.Client {
  // The pool hides its password from copies.
  const config = { ...options, password: options.password, pipeline: false };
  return new ((options.Client as typeof pg.Client | undefined) ?? pg.Client)(config);
}

/** Never more of the URL than this: it carries the password. */
export function placeOf(pool: pg.Pool): string {
  const { host, port, database } = newClient(pool);
  return `PostgreSQL at ${host}:${port}/${database}`;
}
