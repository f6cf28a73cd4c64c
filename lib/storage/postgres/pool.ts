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
  /** Here, for an answer to a statement. The server ends a statement earlier, so its connection must be broken. */
  answer: 10_000,
};

/** For reads that go far, and for writes that are alone. */
export const LONG_LIMITS = { ...LIMITS, lock: 20_000, statement: 30_000, idleInTransaction: 30_000, answer: 35_000 };

/** A connection over which nothing comes back is given up by TCP ten seconds after these milliseconds without a word. */
const KEEPALIVE_DELAY = 5_000;

/** @param prefersTls goes on without TLS where the server has none */
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

/** Pools that go on without TLS where the server has none. */
const preferringTls = new WeakSet<pg.Pool>();

/** Connections whose errors are listened to; a host's pool outlives our storages. */
const heard = new WeakSet<pg.PoolClient>();

/**
 * A connection of the pool. Those that have not answered since another one was given up are discarded.
 * @param limit milliseconds in which it has to answer each statement, or it is given up as well
 */
export async function connect(pool: pg.Pool, limit = Number.POSITIVE_INFINITY): Promise<pg.PoolClient> {
  for (;;) {
    const client = await take(pool);
    const line = lineOf(client, pool);
    if (line.heardAt >= (doubtfulBefore.get(pool) ?? 0)) {
      line.limit = limit;
      return client;
    }
    breakOff(client, 'another connection was given up');
    client.release(true);
  }
}

async function take(pool: pg.Pool): Promise<pg.PoolClient> {
  const client = await pool.connect().catch((error: unknown) => {
    const { code, message } = error as { code?: string; message?: string };
    if (preferringTls.delete(pool) && message?.includes('does not support SSL')) {
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

/** What a connection owes. */
interface Line {
  pool: pg.Pool;
  /** Milliseconds in which it has to answer. */
  limit: number;
  /** Statements without an answer. */
  owed: number;
  timer?: NodeJS.Timeout;
  /** When it last answered, as `performance.now()` has it. */
  heardAt: number;
}

const lines = new WeakMap<pg.PoolClient, Line>();
/** Connections of a pool that have not answered since then may be as broken as one that was given up. */
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
    breakOff(client, `no answer within ${line.limit / 1000} s`);
  }, line.limit);
}

/** Fails everything that the connection owes. `end` would wait for it. */
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
  if (url !== undefined) config.connectionString = readAddress(url).url;
  return new ((options.Client as typeof pg.Client | undefined) ?? pg.Client)(config);
}

/** Never more of the URL than this: it carries the password. */
export function placeOf(pool: pg.Pool): string {
  const { host, port, database } = newClient(pool);
  return `PostgreSQL at ${host}:${port}/${database}`;
}
