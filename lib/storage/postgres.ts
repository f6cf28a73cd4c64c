import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Storage, Transaction } from './interface/storage.ts';
import { migrate } from './migrations/index.ts';
import { CommitListener } from './postgres/commit-listener.ts';
import { PostgresConnection } from './postgres/connection.ts';
import { Gate } from './postgres/gate.ts';
import { type Keys, keysOf } from './postgres/keys.ts';
import { SqlTransaction } from './sql/transaction.ts';
import { StorageError } from './storage-error.ts';

export interface PostgresOptions {
  /** Keeps the organization in this schema, made if need be; else in the connection's own. */
  schema?: string;
  /** Connections at most, 10 by default; one more listens for other processes. For a pool of our own. */
  poolSize?: number;
}

/** Every failure is answered within these, milliseconds; a host's own pool keeps its own limits. */
const TIMEOUTS = {
  connectionTimeoutMillis: 10_000,
  lock_timeout: 20_000,
  statement_timeout: 30_000,
  idle_in_transaction_session_timeout: 30_000,
};

const ATTEMPTS = 8;
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';
const DUPLICATE_TABLE = '42P07';

/**
 * An organization in PostgreSQL 13 or later, which many processes may share.
 *
 * Given a URL, the storage makes a pool of its own: 10 s to connect, 20 s for a lock, 30 s for a
 * statement, and a transaction left idle for 30 s is ended by the server, so a process that hangs
 * does not hold the others up for longer. A `pool` given stays the host's: its limits apply, it
 * should have at least two connections, and it is not ended on `close`. Give one to go through a
 * pooler such as PgBouncer, which must know about prepared statements and may refuse our limits.
 * Other processes' commits are heard on one connection more, which must reach the server itself.
 */
export function postgres(url: string | { pool: pg.Pool }, options: PostgresOptions = {}): PostgresStorage {
  if (typeof url !== 'string') return new PostgresStorage(url.pool, options.schema, false);
  const pool = new pg.Pool({
    connectionString: url,
    max: options.poolSize ?? 10,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    allowExitOnIdle: true,
    pipeline: true,
    fallback_application_name: 'parlance',
    ...TIMEOUTS,
  });
  // An idle connection that breaks is replaced by the pool; unheard, its error would end the process.
  pool.on('error', () => undefined);
  return new PostgresStorage(pool, options.schema, true);
}

interface Session {
  connection: PostgresConnection;
  transaction: SqlTransaction;
}

/** What follows from the schema: the keys, and how transactions begin and end. */
interface Opened {
  keys: Keys;
  begin: Record<'read' | 'exclusive' | 'shared', string>;
  commit: string;
}

/** Connections whose errors are listened to; a host's pool outlives our storages. */
const heard = new WeakSet<pg.PoolClient>();

export class PostgresStorage implements Storage {
  readonly #pool: pg.Pool;
  readonly #ownsPool: boolean;
  readonly #schema: string | undefined;
  readonly #id = randomUUID();
  readonly #sent = { statements: 0 };
  readonly #sessions = new WeakMap<pg.PoolClient, Session>();
  readonly #commitListeners: (() => void)[] = [];
  readonly #running = new Set<Promise<unknown>>();
  /** Only one exclusive write of this process waits at the server, and one connection stays free to readers. */
  readonly #exclusive = new Gate(1);
  readonly #writers: Gate;
  #opened: Opened | undefined;
  #listener: CommitListener | undefined;
  #closed = false;

  constructor(pool: pg.Pool, schema: string | undefined, ownsPool: boolean) {
    this.#pool = pool;
    this.#schema = schema;
    this.#ownsPool = ownsPool;
    this.#writers = new Gate(Math.max(1, (pool.options.max ?? 10) - 1));
  }

  /** Statements sent so far, those that open and close transactions left out. */
  get statements(): number {
    return this.#sent.statements;
  }

  async open(): Promise<void> {
    const client = await this.#connect();
    let schema: string;
    try {
      schema = await this.#checkServer(client);
      await this.#migrate(client, schema);
      client.release();
    } catch (error) {
      client.release(true);
      throw error;
    }
    this.#opened = this.#texts(schema);
    this.#listen();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    // Idle connections do not keep the program alive, so waiting for their end must.
    const alive = setInterval(() => undefined, 60_000);
    try {
      await this.#listener?.stop();
      await Promise.allSettled(this.#running);
      if (this.#ownsPool) await this.#pool.end();
    } finally {
      clearInterval(alive);
    }
  }

  read<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#run(() => this.#readOnce(work));
  }

  write<T>(work: (tx: Transaction) => Promise<T>, options: { shared?: boolean } = {}): Promise<T> {
    return this.#run(() =>
      options.shared
        ? this.#writers.pass(() => this.#writeRepeatedly('shared', work))
        : this.#exclusive.pass(() => this.#writers.pass(() => this.#writeRepeatedly('exclusive', work))),
    );
  }

  onForeignCommit(listener: () => void): void {
    this.#commitListeners.push(listener);
    this.#listen();
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closed || !this.#opened) {
      throw new StorageError(`The storage ${this.#closed ? 'has been closed' : 'is not open yet'}.`, 'closed');
    }
    const running = work();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  async #readOnce<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const client = await this.#connect();
    try {
      // The first statement need not wait for the answer: should BEGIN fail, the connection is broken.
      const begun = client.query(this.#ready.begin.read);
      begun.catch(() => undefined);
      const result = await work(this.#sessionOn(client).transaction);
      await begun;
      // Nothing is at stake any more; the caller need not wait for the end.
      client.query('COMMIT').then(
        () => client.release(),
        () => client.release(true),
      );
      return result;
    } catch (error) {
      await this.#rollBack(client);
      throw error;
    }
  }

  async #writeRepeatedly<T>(kind: 'exclusive' | 'shared', work: (tx: Transaction) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#writeOnce(kind, work);
      } catch (error) {
        const code = (error as { code?: unknown }).code;
        if ((code !== SERIALIZATION_FAILURE && code !== DEADLOCK) || attempt === ATTEMPTS) throw error;
        await new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(500, 10 * 2 ** attempt)));
      }
    }
  }

  async #writeOnce<T>(kind: 'exclusive' | 'shared', work: (tx: Transaction) => Promise<T>): Promise<T> {
    const client = await this.#connect();
    const { connection, transaction } = this.#sessionOn(client);
    const begun = client.query(this.#ready.begin[kind]);
    const refusal = begun.then(
      () => undefined,
      (error: unknown) => error,
    );
    try {
      // A shared one's first statement need not wait for the lock: behind a lock refused it is refused too.
      if (kind === 'exclusive') await begun;
      const result = await work(transaction);
      await begun;
      await client.query(this.#ready.commit);
      client.release();
      return result;
    } catch (error) {
      await this.#rollBack(client);
      throw (await refusal) ?? connection.takeRefusal() ?? error;
    }
  }

  async #rollBack(client: pg.PoolClient): Promise<void> {
    await client.query('ROLLBACK').then(
      () => client.release(),
      () => client.release(true),
    );
  }

  async #checkServer(client: pg.PoolClient): Promise<string> {
    const { rows } = await client.query<{ version: string; schema: string | null }>(
      "SELECT current_setting('server_version_num') AS version, current_schema() AS schema",
    );
    if (Number(rows[0]?.version) < 130000) {
      throw new StorageError(`${this.#place()} is older than version 13.`, 'unsupported-engine');
    }
    const schema = this.#schema ?? rows[0]?.schema;
    if (!schema) {
      throw new StorageError(`${this.#place()} has no schema in its search path; name one.`, 'not-a-database');
    }
    return schema;
  }

  /** Processes that start together take turns; a large migration may take its time. */
  async #migrate(client: pg.PoolClient, schema: string): Promise<void> {
    const keys = keysOf(schema);
    const name = pg.escapeIdentifier(schema);
    await client.query('BEGIN; SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0');
    await client.query(`SELECT pg_advisory_xact_lock(${keys.migrations})`);
    // Asked first, since making one takes a right that using one does not.
    const { rowCount } = await client.query('SELECT FROM pg_namespace WHERE nspname = $1', [schema]);
    if (rowCount === 0) await client.query(`CREATE SCHEMA ${name}`);
    await client.query(`SET LOCAL search_path TO ${name}`);
    try {
      const connection = new PostgresConnection(client, keys, { statements: 0 });
      await migrate(connection, (script) => client.query(script), `${this.#place()}, schema ${name},`);
    } catch (error) {
      if ((error as { code?: unknown }).code !== DUPLICATE_TABLE) throw error;
      const message = `${this.#place()}, schema ${name}, holds tables of something else.`;
      throw new StorageError(message, 'foreign-application', { cause: error });
    }
    await client.query('COMMIT');
  }

  #texts(schema: string): Opened {
    const keys = keysOf(schema);
    // For the transaction only: a host's pool serves others too.
    const path = this.#schema === undefined ? '' : `SET LOCAL search_path TO ${pg.escapeIdentifier(schema)};`;
    const write = `BEGIN ISOLATION LEVEL READ COMMITTED; ${path}`;
    return {
      keys,
      begin: {
        read: `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${path}`,
        exclusive: `${write} SELECT pg_advisory_xact_lock(${keys.writers})`,
        shared: `${write} SELECT pg_advisory_xact_lock_shared(${keys.writers})`,
      },
      // A transaction that changed nothing has no number, and wakes nobody.
      commit: `SELECT pg_notify('${keys.channel}', '${this.#id}')
        WHERE pg_current_xact_id_if_assigned() IS NOT NULL; COMMIT`,
    };
  }

  async #connect(): Promise<pg.PoolClient> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw this.#unreachable(error);
    });
    if (!heard.has(client)) {
      heard.add(client);
      // A connection may break between two statements; the next statement tells, this would end the process.
      client.on('error', () => undefined);
    }
    return client;
  }

  #unreachable(error: unknown): StorageError {
    const { code, message } = error as { code?: string; message?: string };
    return new StorageError(`${this.#place()} cannot be reached: ${message || code}.`, 'unreachable', { cause: error });
  }

  /** Never more of the URL than this: it carries the password. */
  #place(): string {
    const { host, port, database } = this.#newClient();
    return `PostgreSQL at ${host}:${port}/${database}`;
  }

  #newClient(): pg.Client {
    const { options } = this.#pool;
    // The pool hides its password from copies.
    const config = { ...options, password: options.password, pipeline: false };
    return new ((options.Client as typeof pg.Client | undefined) ?? pg.Client)(config);
  }

  #sessionOn(client: pg.PoolClient): Session {
    let session = this.#sessions.get(client);
    if (!session) {
      const connection = new PostgresConnection(client, this.#ready.keys, this.#sent);
      session = { connection, transaction: new SqlTransaction(connection) };
      this.#sessions.set(client, session);
    }
    return session;
  }

  #listen(): void {
    if (this.#listener || !this.#opened || this.#closed || this.#commitListeners.length === 0) return;
    this.#listener = new CommitListener({
      connect: () => this.#newClient(),
      channel: this.#opened.keys.channel,
      ownId: this.#id,
      onCommit: () => {
        for (const listener of this.#commitListeners) listener();
      },
    });
    this.#listener.start();
  }

  get #ready() {
    if (!this.#opened) throw new StorageError('The storage is not open yet.', 'closed');
    return this.#opened;
  }
}
