import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import type { Storage } from '../../lib/storage/interface/storage.ts';
import { defaultDriver, type SqliteDriverName } from '../../lib/storage/sqlite/driver.ts';
import { sqlite } from '../../lib/storage/sqlite/sqlite.ts';
import { StorageError } from '../../lib/storage/storage-error.ts';
import { memoryFolder } from './memory-folder.ts';
import { migratedPlace } from './postgres.ts';

/** An empty database of one engine, with an open storage over it. */
export interface OpenPlace {
  storage: Storage;
  /** Another open storage over the same database, as a second process has it. */
  reopen(): Promise<Storage>;
  /** Closes every storage opened here and removes the database. */
  dispose(): Promise<void>;
}

export interface Engine {
  name: string;
  open(): Promise<OpenPlace>;
  /** Why it cannot run on this machine. */
  skip?: string | undefined;
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

let emptyFile: Promise<{ folder: string; path: string }> | undefined;

/** Creates a file with all tables and no rows. Runs once in each process: migrations take longer than most tests. */
async function makeEmptyFile() {
  const folder = await mkdtemp(join(memoryFolder(), 'parlance-empty-'));
  const path = join(folder, 'empty.db');
  const storage = sqlite(path);
  await storage.open();
  await storage.close();
  return { folder, path };
}

after(async () => {
  if (emptyFile) await rm((await emptyFile).folder, { recursive: true, force: true });
});

/** A copy of the file with all tables and no rows. `remove` deletes it. */
export async function migratedFile(): Promise<{ path: string; remove(): Promise<void> }> {
  emptyFile ??= makeEmptyFile();
  const folder = await mkdtemp(join(memoryFolder(), 'parlance-'));
  const path = join(folder, 'chat.db');
  await copyFile((await emptyFile).path, path);
  return { path, remove: () => rm(folder, { recursive: true, force: true }) };
}

async function openFile(driver: SqliteDriverName): Promise<OpenPlace> {
  const { path, remove } = await migratedFile();
  return openPlace(() => sqlite(path, { driver }), remove);
}

async function openSchema(): Promise<OpenPlace> {
  const place = await migratedPlace();
  return openPlace(() => place.storage(), place.drop);
}

/** The first driver of SQLite. `PARLANCE_TEST_SQLITE=node:sqlite npm test` runs all tests on the other one. */
const first = (process.env.PARLANCE_TEST_SQLITE as SqliteDriverName | undefined) ?? defaultDriver();
const second = first === 'node:sqlite' ? 'better-sqlite3' : 'node:sqlite';

/** The drivers of SQLite. Tests of features use the first. `skip` says why the second does not run on this Node. */
export const sqliteDrivers = [
  { name: first, skip: undefined },
  { name: second, skip: await whyNot(second) },
] as const;

async function whyNot(driver: SqliteDriverName): Promise<string | undefined> {
  const storage = sqlite(':memory:', { driver });
  try {
    await storage.open();
    await storage.close();
    return undefined;
  } catch (error) {
    if (error instanceof StorageError && error.reason === 'unsupported-engine') return error.message;
    throw error;
  }
}

/** Why tests on PostgreSQL cannot run, if so. */
export const withoutPostgres = process.env.PARLANCE_NO_POSTGRES;

const onSqlite = ({ name, skip }: (typeof sqliteDrivers)[number]): Engine => ({
  name,
  skip,
  open: () => openFile(name),
});

export const sqliteEngine = onSqlite(sqliteDrivers[0]);
export const otherSqliteEngine = onSqlite(sqliteDrivers[1]);
export const postgresEngine: Engine = { name: 'PostgreSQL', open: openSchema, skip: withoutPostgres };
export const engines: readonly Engine[] = [sqliteEngine, postgresEngine];

/** Whether tests of features run on PostgreSQL too. Cases, the storage contract and concurrency always do. */
export const isNightly = process.env.PARLANCE_TEST_SET === 'nightly';
export const featureEngines = isNightly ? engines : [sqliteEngine];

type Register = (name: string, work: (t: TestContext) => unknown) => void;

/** Registers the tests of an engine. If the engine cannot run, each test is skipped under its own name. */
export function testOn({ skip }: { skip?: string | undefined }): Register {
  return (name, work) => void (skip ? test(name, { skip }) : test(name, async (t) => void (await work(t))));
}
