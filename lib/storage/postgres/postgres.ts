import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { ExportScope, ExportSource } from '../interface/export.ts';
import type { ForeignCommit, OpenOptions, ReadExtent, Storage, Transaction, WriteKind } from '../interface/storage.ts';
import { exportSource } from '../maintenance/export-rows.ts';
import type { ChangeOptions, Keepable, RefillOptions } from '../maintenance/tables.ts';
import { migrations } from '../migrations/index.ts';
import { type Migration, newestOf } from '../migrations/migration.ts';
import { Semaphore } from '../semaphore.ts';
import type { Connection } from '../sql/connection.ts';
import { isMoved, StorageError, type StorageErrorReason } from '../storage-error.ts';
import { checkSchema, readAddress } from './address.ts';
import { type CommitListener, listenerOf } from './commit-listener.ts';
import { explain, reasonOf } from './errors.ts';
import { GroupCommit } from './group-commit.ts';
import { changeSchema, checkSchemaReferences, inspectSchema, refillSchema } from './keeping.ts';
import { keysOf } from './keys.ts';
import { prepareSchema } from './opening.ts';
import { connect, discard, joinReserve, newPool, placeOf, type Reserve } from './pool.ts';
import { Transactions } from './transactions.ts';
import { WRITE_KINDS } from './write-kinds.ts';

/** Options of `postgres`. */
export interface PostgresOptions {
  /**
   * Schema for the tables, created if necessary, at most 63 bytes. Default: `schema` in the URL, or the current schema.
   */
  schema?: string;
  /** URL for LISTEN, directly to the server. Needed if `url` leads to a pooler. Default: `url`. */
  listenUrl?: string;
  /**
   * Whether to use named prepared statements, which is faster. Default true. Set false for PgBouncer before 1.21 in
   * transaction mode. In a URL: `prepared_statements=false`.
   */
  preparedStatements?: boolean;
  /** Most connections of the pool, without the one for LISTEN. Default 10. Only with a URL. */
  poolSize?: number;
}

/**
 * Stores the chat in PostgreSQL 13 or later. Several processes may share the database.
 *
 * With a URL, the storage creates its own pool. Timeouts: 10 s to connect, 8 s for a lock, 8 s for a statement and 10 s
 * for an idle transaction. Exclusive writes and large reads have 20 s, 30 s and 30 s. A connection that does not answer
 * within 10 s (35 s for those) is closed. Migrations and backups have no timeouts.
 *
 * With a `pool`, your timeouts apply: set `statement_timeout`, `query_timeout` and `keepAlive`. Without a `lock_timeout`
 * of yours, writes wait 8 s for a lock. `close` does not end it.
 * While your code holds all connections of the pool, the chat opens up to two of its own, with the same options and
 * `connect` listeners. So calls never wait for their caller. Pass a pool to use a pooler like PgBouncer, which must
 * support prepared statements and may reject the timeouts above.
 *
 * One more connection of each pool listens for commits of other processes. It must reach the server directly. Storages
 * of many schemas can share a pool, see `openTenants`.
 * @example const chat = await openChat({ storage: postgres('postgres://chat@localhost/chat') });
 */
export function postgres(url: string | { pool: pg.Pool }, options: PostgresOptions = {}): PostgresStorage {
  if (typeof url !== 'string') return new PostgresStorage(url.pool, { ...options, ownsPool: false });
  const { url: rest, schema, prefersTls, ...how } = readAddress(url);
  const pool = newPool(rest, options.poolSize ?? 10, { prefersTls });
  return new PostgresStorage(pool, { ...how, ...options, schema: options.schema ?? schema, ownsPool: true });
}

/**
 * Seconds after which an unfinished write makes `checkWritable` throw. Some seconds less than `LIMITS.answer`: then a
 * write without an answer ends, and on a new connection the next one may succeed.
 */
const LONGEST_WRITE = 7;

/** After these failures, the next write may fail too. */
const DOUBTS = new Set<StorageErrorReason | undefined>(['busy', 'full', 'io', 'read-only', 'unreachable']);

interface OpenDatabase {
  schema: string;
  transactions: Transactions;
  groups: GroupCommit;
}

/** A storage in PostgreSQL, as `postgres()` returns it. */
export class PostgresStorage implements Storage, Keepable {
  readonly #pool: pg.Pool;
  readonly #ownsPool: boolean;
  readonly #reserve: Reserve | undefined;
  readonly #schema: string | undefined;
  readonly #known: readonly Migration[];
  readonly #options: Pick<PostgresOptions, 'preparedStatements'>;
  readonly #id = randomUUID();
  readonly #commitListeners: { listener: (commit: ForeignCommit) => void; isAwaited: () => boolean }[] = [];
  readonly #running = new Set<Promise<unknown>>();
  /** Start times of unfinished writes (`performance.now()`), oldest first. */
  readonly #writing = new Map<Promise<unknown>, number>();
  /** One exclusive write of this process at a time waits at the server. */
  readonly #exclusive = new Semaphore(1);
  /** One connection always stays free for reads. */
  readonly #writers: Semaphore;
  /** Large reads, and writes other than `append`, share a few connections, so that small ones always find one. */
  readonly #farReads: Semaphore;
  readonly #marks: Semaphore;
  // Fewer than `#farReads`, so that `large` reads need not wait for scans.
  readonly scans: number;
  /** While the database works for one, the process works for another. */
  readonly places = 2;
  readonly #listener: CommitListener;
  #opened: OpenDatabase | undefined;
  #stopListening: (() => Promise<void>) | undefined;
  #closed = false;
  /** Why `openTenants` closes it: requests that are still running get this error. */
  #moved: StorageError | undefined;
  /** The database has failed, so `checkWritable` makes a test write. */
  #isDoubtful = false;
  #testWrite: Promise<void> | undefined;

  constructor(
    pool: pg.Pool,
    options: Pick<PostgresOptions, 'listenUrl' | 'preparedStatements'> & {
      schema?: string | undefined;
      ownsPool: boolean;
      known?: readonly Migration[];
    },
  ) {
    const { schema, ownsPool, known = migrations } = options;
    if (schema !== undefined) checkSchema(schema);
    this.#options = options;
    this.#pool = pool;
    this.#known = known;
    this.#schema = schema;
    this.#ownsPool = ownsPool;
    this.#reserve = ownsPool ? undefined : joinReserve(pool);
    this.#listener = listenerOf(pool, options.listenUrl);
    const connections = pool.options.max ?? 10;
    this.#writers = new Semaphore(Math.max(1, connections - 1));
    this.#marks = new Semaphore(Math.max(1, Math.floor(connections * 0.3)));
    this.scans = Math.max(1, Math.floor(connections * 0.2));
    this.#farReads = new Semaphore(Math.max(this.scans + 1, Math.floor(connections * 0.3)));
  }

  /** Number of statements so far, without BEGIN, COMMIT and ROLLBACK. */
  get statements(): number {
    return this.#opened?.transactions.sent.statements ?? 0;
  }

  async open(options: OpenOptions = {}): Promise<void> {
    const client = await connect(this.#pool, { reserve: this.#reserve?.pool });
    let schema: string;
    try {
      schema = await prepareSchema(client, this.#schema, {
        place: placeOf(this.#pool),
        known: this.#known,
        ...options,
      });
      await this.#listener.clock.measure(client);
      client.release();
    } catch (error) {
      discard(client);
      throw explain(error, () => placeOf(this.#pool));
    }
    const transactions = new Transactions(this.#pool, schema, {
      isOwnSchema: this.#ownsPool && this.#schema === undefined,
      ownId: this.#id,
      knownSchema: newestOf(this.#known),
      reserve: this.#reserve?.pool,
      isPreparing: this.#options.preparedStatements ?? true,
      onRewind: () => this.#tell({ changes: true, dueWork: true, isRewound: true }),
    });
    await transactions.checkOrigin().catch(this.#rethrow);
    this.#opened = { schema, transactions, groups: new GroupCommit(transactions, this.#writers) };
    this.#listen();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    // Idle connections do not keep the program alive, so waiting for their end must.
    const alive = setInterval(() => undefined, 60_000);
    try {
      await this.#stopListening?.();
      await Promise.allSettled(this.#running);
      await (this.#reserve ? this.#reserve.leave() : this.#pool.end());
    } finally {
      clearInterval(alive);
    }
  }

  read<T>(work: (tx: Transaction) => Promise<T>, extent?: ReadExtent): Promise<T> {
    return this.#run(({ transactions }) => {
      const read = () => transactions.read(work, { isFar: extent !== undefined });
      return extent === undefined ? read() : this.#farReads.run(read);
    });
  }

  write<T>(work: (tx: Transaction) => Promise<T>, kind: WriteKind = 'write'): Promise<T> {
    if (WRITE_KINDS[kind].isGrouped) return this.#runWrite(({ groups }) => groups.add(work));
    return this.#write(kind, (transactions) => transactions.write(kind, work));
  }

  writeWithin<T>(connection: object, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#run(({ transactions }) => transactions.within(connection as pg.PoolClient, work));
  }

  dryRun<T>(work: (tx: Transaction) => Promise<T>, kind: WriteKind = 'write'): Promise<T> {
    return this.#write(kind, (transactions) => transactions.dryRun(kind, work));
  }

  async checkWritable(): Promise<void> {
    this.#usable();
    const [began = Number.POSITIVE_INFINITY] = this.#writing.values();
    const seconds = Math.floor((performance.now() - began) / 1000);
    if (seconds >= LONGEST_WRITE) {
      const place = placeOf(this.#pool);
      throw new StorageError(
        `A write to ${place} has been waiting for ${seconds} s. Check its locks and load.`,
        'busy',
      );
    }
    if (!this.#isDoubtful) return;
    this.#testWrite ??= this.#run(({ transactions }) => transactions.testWrite()).finally(() => {
      this.#testWrite = undefined;
    });
    await this.#testWrite;
    this.#isDoubtful = false;
  }

  get commits(): { groups: number; writes: number } | undefined {
    return this.#opened?.groups.done;
  }

  get clockOffsetMs(): number {
    return this.#listener.clock.offsetMs;
  }

  inspect<T>(
    work: (connection: Connection, version: number) => Promise<T>,
    options?: { isOfAnyVersion?: boolean },
  ): Promise<T> {
    return inspectSchema(this.#place, work, options).catch(this.#rethrow);
  }

  exportRows<T>(scope: ExportScope, work: (source: ExportSource) => Promise<T>): Promise<T> {
    return this.inspect(async (connection, version) => work(await exportSource(connection, version, scope)));
  }

  refill<T>(options: RefillOptions, work: (connection: Connection) => Promise<T>): Promise<T> {
    return refillSchema(this.#place, options, work).catch(this.#rethrow);
  }

  change<T>(work: (connection: Connection) => Promise<T>, options?: ChangeOptions): Promise<T> {
    return changeSchema(this.#place, work, options).catch(this.#rethrow);
  }

  checkReferences(): Promise<void> {
    return checkSchemaReferences(this.#place).catch(this.#rethrow);
  }

  get #place() {
    return { pool: this.#pool, schema: this.#schema, name: placeOf(this.#pool), known: this.#known };
  }

  readonly #rethrow = (error: unknown): never => {
    throw explain(error, () => placeOf(this.#pool));
  };

  onForeignCommit(listener: (commit: ForeignCommit) => void, isAwaited: () => boolean = () => true): void {
    this.#commitListeners.push({ listener, isAwaited });
    this.#listen();
  }

  #write<T>(kind: WriteKind, write: (transactions: Transactions) => Promise<T>): Promise<T> {
    const turns = WRITE_KINDS[kind].lock === 'exclusive' ? this.#exclusive : this.#marks;
    return this.#runWrite(({ transactions }) => turns.run(() => this.#writers.run(() => write(transactions))));
  }

  #runWrite<T>(work: (opened: OpenDatabase) => Promise<T>): Promise<T> {
    const running = this.#run(work);
    this.#writing.set(running, performance.now());
    const ended = () => void this.#writing.delete(running);
    running.then(ended, ended);
    return running;
  }

  #usable(): OpenDatabase {
    if (!this.#closed && this.#opened) return this.#opened;
    if (this.#moved) throw this.#moved;
    const state = this.#closed ? 'has been closed' : 'is not open yet: call openChat first';
    throw new StorageError(`The storage ${state}.`, 'closed');
  }

  async #run<T>(work: (opened: OpenDatabase) => Promise<T>): Promise<T> {
    const running = work(this.#usable());
    this.#running.add(running);
    try {
      return await running;
    } catch (error) {
      if (isMoved(error)) this.#tellMoved(error);
      this.#isDoubtful ||= DOUBTS.has(error instanceof StorageError ? error.reason : reasonOf(error));
      throw explain(error, () => placeOf(this.#pool));
    } finally {
      this.#running.delete(running);
    }
  }

  #tellMoved(refusal: StorageError): void {
    this.#moved = refusal;
    this.#tell({ changes: false, dueWork: false, isMoved: true });
  }

  #tell(commit: ForeignCommit): void {
    for (const { listener } of this.#commitListeners) listener(commit);
  }

  #listen(): void {
    if (this.#stopListening || !this.#opened || this.#closed || this.#commitListeners.length === 0) return;
    const subscriber = {
      schema: this.#opened.schema,
      keys: keysOf(this.#opened.schema),
      ownId: this.#id,
      onCommit: (commit: ForeignCommit) => this.#tell(commit),
      isAwaited: () => this.#commitListeners.some(({ isAwaited }) => isAwaited()),
      onConnect: () => this.#opened?.transactions.checkOrigin(),
    };
    this.#listener.add(subscriber);
    this.#stopListening = () => this.#listener.remove(subscriber);
  }
}
