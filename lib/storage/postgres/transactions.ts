import pg from 'pg';
import { codeOf } from '../../base/caught.ts';
import type { WriteKind } from '../interface/storage.ts';
import { type Concurrency, SnapshotAnswers } from '../sql/connection.ts';
import { events } from '../sql/events.ts';
import { JobConnection, type Work } from '../sql/transaction.ts';
import { type Answer, PostgresConnection } from './connection.ts';
import { reasonOf } from './errors.ts';
import { ForeseenVersions, Group, isRefused, isSpoiled, LatestVersions, OutdatedVersions } from './group.ts';
import { type Keys, keysOf } from './keys.ts';
import { originOf, storeOrigin } from './origin.ts';
import { connect, countStorage, discard, LIMITS, LONG_LIMITS, send } from './pool.ts';
import { performWithin } from './within.ts';
import { WRITE_KINDS } from './write-kinds.ts';

const MAX_ATTEMPTS = 8;
/** A read keeps no answers with more rows, so that reading in parts takes the memory of one part. */
const MAX_KEPT_ROWS = 1_000;
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';
const READ_ONLY = '25006';

interface TransactionOptions {
  /** The search path of the connection already starts with the schema. Otherwise each transaction sets it. */
  isOwnSchema: boolean;
  /** The payload of notifications of this process. */
  ownId: string;
  knownSchema: number;
  /** Only for a pool of the host, which keeps the host's limits. Without it, `LIMITS` apply. */
  reserve: pg.Pool | undefined;
  /** Uses named prepared statements. */
  isPreparing: boolean;
  /** Called when the database continues from an older state than this process may have read. */
  onRewind: () => void;
}

/** Transactions in one schema, each on a connection of the pool. */
export class Transactions {
  readonly #pool: pg.Pool;
  readonly #keys: Keys;
  readonly #begin: Readonly<Record<'read' | 'farRead' | 'exclusive' | 'shared' | 'testWrite' | 'testCommit', string>>;
  readonly #connections = new WeakMap<pg.PoolClient, PostgresConnection>();
  readonly #schema: string;
  /** The history that this process has read from; see `originOf`. */
  #origin: string | undefined;
  /** Number of statements so far, without BEGIN, COMMIT and ROLLBACK. */
  readonly sent = { statements: 0 };
  readonly #versions = new LatestVersions();
  readonly #options: TransactionOptions;

  constructor(pool: pg.Pool, schema: string, options: TransactionOptions) {
    this.#options = options;
    this.#schema = schema;
    this.#pool = pool;
    this.#keys = keysOf(schema);
    // Only for the transaction: a pool of the host is used by other code too.
    const path = options.isOwnSchema ? '' : `SET LOCAL search_path TO ${pg.escapeIdentifier(schema)};`;
    // A transaction of the host may hold the locks of a write, and wait for this one.
    const patience = options.reserve
      ? `SELECT set_config('lock_timeout', '${LIMITS.lock}', true) WHERE current_setting('lock_timeout') = '0';`
      : '';
    const write = `BEGIN ISOLATION LEVEL READ COMMITTED; ${path} ${patience}`;
    const read = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${path}`;
    const { lock, statement, idleInTransaction } = LONG_LIMITS;
    const long = !options.reserve
      ? `SET LOCAL lock_timeout = ${lock}; SET LOCAL statement_timeout = ${statement}; ` +
        `SET LOCAL idle_in_transaction_session_timeout = ${idleInTransaction};`
      : '';
    this.#begin = {
      read,
      farRead: `${read} ${long}`,
      exclusive: `${write} ${long} SELECT pg_advisory_xact_lock(${this.#keys.writers})`,
      shared: `${write} SELECT pg_advisory_xact_lock_shared(${this.#keys.writers})`,
      testWrite: `${write} CREATE TABLE parlance_trial AS SELECT repeat('x', 1000) FROM generate_series(1, 64)`,
      testCommit: `${write} SELECT pg_advisory_xact_lock(${this.#keys.appends}); SELECT pg_logical_emit_message(true, 'parlance', '')`,
    };
  }

  async read<T>(work: Work<T>, { isFar = false } = {}): Promise<T> {
    const client = await this.#connect({ isLong: isFar });
    const connection = this.#connectionOn(client);
    try {
      // The first statement does not wait for BEGIN: if BEGIN fails, the connection is broken anyway.
      const answers = new SnapshotAnswers<Answer>(({ rows }) => rows.length <= MAX_KEPT_ROWS);
      const begun = connection.begin(isFar ? this.#begin.farRead : this.#begin.read, answers);
      begun.catch(() => undefined);
      const result = await new JobConnection(connection).perform(work, { mayWait: true });
      await begun;
      // A read has nothing to lose: the caller need not wait for COMMIT.
      send(client, 'COMMIT').then(
        () => client.release(),
        () => discard(client),
      );
      return result;
    } catch (error) {
      await rollBack(client);
      throw connection.refusal ?? error;
    }
  }

  write<T>(kind: WriteKind, work: Work<T>): Promise<T> {
    return this.#retried((attempt) => this.#writeOnce(kind, work, attempt));
  }

  /** Rolled back after the work. */
  dryRun<T>(kind: WriteKind, work: Work<T>): Promise<T> {
    return this.#retried((attempt) => this.#writeOnce(kind, work, { ...attempt, isDryRun: true }));
  }

  /** After serialization failures and deadlocks, and if the transaction has used outdated versions. */
  async #retried<T>(run: (attempt: { mayForesee: boolean }) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await run({ mayForesee: attempt === 1 });
      } catch (error) {
        if (error instanceof OutdatedVersions) continue;
        const code = codeOf(error);
        if ((code !== SERIALIZATION_FAILURE && code !== DEADLOCK) || attempt === MAX_ATTEMPTS) throw error;
        await new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(500, 10 * 2 ** attempt)));
      }
    }
  }

  /**
   * Runs shared writes in one transaction. If it is not committed, the caller must run each alone, or all together
   * again after `isMistaken`: they have used outdated versions. Throws if it is unknown whether the transaction was
   * committed.
   */
  async group(works: readonly Work<unknown>[], options: { mayForesee: boolean }) {
    const client = await this.#connect();
    const connection = this.#connectionOn(client);
    const begun = connection.begin(this.#begin.shared);
    begun.catch(() => undefined);
    const versions = new ForeseenVersions(this.#versions, options);
    const group = new Group(connection, versions);
    const outcomes = await group.perform(works);
    const { isMistaken } = versions;
    if (isMistaken || outcomes.some(isSpoiled)) {
      await rollBack(client, ...outcomes.flatMap((outcome) => ('error' in outcome ? [outcome.error] : [])));
      return { outcomes, isCommitted: false, isMistaken };
    }
    const hint = this.#hintOf(connection, { notifies: true, hasChanges: group.hasChanges });
    try {
      await this.#commit(client, [begun, group.appendEvents()], hint);
    } catch (error) {
      await rollBack(client, error);
      if (isRefused(error)) return { outcomes, isCommitted: false, isMistaken };
      throw error;
    }
    return { outcomes, isCommitted: true, isMistaken };
  }

  /** Runs a shared write in the open transaction of the host. Not retried, since the host's statements cannot be. */
  async within<T>(client: pg.PoolClient, work: Work<T>): Promise<T> {
    const notify = (payload: string, { hasDueWork }: { hasDueWork: boolean }) =>
      this.#notify([this.#keys.commits, ...(hasDueWork ? [this.#keys.dueWork] : [])], payload);
    const { knownSchema } = this.#options;
    const place = { schema: this.#schema, keys: this.#keys, sent: this.sent, origin: this.#origin };
    return performWithin(client, { ...place, knownSchema, notify }, work);
  }

  async #writeOnce<T>(
    kind: WriteKind,
    work: Work<T>,
    { mayForesee, isDryRun = false }: { mayForesee: boolean; isDryRun?: boolean },
  ): Promise<T> {
    const { lock, notifies } = WRITE_KINDS[kind];
    const client = await this.#connect({ isLong: lock === 'exclusive' });
    const connection = this.#connectionOn(client);
    const job = new JobConnection(connection);
    const appending: Promise<void>[] = [];
    const appendEvents: Concurrency['appendEvents'] = (...given) => {
      const appended = events.append(connection, ...given);
      appended.catch(() => undefined);
      appending.push(appended);
    };
    // A transaction that never commits needs no position in the commit order, so it takes no lock of the log.
    const own = isDryRun ? { serializeAppends: () => undefined } : { appendEvents };
    job.concurrency = { ...connection.concurrency, ...own };
    const end = lock === 'exclusive' ? this.#versions.beginExclusive() : this.#foresee(job, { mayForesee });
    const begun = connection.begin(this.#begin[lock]);
    const refusal = begun.then(
      () => undefined,
      (error: unknown) => error,
    );
    try {
      // The first statement of a shared write does not wait for the lock: if the lock fails, so does the statement.
      if (lock === 'exclusive') await begun;
      const result = await job.perform(work);
      if (isDryRun) {
        await Promise.all([begun, send(client, 'ROLLBACK')]);
        client.release();
        return result;
      }
      const hasChanges = job.writes > 0 || appending.length > 0;
      const hint = this.#hintOf(connection, { notifies, hasChanges });
      await this.#commit(client, [begun, ...appending], hint);
      return result;
    } catch (error) {
      await rollBack(client, error);
      throw (await refusal) ?? connection.refusal ?? error;
    } finally {
      end?.();
    }
  }

  #foresee(job: JobConnection, options: { mayForesee: boolean }): undefined {
    const versions = new ForeseenVersions(this.#versions, options);
    job.check = () => versions.check();
    job.foresee = (load, answered) => {
      // Later reads of the versions must see the changes of the work.
      job.foresee = undefined;
      return versions.foresee(load, answered);
    };
  }

  /** Writes and rolls back some pages of a table. Then commits like a sender, to test a synchronous standby too. */
  async testWrite(): Promise<void> {
    const client = await this.#connect();
    // Ignore missing privileges: they say nothing about writes of the chat.
    const unlessRefused = (error: unknown) => {
      if (reasonOf(error) !== undefined) throw error;
    };
    try {
      await send(client, this.#begin.testWrite).catch(unlessRefused);
      await send(client, 'ROLLBACK');
      await send(client, this.#begin.testCommit).catch(unlessRefused);
      await send(client, 'COMMIT');
    } finally {
      await rollBack(client);
    }
  }

  async #connect({ isLong = false } = {}): Promise<pg.PoolClient> {
    const { answer } = isLong ? LONG_LIMITS : LIMITS;
    const { reserve } = this.#options;
    const client = await connect(this.#pool, { reserve, limit: reserve ? undefined : answer });
    if (!this.#connections.has(client)) await this.#checkOrigin(client);
    return client;
  }

  /** A new connection may lead to a promoted standby or a restored database. */
  async #checkOrigin(client: pg.PoolClient): Promise<void> {
    try {
      const origin = await originOf(client, this.#schema);
      if (origin === undefined || origin === this.#origin) return;
      await storeOrigin(client, this.#schema, this.#keys, origin);
      const isKnown = this.#origin !== undefined && this.#origin !== origin;
      this.#origin = origin;
      if (isKnown) this.#options.onRewind();
    } catch (error) {
      discard(client);
      throw error;
    }
  }

  /** Checks the origin after the LISTEN connection was renewed: a pooler may keep its client connections open. */
  async checkOrigin(): Promise<void> {
    const client = await connect(this.#pool, { reserve: this.#options.reserve });
    await this.#checkOrigin(client);
    client.release();
  }

  /**
   * Commits and releases the connection. The hint to other processes follows as a transaction of its own, which the
   * caller does not wait for. From NOTIFY to the end of its commit, a transaction holds a lock that all databases of the
   * server share. With changes, its commit takes until they are on disk.
   */
  async #commit(client: pg.PoolClient, earlier: readonly Promise<unknown>[], hint: string | undefined): Promise<void> {
    const committed = Promise.all([...earlier, send(client, 'COMMIT')]);
    const hinted = hint === undefined ? undefined : send(client, hint);
    hinted?.catch(() => undefined);
    try {
      await committed;
    } catch (error) {
      // Perhaps it was committed.
      if (hint !== undefined && !isRefused(error)) this.#hintAgain(hint).catch(() => undefined);
      throw error;
    }
    if (!hinted) return client.release();
    hinted.then(
      () => client.release(),
      () => discard(client),
    );
  }

  /** The log is the truth, and the hint only says where to look: if it is lost, `LogWatch` of the others finds the commit. */
  #hintOf(
    { hasDueWork }: PostgresConnection,
    { notifies, hasChanges }: { notifies: boolean; hasChanges: boolean },
  ): string | undefined {
    const channels = [...(notifies ? [this.#keys.commits] : []), ...(hasDueWork ? [this.#keys.dueWork] : [])];
    return hasChanges && channels.length > 0 ? this.#notify(channels, this.#options.ownId) : undefined;
  }

  #notify(channels: readonly string[], payload: string): string {
    return channels.map((channel) => `SELECT pg_notify('${channel}', '${payload}')`).join('; ');
  }

  async #hintAgain(hint: string): Promise<void> {
    const client = await this.#connect();
    await send(client, hint).then(
      () => client.release(),
      () => discard(client),
    );
  }

  #connectionOn(client: pg.PoolClient): PostgresConnection {
    let connection = this.#connections.get(client);
    if (!connection) {
      const { knownSchema, isPreparing } = this.#options;
      connection = new PostgresConnection(client, { keys: this.#keys, sent: this.sent, knownSchema, isPreparing });
      this.#connections.set(client, connection);
      countStorage(client);
    }
    return connection;
  }
}

/** Discards a read-only connection: it leads to a standby, and a new one may lead to the primary. */
async function rollBack(client: pg.PoolClient, ...errors: readonly unknown[]): Promise<void> {
  const isReadOnly = errors.some((error) => codeOf(error) === READ_ONLY);
  await send(client, 'ROLLBACK').then(
    () => (isReadOnly ? discard(client) : client.release()),
    () => discard(client),
  );
}
