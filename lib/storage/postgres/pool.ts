import type { Socket } from 'node:net';
import pg from 'pg';
import { codeOf, errorOf } from '../../base/caught.ts';
import { present } from '../../base/present.ts';
import type { SqlValue } from '../sql/connection.ts';
import { StorageError } from '../storage-error.ts';
import { readAddress } from './address.ts';
import { reasonOf } from './errors.ts';

/** Timeouts of our own pool, in milliseconds. A pool of the host has its own. */
export const LIMITS = {
  connect: 10_000,
  /** On the server: for a lock, for a statement, and for an idle transaction. */
  lock: 8_000,
  statement: 8_000,
  idleInTransaction: 10_000,
  /** In this process, for the answer. The server aborts a statement earlier, so a connection without answer is dead. */
  answer: 10_000,
};

/** For large reads and exclusive writes. */
export const LONG_LIMITS = { ...LIMITS, lock: 20_000, statement: 30_000, idleInTransaction: 30_000, answer: 35_000 };

/** TCP keepalive: probes a connection idle for this many milliseconds, and closes it after 10 s without an answer. */
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
  // The server can end a connection in the same packet that opens it, before `connect` returns it.
  pool.on('connect', (client) => void client.on('error', () => undefined));
  if (prefersTls) preferringTls.add(pool);
  // The pool replaces broken idle connections. Without a listener, the error would end the process.
  pool.on('error', () => undefined);
  return pool;
}

/** Pools with `sslmode=prefer`. */
const preferringTls = new WeakSet<pg.Pool>();

/** Most connections beside a pool of the host. */
const RESERVED = 2;
const RESERVE_IDLE_MS = 10_000;

/**
 * Connections for the time in which the host holds all connections of its pool, perhaps while it waits for this chat.
 * They are opened when they are needed, with the options and `connect` listeners of the pool. All chats of a pool share
 * them.
 */
export interface Reserve {
  readonly pool: pg.Pool;
  /** The last chat of the pool closes the connections. */
  leave(): Promise<void>;
}

const reserves = new WeakMap<pg.Pool, { pool: pg.Pool; chats: number }>();

export function joinReserve(pool: pg.Pool): Reserve {
  const shared = reserves.get(pool) ?? { pool: newReserve(pool), chats: 0 };
  shared.chats++;
  reserves.set(pool, shared);
  const leave = async () => {
    if (--shared.chats > 0) return;
    reserves.delete(pool);
    await shared.pool.end();
  };
  return { pool: shared.pool, leave };
}

/** The reserve of the chats on this pool. undefined for a pool of our own. */
export const reserveOf = (pool: pg.Pool): pg.Pool | undefined => reserves.get(pool)?.pool;

function newReserve(pool: pg.Pool): pg.Pool {
  const { options } = pool;
  const reserve = new pg.Pool({
    ...options,
    // The pool hides its password from copies.
    password: options.password,
    Client: (options.Client as typeof pg.Client | undefined) ?? pg.Client,
    min: 0,
    max: RESERVED,
    idleTimeoutMillis: RESERVE_IDLE_MS,
    allowExitOnIdle: true,
    connectionTimeoutMillis: options.connectionTimeoutMillis || LIMITS.connect,
  });
  reserve.on('connect', (client) => {
    client.on('error', () => undefined);
    pool.emit('connect', client);
  });
  reserve.on('error', () => undefined);
  return reserve;
}

/**
 * Takes a connection from the pool. Discards connections that have not answered since another one was discarded.
 * @param limit timeout of each answer in milliseconds, after which the connection is discarded
 * @param reserve for a pool of the host
 */
export async function connect(
  pool: pg.Pool,
  { limit = Number.POSITIVE_INFINITY, reserve }: { limit?: number | undefined; reserve?: pg.Pool | undefined } = {},
): Promise<pg.PoolClient> {
  for (;;) {
    const client = await checkOut(pool, reserve);
    const line = lineOf(client);
    if (line.storages >= MAX_STORAGES) {
      discard(client);
      continue;
    }
    if (line.heardAt >= (doubtfulBefore.get(pool) ?? 0)) {
      Object.assign(line, { pool, limit });
      return client;
    }
    breakOff(client, 'another connection did not answer');
    discard(client);
  }
}

/** Closes a connection instead of returning it to its pool. */
export const discard = (client: pg.PoolClient): void => client.release(true);

async function checkOut(pool: pg.Pool, reserve?: pg.Pool): Promise<pg.PoolClient> {
  const connecting = reserve && isExhausted(pool) ? firstOf([pool, reserve]) : connectInTime(pool);
  return connecting.catch((error: unknown) => {
    const code = codeOf(error);
    const { message } = errorOf(error);
    if (message.includes('does not support SSL') && preferringTls.has(pool)) {
      pool.options.connectionString = withoutTls(present(pool.options.connectionString));
      return checkOut(pool, reserve);
    }
    if (message.startsWith('timeout exceeded')) {
      // The pool was exhausted. For a server that does not answer, pg has another message.
      const busy = `All ${pool.options.max} connections to ${placeOf(pool)} were busy for too long. Use a larger pool.`;
      throw new StorageError(busy, 'busy', { cause: error });
    }
    if (message.includes('unsupported startup parameter')) {
      const said = `${placeOf(pool)} refuses the timeouts of Parlance: ${message}. ${STARTUP}`;
      throw new StorageError(said, 'unsupported-engine', { cause: error });
    }
    const said = `${placeOf(pool)} cannot be reached: ${message || code}.`;
    // `busy` for too many connections, `unreachable` if there is no server.
    throw new StorageError(said, reasonOf(error) === 'busy' ? 'busy' : 'unreachable', { cause: error });
  });
}

/** Whether a request would wait until other code releases a connection. */
function isExhausted({ idleCount, totalCount, waitingCount, options }: pg.Pool): boolean {
  return idleCount + (options.max ?? 10) - totalCount <= waitingCount;
}

/** The first connection of several pools. One that arrives later is released at once. */
async function firstOf(pools: readonly pg.Pool[]): Promise<pg.PoolClient> {
  const attempts = pools.map(connectInTime);
  const first = await Promise.any(attempts).catch((failure: AggregateError) => Promise.reject(failure.errors[0]));
  for (const attempt of attempts) {
    attempt.then(
      (client) => client !== first && client.release(),
      () => undefined,
    );
  }
  return first;
}

/** A pool of the host may have no timeout. */
function connectInTime(pool: pg.Pool): Promise<pg.PoolClient> {
  const connecting = pool.connect();
  if (pool.options.connectionTimeoutMillis) return connecting;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error('timeout exceeded when trying to connect'));
      connecting.then(
        (client) => client.release(),
        () => undefined,
      );
    }, LIMITS.connect);
    connecting.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function withoutTls(address: string): string {
  const [place = '', query] = address.split('?', 2);
  const parameters = new URLSearchParams(query);
  parameters.set('sslmode', 'disable');
  return `${place}?${parameters}`;
}

const STARTUP =
  'In the settings of PgBouncer, write ignore_startup_parameters = lock_timeout,statement_timeout,idle_in_transaction_session_timeout.';

/** The pending statements of a connection. */
interface Line {
  pool?: pg.Pool;
  /** Timeout of each answer in milliseconds. */
  limit: number;
  /** The running statement, without pipelining. */
  running: Promise<unknown>;
  /** Statements without an answer. */
  owed: number;
  /** A COMMIT is among them. */
  isCommitting?: boolean;
  timer?: NodeJS.Timeout;
  /** Time of the last answer (`performance.now()`). */
  heardAt: number;
  /** Number of storages that have used it. Each has a schema. */
  storages: number;
}

/**
 * Storages that use a connection before it is closed. PostgreSQL keeps descriptions of all tables that a connection has
 * used: 0.8 MB for each schema (benchmark `shards_backend_kb`).
 */
const MAX_STORAGES = 100;

/** A storage uses this connection for the first time. */
export const countStorage = (client: pg.PoolClient): number => ++lineOf(client).storages;

const lines = new WeakMap<pg.PoolClient, Line>();
/** By pool: connections that last answered before this time may be dead, since another one was. */
const doubtfulBefore = new WeakMap<pg.Pool, number>();

function lineOf(client: pg.PoolClient): Line {
  let line = lines.get(client);
  if (!line) {
    line = {
      limit: Number.POSITIVE_INFINITY,
      running: Promise.resolve(),
      owed: 0,
      heardAt: performance.now(),
      storages: 0,
    };
    lines.set(client, line);
    // If a connection breaks between two statements, the next one fails. This error would end the process.
    client.on('error', () => undefined);
  }
  return line;
}

/**
 * Sends a statement without waiting for the answers of earlier ones. Connections of the host's pool may not support
 * pipelining: there it waits, since the queue inside pg is deprecated.
 */
export function send(client: pg.PoolClient, text: string): Promise<pg.QueryResult>;
export function send(client: pg.PoolClient, query: pg.QueryArrayConfig): Promise<pg.QueryArrayResult<SqlValue[]>>;
export function send(client: pg.PoolClient, query: string | pg.QueryArrayConfig): Promise<unknown> {
  const line = lineOf(client);
  const sendNow = () => client.query(query as string);
  const sent = client.pipeline ? sendNow() : line.running.then(sendNow);
  if (!client.pipeline) line.running = sent.catch(() => undefined);
  if (line.limit === Number.POSITIVE_INFINITY) return sent;
  if (line.owed === 0) line.isCommitting = false;
  line.isCommitting ||= query === 'COMMIT';
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
    if (line.pool) doubtfulBefore.set(line.pool, Math.max(doubtfulBefore.get(line.pool) ?? 0, since));
    const seconds = line.limit / 1000;
    breakOff(client, line.isCommitting ? noCommit(seconds) : `no answer within ${seconds} s`);
  }, line.limit);
}

const noCommit = (seconds: number) =>
  `no answer to COMMIT within ${seconds} s. If synchronous_standby_names is set, check whether a synchronous standby is connected`;

/** Fails all pending statements. `client.end()` would wait for their answers. */
function breakOff(client: pg.PoolClient, why: string): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  stream.destroy(Object.assign(new Error(why), { code: 'ETIMEDOUT' }));
}

/** A connection with the options of the pool, outside of it. */
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

/** Display name of the server. Never show more of the URL: it contains the password. */
export function placeOf(pool: pg.Pool): string {
  const { host, port, database } = newClient(pool);
  return `PostgreSQL at ${host}:${port}/${database}`;
}
