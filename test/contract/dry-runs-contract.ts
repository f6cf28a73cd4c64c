import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Transaction, WriteKind } from '../../lib/storage/interface/storage.ts';
import { StorageError } from '../../lib/storage/storage-error.ts';
import { type Engine, testOn } from '../support/engines.ts';
import { until } from '../support/until.ts';
import { commitNotices, draft, newUser, openFor, openFounded } from './fixtures.ts';

const KINDS: readonly WriteKind[] = ['write', 'mark'];

async function namesIn(tx: Transaction): Promise<string[]> {
  return (await tx.users.changedSince(0)).map((user) => user.full_name);
}

export function dryRunsContract(engine: Engine): void {
  const test = testOn(engine);
  for (const kind of KINDS) {
    test(`a dry run of the kind ${kind} reads its own writes, returns its result and stores nothing`, async (t) => {
      const { storage } = await openFounded(t, engine);
      const before = await storage.read((tx) => tx.organization.versions());
      const names = await storage.dryRun(async (tx) => {
        await tx.users.create(newUser('Ada'));
        await tx.events.append([draft('never', { scope: 'everyone' })], 1);
        return namesIn(tx);
      }, kind);
      assert.deepEqual(names, ['Ada']);
      assert.deepEqual(await storage.read(namesIn), []);
      assert.equal(await storage.read((tx) => tx.events.tail()), 0);
      assert.deepEqual(await storage.read((tx) => tx.organization.versions()), before);
    });
  }

  test('a dry run rejects with the error of its work, and the next dry run succeeds', async (t) => {
    const { storage } = await openFounded(t, engine);
    const failure = new Error('on second thoughts');
    const failing = storage.dryRun(async (tx) => {
      await tx.users.create(newUser('Ada'));
      throw failure;
    });
    await assert.rejects(failing, (error) => error === failure);
    assert.equal(await storage.dryRun(async (tx) => (await tx.users.create(newUser('Bob'))).full_name), 'Bob');
    assert.deepEqual(await storage.read(namesIn), []);
  });

  test('concurrent writes and dry runs each run once, and all writes are stored', async (t) => {
    const { storage } = await openFounded(t, engine);
    let runs = 0;
    const writes = Array.from({ length: 12 }, (_, at) => {
      const write = (tx: Transaction) => {
        runs++;
        return tx.events.append([draft(`${at}`, { scope: 'everyone' })], 1);
      };
      return at % 3 === 1
        ? storage.dryRun((tx) => tx.events.append([draft('never', { scope: 'everyone' })], 1), 'mark')
        : storage.write(write, 'append');
    });
    await Promise.all(writes);
    assert.equal(runs, 8);
    const events = await storage.read((tx) => tx.events.since(0, 100));
    const notes = events.map(({ event }) => Number(event.note)).sort((a, b) => a - b);
    assert.deepEqual(notes, [0, 2, 3, 5, 6, 8, 9, 11]);
  });

  test('a dry run sends no commit notice to other storages, and the next write does', async (t) => {
    const { storage, reopen } = await openFounded(t, engine);
    const other = await reopen();
    const notices = await commitNotices(storage, engine);
    const before = notices();
    await other.dryRun((tx) => tx.events.append([draft('never', { scope: 'everyone' })], 1));
    // SQLite looks for commits every 200 ms.
    await sleep(200);
    assert.equal(notices(), before);
    await other.write((tx) => tx.events.append([draft('news', { scope: 'everyone' })], 1));
    await until('the write is noticed', () => notices() > before);
  });

  test('a dry run that waits outside the storage fails as stalled and does not block later writes', async (t) => {
    const { storage } = await openFounded(t, engine);
    const stalling = storage.dryRun(async (tx) => {
      await tx.users.create(newUser('Ada'));
      await sleep(50);
    });
    await assert.rejects(stalling, (error) => error instanceof StorageError && error.reason === 'stalled');
    await storage.write((tx) => tx.users.create(newUser('Bob')));
    assert.deepEqual(await storage.read(namesIn), ['Bob']);
  });

  test('close waits for a running dry run', async (t) => {
    const { storage } = await openFor(t, engine);
    const dryRun = storage.dryRun((tx) => tx.messages.maxId());
    await storage.close();
    assert.equal(await dryRun, 0);
  });
}
