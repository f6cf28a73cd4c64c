import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Worker } from 'node:worker_threads';
import type { Transaction } from '../../lib/storage/interface/storage.ts';
import { openHandle } from '../../lib/storage/sqlite/driver.ts';
import { type SqliteOptions, type SqliteStorage, sqlite } from '../../lib/storage/sqlite/sqlite.ts';
import { newUser, organization } from '../contract/fixtures.ts';
import { sqliteDrivers, testOn } from '../support/engines.ts';
import { Gate } from '../support/gate.ts';

/** A file of some users, whose long reads run in threads. */
async function opened(t: TestContext, options: SqliteOptions) {
  const folder = await mkdtemp(join(tmpdir(), 'parlance-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'chat.db');
  const open = async () => {
    const storage = sqlite(path, { threadsFromBytes: 0, ...options });
    await storage.open();
    t.after(() => storage.close());
    return storage;
  };
  const storage = await open();
  await storage.write(async (tx) => {
    await tx.organization.create(organization());
    for (const name of ['Ada', 'Bob', 'Cyd']) await tx.users.create(newUser(name));
  });
  return { storage, path, open };
}

/** More rows than a thread sends in one message. */
async function fillLog(storage: SqliteStorage): Promise<void> {
  const events = Array.from({ length: 2_500 }, (_, n) => ({
    audience: { users: [1] },
    event: { type: 'x', n, text: 'y'.repeat(n % 1_000) },
  }));
  await storage.write((tx) => tx.events.append(events as never, 1));
}

const namesIn = async (tx: Transaction) => (await tx.users.changedSince(0)).map((user) => user.full_name);

/** Repeats a statement, as a long scan does. */
async function scan(tx: Transaction, times = 20): Promise<number> {
  for (let n = 1; n < times; n++) await tx.users.changedSince(0);
  return (await tx.users.changedSince(0)).length;
}

/** Records reader threads as they start. */
function started(t: TestContext): Worker[] {
  const workers: Worker[] = [];
  const note = (worker: Worker) => void workers.push(worker);
  process.on('worker', note);
  t.after(() => process.off('worker', note));
  return workers;
}

const failsAs = (reason: string) => (error: unknown) =>
  (error as Error).name === 'StorageError' && (error as { reason?: string }).reason === reason;

for (const { name: driver, skip } of sqliteDrivers) {
  const test = testOn({ skip });
  const on = (name: string) => `${name} (${driver})`;

  test(on('a small read completes before a scan that started earlier'), async (t) => {
    const { storage } = await opened(t, { driver });
    const answered: string[] = [];
    await Promise.all([
      storage.read((tx) => scan(tx), 'scan').then(() => answered.push('scan')),
      storage.read(namesIn).then(() => answered.push('small')),
    ]);
    assert.deepEqual(answered, ['small', 'scan']);
  });

  test(on('a large read completes while scans wait for reader threads'), async (t) => {
    const { storage } = await opened(t, { driver, readerThreads: 2 });
    const held = new Gate();
    const scans = ['one', 'two', 'three'].map(() => storage.read(() => held.opened, 'scan'));
    assert.deepEqual(await storage.read(namesIn, 'large'), ['Ada', 'Bob', 'Cyd']);
    held.open();
    await Promise.all(scans);
  });

  test(on('a read in a thread returns the same columns as one without'), async (t) => {
    const { storage } = await opened(t, { driver });
    const state = async (tx: Transaction) => ({
      users: await tx.users.changedSince(0),
      organization: await tx.organization.get(),
      nobody: await tx.users.byId(99),
      tail: await tx.events.tail(),
    });
    assert.deepEqual(await storage.read(state, 'large'), await storage.read(state));
  });

  test(on('a read in a thread returns thousands of rows completely and in order'), async (t) => {
    const { storage } = await opened(t, { driver });
    await fillLog(storage);
    const all = (tx: Transaction) => tx.events.since(0, 10_000);
    const found = await storage.read(all, 'large');
    assert.equal(found.length, 2_500);
    assert.deepEqual(found, await storage.read(all));
  });

  test(on('concurrent statements of a read in a thread each return their own result'), async (t) => {
    const { storage } = await opened(t, { driver });
    const found = await storage.read(
      (tx) => Promise.all([tx.users.byId(1), namesIn(tx), tx.users.byId(2), tx.organization.versions()]),
      'large',
    );
    assert.deepEqual([found[0]?.full_name, found[1], found[2]?.full_name], ['Ada', ['Ada', 'Bob', 'Cyd'], 'Bob']);
  });

  test(on('concurrent statements of a read are sent to the thread in one message, repeated ones once'), async (t) => {
    const workers = started(t);
    const { storage } = await opened(t, { driver });
    const together = (tx: Transaction) =>
      Promise.all([tx.users.byId(1), namesIn(tx), tx.users.byId(2), tx.users.byId(3), namesIn(tx)]);
    await storage.read(namesIn, 'large');
    const answers: number[] = [];
    workers[0]?.on('message', (given: unknown[]) => answers.push(given.length));
    const [ada, names, bob, cyd, again] = await storage.read(together, 'large');
    assert.deepEqual([ada?.full_name, bob?.full_name, cyd?.full_name], ['Ada', 'Bob', 'Cyd']);
    assert.deepEqual([names, again], [['Ada', 'Bob', 'Cyd'], names]);
    assert.deepEqual(answers, [4], 'a repeated statement is sent once');
  });

  test(on('concurrent statements with thousands of rows each return all of them'), async (t) => {
    const { storage } = await opened(t, { driver });
    await fillLog(storage);
    const both = (tx: Transaction) => Promise.all([tx.events.since(0, 10_000), namesIn(tx), tx.events.since(9, 2_000)]);
    const found = await storage.read(both, 'large');
    assert.deepEqual([found[0].length, found[2].length], [2_500, 2_000]);
    assert.deepEqual(found, await storage.read(both));
  });

  test(on('a failed read in a thread does not affect the next read'), async (t) => {
    const { storage } = await opened(t, { driver, readerThreads: 1 });
    const failing = (tx: Transaction) => Promise.all([scan(tx), tx.users.create(newUser('Dan'))]);
    const [failed, next] = await Promise.allSettled([storage.read(failing, 'large'), storage.read(namesIn, 'large')]);
    assert.equal(failed.status, 'rejected');
    assert.deepEqual(next, { status: 'fulfilled', value: ['Ada', 'Bob', 'Cyd'] });
  });

  test(on('a read in a thread sees one snapshot, with everything committed before it started'), async (t) => {
    const { storage, open } = await opened(t, { driver });
    const other = await open();
    for (const name of ['Dan', 'Eve']) {
      await other.write((tx) => tx.users.create(newUser(name)));
      const [before, after] = await storage.read(async (tx) => {
        const before = await namesIn(tx);
        await other.write((theirs) => theirs.users.create(newUser(`${name} the second`)));
        return [before, await namesIn(tx)];
      }, 'scan');
      assert.equal(before?.at(-1), name);
      assert.deepEqual(after, before);
    }
  });

  test(on('a read right after another has its own snapshot without a message to end the first one'), async (t) => {
    const workers = started(t);
    const { storage, path } = await opened(t, { driver, readerThreads: 1 });
    await storage.read(namesIn, 'large');
    await sleep(0);
    const sent = t.mock.method(workers[0] as Worker, 'postMessage').mock;
    const other = openHandle(driver, path);
    t.after(() => other.close());
    await storage.read(namesIn, 'large');
    other.exec("UPDATE users SET full_name = 'Adele' WHERE id = 1");
    assert.deepEqual(await storage.read(namesIn, 'large'), ['Adele', 'Bob', 'Cyd']);
    assert.equal(sent.callCount(), 2);
    await sleep(0);
    // Without a further read, the thread ends its snapshot.
    assert.deepEqual(sent.calls.at(-1)?.arguments, [{ end: true }]);
    const checkpoint = other.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as object;
    assert.deepEqual(Object.values(checkpoint), [0, 0, 0]);
  });

  test(
    on('a write in a reader thread is refused, and its transaction cannot be used after its work has ended'),
    async (t) => {
      const { storage } = await opened(t, { driver });
      let kept: Transaction | undefined;
      const write = (tx: Transaction) => {
        kept = tx;
        return tx.users.update(1, { full_name: 'Nobody' });
      };
      await assert.rejects(storage.read(write, 'large'), failsAs('read-only'));
      await assert.rejects(async () => kept?.users.byId(1), failsAs('ended'));
      await assert.rejects(
        storage.read(async (tx) => void tx.users.byId(1), 'large'),
        failsAs('ended'),
      );
      assert.deepEqual(await storage.read(namesIn, 'large'), ['Ada', 'Bob', 'Cyd']);
    },
  );

  test(on('a read whose thread dies runs again once, and then fails as unreachable'), async (t) => {
    const threads = started(t);
    const { storage } = await opened(t, { driver });
    let begun = 0;
    const kill = async (tx: Transaction, times: number) => {
      await tx.users.byId(1);
      if (begun++ < times) await threads.at(-1)?.terminate();
      return namesIn(tx);
    };
    assert.deepEqual(await storage.read((tx) => kill(tx, 1), 'scan'), ['Ada', 'Bob', 'Cyd']);
    assert.equal(begun, 2);
    begun = 0;
    await assert.rejects(
      storage.read((tx) => kill(tx, 9), 'scan'),
      failsAs('unreachable'),
    );
    assert.equal(begun, 2);
    assert.deepEqual(await storage.read(namesIn, 'scan'), ['Ada', 'Bob', 'Cyd']);
    assert.equal(threads.length, 4);
  });

  test(on('close refuses running and waiting scans and ends all reader threads'), async (t) => {
    const threads = started(t);
    const { storage } = await opened(t, { driver });
    await storage.read(namesIn, 'large');
    let isOver = false;
    const scans = [1, 2, 3].map(() =>
      storage.read(async (tx) => {
        while (!isOver) await scan(tx);
      }, 'scan'),
    );
    const outcomes = Promise.allSettled(scans);
    await sleep(20);
    await storage.close();
    for (const outcome of await outcomes) assert.ok(outcome.status === 'rejected' && failsAs('closed')(outcome.reason));
    isOver = true;
    assert.deepEqual(
      threads.map(({ threadId }) => threadId),
      threads.map(() => -1),
    );
  });

  test(on('a read runs without a thread if the thread cannot open the file or finds another file'), async (t) => {
    const { storage, path } = await opened(t, { driver });
    await rename(path, `${path}.elsewhere`);
    assert.deepEqual(await storage.read(namesIn, 'scan'), ['Ada', 'Bob', 'Cyd']);
    await writeFile(path, '');
    assert.deepEqual(await storage.read(namesIn, 'scan'), ['Ada', 'Bob', 'Cyd']);
    await rename(`${path}.elsewhere`, path);
    assert.deepEqual(await storage.read(namesIn, 'scan'), ['Ada', 'Bob', 'Cyd']);
  });
}

const test = testOn({});

test('no reader thread starts for a small file, in memory or with readerThreads 0', async (t) => {
  const threads = started(t);
  const { storage } = await opened(t, { threadsFromBytes: 100_000_000 });
  const { storage: without } = await opened(t, { readerThreads: 0 });
  const memory = sqlite(':memory:', { threadsFromBytes: 0 });
  await memory.open();
  t.after(() => memory.close());
  for (const each of [storage, without, memory]) await each.read(namesIn, 'scan');
  assert.equal(threads.length, 0);
});

test('concurrent reads without threads yield to the event loop', async (t) => {
  const { storage } = await opened(t, { readerThreads: 0 });
  const busy = async (tx: Transaction) => {
    for (const end = performance.now() + 6; performance.now() < end; ) await tx.users.byId(1);
  };
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  const reads = Array.from({ length: 10 }, () => storage.read(busy));
  // Counts turns after the reads have started.
  setImmediate(() => setImmediate(count));
  await Promise.all(reads);
  isOver = true;
  assert.ok(turns >= 5, `${turns} turns`);
});

test('a program that used a reader thread exits by itself, also without closing the storage', async (t) => {
  const { path, storage } = await opened(t, {});
  await storage.close();
  const file = join(import.meta.dirname, 'read-apart.ts');
  for (const how of ['closes', 'forgets']) {
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', file, path, how], {
      timeout: 30_000,
    });
    assert.equal(stdout, 'Ada,Bob,Cyd\n');
  }
});
