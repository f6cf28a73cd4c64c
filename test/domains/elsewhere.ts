import type { Operation } from '../../lib/internal.ts';
import { postgresPlace } from '../support/postgres.ts';
import type { UserName } from '../world/fixture.ts';
import { LastingStorage } from '../world/lasting-storage.ts';
import { libraryTransport } from '../world/transports.ts';
import { optionsFor } from '../world/unchanged-worlds.ts';
import { openWorld, prepareWorld, type World } from '../world/world.ts';
import { burden, surround } from './around.ts';
import { plainParams } from './tables.ts';
import { countingPool, type Visited } from './visited-rows.ts';

/** Callers of the plain calls. At least one of them may make each call. */
export const MANY_CALLERS = ['cordelia', 'owner', 'hamlet', 'guest', 'webhook', 'anonymous'] as const satisfies (
  | UserName
  | 'anonymous'
)[];

/** An organization on PostgreSQL in which calls are made and rolled back. */
export interface Elsewhere {
  /**
   * Rows that the plain call of an operation visits. Undefined if it is refused.
   * @param options.afterLists after a caller has read the lists of users and presences, which all callers share. It
   * takes most of the time.
   * @param options.byStatement names the statements
   */
  visitedBy(
    operation: Operation,
    caller: (typeof MANY_CALLERS)[number],
    options?: { afterLists?: boolean; byStatement?: boolean },
  ): Promise<Visited | undefined>;
  remove(): Promise<void>;
}

/**
 * @param options.isLarge with thousands of other users and their data
 * @param options.isBusy with callers who have thousands of channels, topics and conversations
 */
export async function organizationElsewhere(options: { isLarge?: boolean; isBusy?: boolean } = {}): Promise<Elsewhere> {
  const { schema, drop } = await postgresPlace();
  const { pool, takenBack, hasWritten, count } = await countingPool(schema);
  const storage = new LastingStorage(pool, { schema, ownsPool: false });
  const fixture = await prepareWorld(storage);
  if (options.isLarge) await surround(pool, schema, fixture);
  if (options.isBusy) {
    // A webhook bot belongs to one of them and reads nothing.
    const names = MANY_CALLERS.filter((name) => name !== 'anonymous' && name !== 'webhook');
    const users = names.map((name) => fixture.users[name]);
    await burden(pool, schema, fixture, users);
  }
  let open: { world: World; for: string; hasLists: boolean } | undefined;
  const close = async () => {
    await open?.world.close();
    open = undefined;
  };
  /** Opened again after writes: the caches would contain rows that were rolled back. */
  const worldFor = async (operation: Operation, afterLists: boolean): Promise<World> => {
    const options = optionsFor(operation);
    const wanted = JSON.stringify({ ...options, mail: options.mail !== undefined });
    if (open?.for !== wanted) {
      await close();
      open = { world: await openWorld(fixture, storage, options), for: wanted, hasLists: false };
      await open.world.as('hamlet').users.me();
    }
    const { world, hasLists } = open;
    if (afterLists && !hasLists) {
      await world.as('hamlet').users.list();
      await world.as('hamlet').presence.list();
      open.hasLists = true;
    }
    return world;
  };
  return {
    visitedBy: (operation, caller, { afterLists = false, byStatement = false } = {}) => {
      let wrote = true;
      const work = async () => {
        try {
          const world = await worldFor(operation, afterLists);
          const params = await plainParams(operation.name, world, caller);
          const { value, visited } = await count(() => libraryTransport.call(world, caller, operation, params), {
            byStatement,
          });
          wrote = await hasWritten();
          if (wrote) await close();
          return 'answer' in value ? visited : undefined;
        } catch (error) {
          await close();
          throw error;
        }
      };
      // PostgreSQL keeps plans that it made while a table was empty. They visit millions of rows when it is full.
      return takenBack(work, { newConnection: afterLists }).finally(
        () => wrote && pool.query(`VACUUM ${schema}.read_ranges`),
      );
    },
    async remove() {
      await close();
      await storage.end();
      await pool.end();
      await drop();
    },
  };
}
