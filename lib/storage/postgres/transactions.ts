import pg from 'pg';
import type { Transaction } from '../interface/storage.ts';
import { transactionOn } from '../sql/transaction.ts';
import { PostgresConnection } from './connection.ts';
import { keysOf } from './keys.ts';
import { connect } from './pool.ts';

const ATTEMPTS = 8;
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';

interface Session {
  connection: PostgresConnection;
  transaction: Transaction;
}

type Work<T> = (tx: Transaction) => Promise<T>;

/** Transactions in one schema, each on a connection of the pool. */
export class Transactions {
  readonly #pool: pg.Pool;
  readonly #keys: ReturnType<typeof keysOf>;
  readonly #begin: Readonly<Record<'read' | 'exclusive' | 'shared', string>>;
  readonly #commit: string;
  readonly #sessions = new WeakMap<pg.PoolClient, Session>();
  readonly #sent = { statements: 0 };
  readonly #knownSchema: number;

  /** Commits are announced under `ownId`. The schema is named in every transaction, or the connection's own. */
  constructor(pool: pg.Pool, schema: string, options: { isOwnSchema: boolean; ownId: string; knownSchema: number }) {
    this.#knownSchema = options.knownSchema;
    this.#pool = pool;
    this.#keys = keysOf(schema);
    // For the transaction only: a host's pool serves others too.
    const path = options.isOwnSchema ? '' : `SET LOCAL search_path TO ${pg.escapeIdentifier(schema)};`;
    const write = `BEGIN ISOLATION LEVEL READ COMMITTED; ${path}`;
    this.#begin = {
      read: `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${path}`,
      exclusive: `${write} SELECT pg_advisory_xact_lock(${this.#keys.writers})`,
      shared: `${write} SELECT pg_advisory_xact_lock_shared(${this.#keys.writers})`,
    };
    // A transaction that changed nothing has no number, and wakes nobody.
    this.#commit = `SELECT pg_notify('${this.#keys.channel}', '${options.ownId}')
      WHERE pg_current_xact_id_if_assigned() IS NOT NULL; COMMIT`;
  }

  /** Statements sent so far, those that open and close transactions left out. */
  get statements(): number {
    return this.#sent.statements;
  }

  async read<T>(work: Work<T>): Promise<T> {
    const client = await connect(this.#pool);
    try {
      // The first statement need not wait for the answer: should BEGIN fail, the connection is broken.
      const begun = client.query(this.#begin.read);
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
      await rollBack(client);
      throw error;
    }
  }

  /** Repeated where the server asks for it. */
  async write<T>(kind: 'exclusive' | 'shared', work: Work<T>): Promise<T> {
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

  async #writeOnce<T>(kind: 'exclusive' | 'shared', work: Work<T>): Promise<T> {
    const client = await connect(this.#pool);
    const { connection, transaction } = this.#sessionOn(client);
    const begun = client.query(this.#begin[kind]);
    const refusal = begun.then(
      () => undefined,
      (error: unknown) => error,
    );
    try {
      // A shared one's first statement need not wait for the lock: behind a lock refused it is refused too.
      if (kind === 'exclusive') await begun;
      const result = await work(transaction);
      await begun;
      await client.query(this.#commit);
      client.release();
      return result;
    } catch (error) {
      await rollBack(client);
      throw (await refusal) ?? connection.takeRefusal() ?? error;
    }
  }

  #sessionOn(client: pg.PoolClient): Session {
    let session = this.#sessions.get(client);
    if (!session) {
      const connection = new PostgresConnection(client, this.#keys, this.#sent, this.#knownSchema);
      session = { connection, transaction: transactionOn(connection) };
      this.#sessions.set(client, session);
    }
    return session;
  }
}

async function rollBack(client: pg.PoolClient): Promise<void> {
  await client.query('ROLLBACK').then(
    () => client.release(),
    () => client.release(true),
  );
}
