import pg from 'pg';
import { testPostgresUrl } from '../support/postgres.ts';

/** Visited table rows and index entries, by statement. */
export type Visited = Map<string, number>;

/** A pool with one connection. It rolls statements back and counts the rows they visit with the server's counters. */
export interface CountingPool {
  pool: pg.Pool;
  /**
   * Runs work and rolls it back. Transactions in the work become parts of the one that is rolled back.
   * @param options.newConnection without the plans that PostgreSQL has kept for statements of earlier work
   */
  takenBack<T>(work: () => Promise<T>, options?: { newConnection?: boolean }): Promise<T>;
  /** Whether the work to roll back has written. */
  hasWritten(): Promise<boolean>;
  /**
   * Counts visited rows during the work, which runs inside a transaction to roll back. Counting them for each statement
   * takes longer than the statements.
   */
  count<T>(work: () => Promise<T>, options: { byStatement: boolean }): Promise<{ value: T; visited: Visited }>;
}

type Query = (statement: pg.QueryConfig) => Promise<pg.QueryResult>;

const COUNTED = `
  SELECT CAST(array_agg(oid) AS text) AS counted FROM pg_class
  WHERE relkind IN ('r', 'i') AND relnamespace = $1::regnamespace`;
const COUNTERS = `
  SELECT SUM(pg_stat_get_xact_tuples_returned(oid))::bigint AS visited FROM unnest($1::oid[]) AS oid`;

export async function countingPool(schema: string): Promise<CountingPool> {
  const options = { connectionString: await testPostgresUrl(), max: 1, allowExitOnIdle: true };
  const pool = new pg.Pool({ ...options, Client: PoolClient });
  pool.on('error', () => undefined);
  let isTakenBack = false;
  let times = 0;
  let visited: Visited | undefined;
  let before: number | undefined;
  let counted: string | undefined;

  const total = async (query: Query) => {
    // Once: searching the tables takes longer than most statements.
    counted ??= (await query({ text: COUNTED, values: [schema] })).rows[0].counted;
    const { rows } = await query({ text: COUNTERS, values: [counted], name: 'visited_rows' });
    return Number(rows[0].visited);
  };
  const totalNow = () => total((statement) => pool.query(statement));

  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => Promise<unknown>;
    const wrapped = async (given: string | { text: string }, ...more: unknown[]) => {
      if (typeof given === 'string') return query(isTakenBack ? asPart(given) : given, ...more);
      if (visited === undefined) return query(given, ...more);
      before ??= await total(query as Query);
      const result = await query(given);
      const now = await total(query as Query);
      visited.set(given.text, (visited.get(given.text) ?? 0) + now - before);
      before = now;
      return result;
    };
    (client as { query: unknown }).query = wrapped;
  });

  return {
    pool,
    async takenBack(work, { newConnection = false } = {}) {
      // Storages close a connection that a hundred of them have used, which would end the transaction.
      if (++times % 20 === 0 || newConnection) (await pool.connect()).release(true);
      await pool.query('BEGIN');
      isTakenBack = true;
      try {
        return await work();
      } finally {
        isTakenBack = false;
        await pool.query('ROLLBACK');
      }
    },
    async hasWritten() {
      const { rows } = await pool.query('SELECT pg_current_xact_id_if_assigned() IS NOT NULL AS written');
      return rows[0].written;
    },
    async count(work, { byStatement }) {
      const found: Visited = new Map();
      if (!byStatement) {
        const before = await totalNow();
        const value = await work();
        return { value, visited: found.set('all statements', (await totalNow()) - before) };
      }
      visited = found;
      before = undefined;
      try {
        return { value: await work(), visited: found };
      } finally {
        visited = undefined;
      }
    },
  };
}

/** The same for a part of a transaction. Its events would be sent after the whole. */
function asPart(text: string): string {
  return text
    .replace(/^BEGIN[^;]*/, 'SAVEPOINT part')
    .replace(/^ROLLBACK$/, 'ROLLBACK TO SAVEPOINT part; RELEASE SAVEPOINT part')
    .replace(/\bCOMMIT$/, 'RELEASE SAVEPOINT part');
}

/** Refuses a connection while the pool is busy: it would be outside the transaction to roll back. */
class PoolClient extends pg.Client {
  constructor(config?: string | pg.PoolConfig) {
    super(typeof config === 'object' && config.max !== 1 ? { host: '127.0.0.1', port: 1 } : config);
  }
}
