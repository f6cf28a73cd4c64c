import pg from 'pg';
import type { Transaction } from '../../lib/storage/interface/storage.ts';
import { arraysIn, PostgresConnection, withArrays } from '../../lib/storage/postgres/connection.ts';
import { keysOf } from '../../lib/storage/postgres/keys.ts';
import type { Connection, SqlValue } from '../../lib/storage/sql/connection.ts';
import { postgresDialect } from '../../lib/storage/sql/dialect.ts';
import { JobConnection } from '../../lib/storage/sql/transaction.ts';
import type { PostgresPlace } from '../support/postgres.ts';

/** A node of a PostgreSQL plan. */
interface PlanNode {
  'Actual Rows': number;
  'Actual Loops': number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  Plans?: PlanNode[];
}

/** The statements of some work, which is rolled back. */
export async function statementsOf(
  client: pg.Client,
  { schema }: Pick<PostgresPlace, 'schema'>,
  work: (tx: Transaction) => Promise<unknown>,
): Promise<[text: string, values: SqlValue[]][]> {
  const sent: [string, SqlValue[]][] = [];
  const connection = new PostgresConnection(client as never, {
    keys: keysOf(schema),
    sent: { statements: 0 },
    knownSchema: 0,
  });
  const listening = new Proxy(connection, {
    get(target, name) {
      const value = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...given: [...unknown[]]) => {
        const [text, values] = given.filter((one) => typeof one === 'string' || Array.isArray(one));
        sent.push([text as string, (values ?? []) as SqlValue[]]);
        return value.apply(target, given);
      };
    },
  }) as Connection;
  await client.query('BEGIN');
  const job = new JobConnection(listening);
  job.concurrency = connection.concurrency;
  await job.perform(work, { mayWait: true });
  await client.query('ROLLBACK');
  return sent;
}

/** Rows that the nodes of a statement's plan visit, with a plan that is `custom` or `generic`. */
export async function rowsLookedAt(...statement: Parameters<typeof explained>): Promise<number> {
  return visited(await explained(...statement));
}

/** Shared blocks that a statement reads, from memory or disk, with a plan that is `custom` or `generic`. */
export async function blocksRead(...statement: Parameters<typeof explained>): Promise<number> {
  const plan = await explained(...statement);
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
}

async function explained(
  client: pg.Client,
  sql: string,
  params: readonly SqlValue[],
  plans: string,
): Promise<PlanNode> {
  const text = postgresDialect.query(sql);
  const values = withArrays(params, arraysIn(text));
  const given = values.map((value) => (typeof value === 'string' ? pg.escapeLiteral(value) : String(value ?? 'NULL')));
  const list = given.length > 0 ? `(${given.join()})` : '';
  await client.query(`BEGIN; SET LOCAL plan_cache_mode = force_${plans}_plan`);
  try {
    await client.query(`PREPARE asked AS ${text}`);
    const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE asked${list}`);
    return rows[0]['QUERY PLAN'][0].Plan;
  } finally {
    await client.query('ROLLBACK; DEALLOCATE asked');
  }
}

/** Rows that any node of a plan visited. */
function visited(node: PlanNode): number {
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0);
  const own = (node['Actual Rows'] + removed) * node['Actual Loops'];
  return (node.Plans ?? []).reduce((sum, plan) => sum + visited(plan), own);
}
