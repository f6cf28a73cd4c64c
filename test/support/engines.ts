import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqlite } from '../../lib/storage/sqlite.ts';
import type { Storage } from '../../lib/storage/storage.ts';
import { postgresPlace } from './postgres.ts';

/** An empty database of one engine, with a storage open over it. */
export interface OpenPlace {
  storage: Storage;
  /** One more storage open over the same database, as another process would have it. */
  reopen(): Promise<Storage>;
  /** Closes every storage opened here and removes the database. */
  dispose(): Promise<void>;
}

export interface Engine {
  name: string;
  open(): Promise<OpenPlace>;
}

async function openPlace(create: () => Storage, remove: () => Promise<void>): Promise<OpenPlace> {
  const storages: Storage[] = [];
  const reopen = async () => {
    const storage = create();
    storages.push(storage);
    await storage.open();
    return storage;
  };
  return {
    storage: await reopen(),
    reopen,
    async dispose() {
      for (const storage of storages) await storage.close();
      await remove();
    },
  };
}

async function openFile(driver: 'better-sqlite3' | 'node:sqlite'): Promise<OpenPlace> {
  const folder = await mkdtemp(join(tmpdir(), 'parlance-'));
  return openPlace(
    () => sqlite(join(folder, 'chat.db'), { driver }),
    () => rm(folder, { recursive: true, force: true }),
  );
}

async function openSchema(): Promise<OpenPlace> {
  const place = await postgresPlace();
  return openPlace(() => place.storage(), place.drop);
}

/** A variable, since the types of the oldest Node do not know the module. */
const nodeSqlite: string = 'node:sqlite';
const hasNodeSqlite = await import(nodeSqlite).then(
  () => true,
  () => false,
);

export const engines: Engine[] = [
  { name: 'better-sqlite3', open: () => openFile('better-sqlite3') },
  ...(hasNodeSqlite ? [{ name: 'node:sqlite', open: () => openFile('node:sqlite') }] : []),
  { name: 'PostgreSQL', open: openSchema },
];
