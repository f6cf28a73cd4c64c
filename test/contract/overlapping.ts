import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Storage, Transaction, WriteKind } from '../../lib/storage/interface/storage.ts';
import { newPool } from '../../lib/storage/postgres/pool.ts';
import { JobConnection } from '../../lib/storage/sql/transaction.ts';
import { SqliteConnection } from '../../lib/storage/sqlite/connection.ts';
import { defaultDriver } from '../../lib/storage/sqlite/driver.ts';
import { sqlite } from '../../lib/storage/sqlite/sqlite.ts';
import { migratedFile, withoutPostgres } from '../support/engines.ts';
import { migratedPlace } from '../support/postgres.ts';
import { until } from '../support/until.ts';
import { holdUntil, type Lifetime, organization } from './fixtures.ts';

export interface Work {
  (tx: Transaction): Promise<unknown>;
  kind?: WriteKind;
}

/** Two processes that use one organization. */
export interface TwoProcesses {
  storages: readonly [Storage, Storage];
  /**
   * Runs two writes. The first has done its work but has not committed when the second does its work or waits for a
   * lock. `isReversed` swaps the two writes.
   */
  overlapping(isReversed: boolean, works: readonly [Work, Work], kind?: WriteKind): Promise<void>;
}

/** Engines by name, each with a function that opens an organization in two processes. */
export const twoProcesses: { name: string; skip: string | undefined; open(t: Lifetime): Promise<TwoProcesses> }[] = [
  { name: 'SQLite', skip: undefined, open: onSqlite },
  { name: 'PostgreSQL', skip: withoutPostgres, open: onPostgres },
];

async function opened(t: Lifetime, create: () => Storage): Promise<[Storage, Storage]> {
  const storages = [create(), create()] as [Storage, Storage];
  for (const storage of storages) {
    await storage.open();
    t.after(() => storage.close());
  }
  await storages[0].write((tx) => tx.organization.create(organization()));
  return storages;
}

/** The first write uses a separate connection, as in another process. The second waits for its commit. */
async function onSqlite(t: Lifetime): Promise<TwoProcesses> {
  const { path, remove } = await migratedFile();
  t.after(remove);
  const storages = await opened(t, () => sqlite(path));
  return {
    storages,
    async overlapping(isReversed, works, kind) {
      const [first, second] = isReversed ? [works[1], works[0]] : works;
      const connection = SqliteConnection.open(defaultDriver(), path);
      connection.exec('PRAGMA foreign_keys = ON; BEGIN IMMEDIATE');
      await new JobConnection(connection).perform(first);
      let isDone = false;
      const other = storages[1].write(second, second.kind ?? kind).then(() => {
        isDone = true;
      });
      await sleep(10);
      assert.ok(!isDone, 'the second waits');
      connection.exec('COMMIT');
      connection.close();
      await other;
    },
  };
}

async function onPostgres(t: Lifetime): Promise<TwoProcesses> {
  const place = await migratedPlace();
  const observer = newPool(place.url, 1);
  t.after(() => observer.end());
  t.after(() => place.drop());
  const storages = await opened(t, () => place.storage());
  return {
    storages,
    async overlapping(isReversed, works, kind = 'write') {
      const [first, second] = isReversed ? ([1, 0] as const) : ([0, 1] as const);
      let hasWorked = false;
      let isAsked = false;
      const one = storages[first].write(async (tx) => {
        await works[first](tx);
        hasWorked = true;
        await holdUntil(tx, () => isAsked);
      }, works[first].kind ?? kind);
      await Promise.race([until('the first has done its work', () => hasWorked), one]);
      let isDone = false;
      const other = storages[second].write(works[second], works[second].kind ?? kind).finally(() => {
        isDone = true;
      });
      other.catch(() => undefined);
      const isHeldUp = () => isDone || isSomebodyWaiting(observer, place.schema);
      await until('the second waits for a lock or is done', isHeldUp);
      isAsked = true;
      await Promise.all([one, other]);
    },
  };
}

async function isSomebodyWaiting(observer: pg.Pool, schema: string): Promise<boolean> {
  const { rows } = await observer.query(
    `SELECT 1 FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock'`,
    [schema],
  );
  return rows.length > 0;
}
