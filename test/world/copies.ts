import { copyFile, mkdtemp, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { after } from 'node:test';
import { type ChatOptions, type Storage, sqlite } from '../../lib/index.ts';
import { newPool } from '../../lib/storage/postgres/pool.ts';
import { postgres } from '../../lib/storage/postgres/postgres.ts';
import { type Handle, openHandle } from '../../lib/storage/sqlite/driver.ts';
import type { SqliteOptions } from '../../lib/storage/sqlite/sqlite.ts';
import { isNightly, sqliteDrivers, withoutPostgres } from '../support/engines.ts';
import { memoryFolder } from '../support/memory-folder.ts';
import { postgresPlace } from '../support/postgres.ts';
import { resetScripts } from '../support/postgres-reset.ts';
import { LastingStorage } from './lasting-storage.ts';
import { openWorld, prepareWorld, type World } from './world.ts';

export interface Place {
  /** The database for another program. Absent if other programs cannot open it. */
  location?: string;
  /** Another storage over the same data, as a second process has it. */
  storage(): Storage;
  /** Storage of a world. Default: a new one. */
  own?(): Storage;
  /** A number that changes with each write. */
  writes(): Promise<number>;
  remove(): Promise<void>;
}

/** A world that counts its writes, so that tests compare the state only after a write. */
export type CountedWorld = World & Pick<Place, 'writes'>;

/** An engine for which the fixture is built once and copied for every test. */
export interface WorldEngine {
  name: string;
  /** Why it cannot run on this machine. */
  skip?: string | undefined;
  /** A copy of the fixture, not opened. */
  place(): Promise<Place & { fixture: Prepared }>;
  /** A copy of the fixture, opened. `close` removes it. */
  world(options?: Partial<ChatOptions>): Promise<CountedWorld>;
}

type Prepared = Awaited<ReturnType<typeof prepareWorld>>;

function engine(name: string, prepare: () => Promise<{ fixture: Prepared; copy: () => Promise<Place> }>): WorldEngine {
  let prepared: ReturnType<typeof prepare> | undefined;
  const ready = () => (prepared ??= prepare());
  return {
    name,
    async place() {
      const { fixture, copy } = await ready();
      return { ...(await copy()), fixture };
    },
    async world(options) {
      const { fixture, copy } = await ready();
      const place = await copy();
      const world = await openWorld(fixture, (place.own ?? place.storage)(), options);
      return {
        ...world,
        ...(place.location === undefined ? {} : { location: place.location }),
        writes: () => place.writes(),
        async close() {
          await world.close();
          await place.remove();
        },
      };
    },
  };
}

function onFile({ name: driver, skip }: (typeof sqliteDrivers)[number], more: SqliteOptions = {}): WorldEngine {
  const prepare = async () => {
    const folder = await mkdtemp(join(memoryFolder(), 'parlance-worlds-'));
    ends.push(() => rm(folder, { recursive: true, force: true }));
    const original = join(folder, 'original.db');
    const open = (path: string) => sqlite(path, { driver, durability: 'relaxed', ...more });
    const fixture = await prepareWorld(open(original));
    let count = 0;
    return {
      fixture,
      async copy() {
        const path = join(folder, `copy-${++count}.db`);
        await copyFile(original, path);
        let beside: Handle | undefined;
        return {
          location: path,
          storage: () => open(path),
          async writes() {
            beside ??= openHandle(driver, path);
            return (beside.prepare('PRAGMA data_version').get() as { data_version: number }).data_version;
          },
          async remove() {
            beside?.close();
            // The last connection to close has removed the other files.
            await unlink(path);
          },
        };
      },
    };
  };
  return { ...engine(more.threadsFromBytes === 0 ? `${driver} with threads` : driver, prepare), skip };
}

/** One schema, reset to the fixture for every test: worlds on PostgreSQL run one after another. */
function onPostgres(): WorldEngine {
  const prepare = async () => {
    const { url, schema, drop } = await postgresPlace();
    const named = new URL(url);
    // Planning takes longer than these statements on a few rows. By default, PostgreSQL plans many of them each time.
    named.searchParams.set('options', '-c plan_cache_mode=force_generic_plan');
    const pool = newPool(named.href, 6);
    ends.push(async () => {
      await pool.end();
      // If this file started the server, it has stopped, and its schema is gone.
      await drop().catch(() => undefined);
    });
    const storage = () => postgres({ pool }, { schema });
    const own = new LastingStorage(pool, { schema, ownsPool: false });
    ends.unshift(() => own.end());
    const fixture = await prepareWorld(own);
    const { keep, restore, writes } = await resetScripts(pool, schema);
    await pool.query(keep);
    return {
      fixture,
      async copy() {
        await pool.query(restore);
        return {
          storage,
          own: () => own,
          writes: async () => Number((await pool.query<{ count: string }>(writes)).rows[0]?.count),
          remove: async () => undefined,
        };
      },
    };
  };
  return { ...engine('PostgreSQL', prepare), skip: withoutPostgres };
}

const ends: (() => Promise<unknown>)[] = [];

after(async () => {
  for (const end of ends) await end();
});

const [first, second] = sqliteDrivers;

/** On the default driver of this machine. */
export const sqliteEngine = onFile(first);
/** With a thread for each read that may be slow, as in a large file. */
export const threadedEngine = onFile(first, { threadsFromBytes: 0, readerThreads: 1 });
/** On the other driver. */
export const otherSqliteEngine = onFile(second);
export const postgresEngine = onPostgres();
/** Each kind of database once. */
export const bothEngines: readonly WorldEngine[] = [sqliteEngine, postgresEngine];
/** For tests of features: PostgreSQL only in `npm run test:nightly`. */
export const featureEngines: readonly WorldEngine[] = isNightly ? bothEngines : [sqliteEngine];
