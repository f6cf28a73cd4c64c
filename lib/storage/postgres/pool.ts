import type { Socket } from 'node:net';
import pg from 'pg';
import type { SqlValue } from '../sql/connection.ts';
import { StorageError } from '../storage-error.ts';
import { readAddress } from './address.ts';
import { reasonOf } from './errors.ts';

/** Limits of a pool of our own, in milliseconds. A host's pool keeps the host's. */
export const LIMITS = {
  connect: 10_000,
  /** At the server: for a lock, for a statement, and for a transaction that is left idle. */
  lock: 8_000,
  statement: 8_000,
  idleInTransaction: 10_000,
  /** In this process, for the answer to a statement. The server stops a statement earlier, so the connection is dead. */
  answer: 10_000,
};

/** For reads with an extent, and for exclusive writes. */
export const LONG_LIMITS = { ...LIMITS, lock: 20_000, statement: 30_000, idleInTransaction: 30_000, answer: 35_000 };

/** TCP probes a connection that was idle for so many milliseconds, and closes it after ten more seconds without an answer. */
const KEEPALIVE_DELAY = 5_000;

/** @param prefersTls connects without TLS if the server does not support it */
export function newPool(url: string, size: number, { prefersTls = false } = {}): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_DELAY,
    allowExitOnIdle: true,
    pipeline: true,
    fallback_application_name: 'parlance',
    connectionTimeoutMillis: LIMITS.connect,
    lock_timeout: LIMITS.lock,
    statement_timeout: LIMITS.statement,
    idle_in_transaction_session_timeout: LIMITS.idleInTransaction,
  });
  if (prefersTls) preferringTls.add(pool);
  // An idle connection that breaks is replaced by the pool; unheard, its error would end the process.
  pool.on('error', () => undefined);
  return pool;
}

/** Pools with `sslmode=prefer`. */
const preferringTls = new WeakSet<pg.Pool>();

/** Connections whose errors are listened to; a host's pool outlives our storages. */
const heard = new WeakSet<pg.PoolClient>();

/**
 * Takes a connection from the pool. Connections that were silent since another one was discarded are discarded too.
 * @param limit milliseconds for the answer to each statement; after that the connection is discarded
 */
export async function connect(pool: pg.Pool, limit = Number.POSITIVE_INFINITY): Promise<pg.PoolClient> {
  for (;;) {
    const client = await take(pool);
    const line = lineOf(client, pool);
    if (line.heardAt >= (doubtfulBefore.get(pool) ?? 0)) {
      line.limit = limit;
      return client;
    }
    breakOff(client, 'another connection did not answer');
    client.release(true);
  }
}

async function take(pool: pg.Pool): Promise<pg.PoolClient> {
  const client = await pool.connect().catch((error: unknown) => {
    const { code, message } = error as { code?: string; message?: string };
    if (message?.includes('does not support SSL') && preferringTls.has(pool)) {
      pool.options.connectionString = withoutTls(pool.options.connectionString as string);
      return take(pool);
    }
    if (message?.startsWith('timeout exceeded')) {
      // What pg says of those who wait in the pool's own line; of a server that does not answer it says otherwise.
      const busy = `All ${pool.options.max} connections to ${placeOf(pool)} were busy for too long.`;
      throw new StorageError(busy, 'busy', { cause: error });
    }
    if (message?.includes('unsupported startup parameter')) {
      const said = `${placeOf(pool)} refuses our limits: ${message}. ${STARTUP}`;
      throw new StorageError(said, 'unsupported-engine', { cause: error });
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

function withoutTls(address: string): string {
  const [place = '', query] = address.split('?', 2);
  const parameters = new URLSearchParams(query);
  parameters.set('sslmode', 'disable');
  return `${place}?${parameters}`;
}

const STARTUP =
  'In the settings of PgBouncer, write ignore_startup_parameters = lock_timeout,statement_timeout,idle_in_transaction_session_timeout.';

/** The statements of a connection that wait for an answer. */
interface Line {
  pool: pg.Pool;
  /** Milliseconds for each answer. */
  limit: number;
  /** Statements without an answer. */
  owed: number;
  /** The newest of them commits. */
  isCommitting?: boolean;
  timer?: NodeJS.Timeout;
  /** Time of the last answer (`performance.now()`). */
  heardAt: number;
}

const lines = new WeakMap<pg.PoolClient, Line>();
/** By pool: connections that last answered before this time may be dead, because another one was. */
const doubtfulBefore = new WeakMap<pg.Pool, number>();

function lineOf(client: pg.PoolClient, pool: pg.Pool): Line {
  let line = lines.get(client);
  if (!line) {
    line = { pool, limit: Number.POSITIVE_INFINITY, owed: 0, heardAt: performance.now() };
    lines.set(client, line);
  }
  return line;
}

/**
 * Sends a statement behind those before it, answered or not. The connections of a host's own pool may not
 * pipeline: they are asked when they are free, since pg lets nobody else queue for much longer.
 */
export function send(client: pg.PoolClient, text: string): Promise<pg.QueryResult>;
export function send(client: pg.PoolClient, query: pg.QueryArrayConfig): Promise<pg.QueryArrayResult<SqlValue[]>>;
export function send(client: pg.PoolClient, query: string | pg.QueryArrayConfig): Promise<unknown> {
  const line = lines.get(client);
  const sent = sendBehind(client, query);
  if (!line || line.limit === Number.POSITIVE_INFINITY) return sent;
  if (line.owed++ === 0) expectAnswer(client, line);
  line.isCommitting = typeof query === 'string' && query.endsWith('COMMIT');
  const settled = () => {
    line.heardAt = performance.now();
    clearTimeout(line.timer);
    if (--line.owed > 0) expectAnswer(client, line);
  };
  sent.then(settled, settled);
  return sent;
}

function expectAnswer(client: pg.PoolClient, line: Line): void {
  const since = performance.now();
  line.timer = setTimeout(() => {
    doubtfulBefore.set(line.pool, Math.max(doubtfulBefore.get(line.pool) ?? 0, since));
    const seconds = line.limit / 1000;
    breakOff(client, line.isCommitting ? noCommit(seconds) : `no answer within ${seconds} s`);
  }, line.limit);
}

const noCommit = (seconds: number) =>
  `no answer to COMMIT within ${seconds} s. If synchronous_standby_names is set, check whether a synchronous standby is connected`;

/** Fails all statements that wait for an answer. `client.end()` would wait for the answers. */
function breakOff(client: pg.PoolClient, why: string): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  stream.destroy(Object.assign(new Error(why), { code: 'ETIMEDOUT' }));
}

/** What connections that do not pipeline are busy with. */
const underWay = new WeakMap<pg.PoolClient, Promise<unknown>>();

function sendBehind(client: pg.PoolClient, query: string | pg.QueryArrayConfig): Promise<unknown> {
  if (client.pipeline) return client.query(query as string);
  const sent = (underWay.get(client) ?? Promise.resolve()).then(() => client.query(query as string));
  underWay.set(
    client,
    sent.catch(() => undefined),
  );
  return sent;
}

/** A connection like those of the pool, beside it. */
export function newClient({ options }: pg.Pool, url?: string): pg.Client {
  // The pool hides its password from copies.
  const config = { ...options, password: options.password, pipeline: false };
  if (url !== undefined) {
    const listen = readAddress(url).url;
    const hasTls = !/[?&]sslmode=disable(&|$)/.test(String(options.connectionString));
    config.connectionString = hasTls ? listen : withoutTls(listen);
  }
  return new ((options.Client as typeof pg.Client | undefined) ?? pg.Client)(config);
}

/** Never more of the URL than this: it carries the password. */
export function placeOf(pool: pg.Pool): string {
  const { host, port, database } = newClient(pool);
  return `PostgreSQL at ${host}:${port}/${database}`;
}
