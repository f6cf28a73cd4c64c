import type { Operation } from '../../lib/internal.ts';
import { postgres } from '../../lib/storage/postgres/postgres.ts';
import { plainParams } from '../domains/tables.ts';
import { postgresPlace } from '../support/postgres.ts';
import { burden, surround } from './around.ts';
import type { UserName } from './fixture.ts';
import { UNUSED_MAIL } from './run-cases.ts';
import { libraryTransport } from './transports.ts';
import { countingPool, type Visited } from './visited-rows.ts';
import { openWorld, prepareWorld } from './world.ts';

/** Whose plain calls are tried: one of them may make any. */
export const MANY_CALLERS = ['cordelia', 'owner', 'hamlet', 'guest', 'nobody'] as const satisfies (
  | UserName
  | 'nobody'
)[];

/** An organization on PostgreSQL in which calls are made and taken back. */
export interface Elsewhere {
  /** What the plain call of an operation visits; undefined where it is refused. */
  visitedBy(operation: Operation, caller: (typeof MANY_CALLERS)[number]): Promise<Visited | undefined>;
  remove(): Promise<void>;
}

/**
 * @param options.isLarge with thousands of other people, and what they have and do
 * @param options.isBusy with callers who have thousands of channels, topics and conversations
 */
export async function organizationElsewhere(options: { isLarge?: boolean; isBusy?: boolean } = {}): Promise<Elsewhere> {
  const { schema, drop } = await postgresPlace();
  const { pool, takenBack, count } = await countingPool(schema);
  const storage = () => postgres({ pool }, { schema });
  const fixture = await prepareWorld(storage());
  if (options.isLarge) await surround(pool, schema, fixture);
  if (options.isBusy) {
    const users = MANY_CALLERS.flatMap((name) => (name === 'nobody' ? [] : [fixture.users[name]]));
    await burden(pool, schema, fixture, users);
  }
  return {
    visitedBy: (operation, caller) =>
      takenBack(async () => {
        // Opened each time: what is kept in memory would be of a state that was taken back.
        const world = await openWorld(fixture, storage(), {
          development: operation.name.startsWith('dev'),
          ...(operation.limitedBy?.rule.endsWith('email') ? { mail: UNUSED_MAIL } : {}),
        });
        try {
          // What the first to ask reads for all others.
          await world.as('hamlet').users.list();
          await world.as('hamlet').presence.list();
          const params = await plainParams(operation.name, world, caller);
          const { value, visited } = await count(() => libraryTransport.call(world, caller, operation, params));
          return 'answer' in value ? visited : undefined;
        } finally {
          await world.close();
        }
      }).finally(() => pool.query(`VACUUM ${schema}.read_ranges`)),
    async remove() {
      await pool.end();
      await drop();
    },
  };
}
