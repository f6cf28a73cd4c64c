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

/** A file of some people, of which long reads are done in threads. */
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

/** More than one piece of it. */
async function fillLog(storage: SqliteStorage): Promise<void> {
  const events = Array.from({ length: 2_500 }, (_, n) => ({
    audience: { users: [1] },
    event: { type: 'x', n, text: 'y'.repeat(n % 1_000) },
  }));
  await storage.write((tx) => tx.events.append(events as never, 1));
}

const namesIn = async (tx: Transaction) => (await tx.users.changedSince(0)).map((user) => user.full_name);

/** Asks for the same again and again, as a scan that goes on for long. */
async function scan(tx: Transaction, times = 20): Promise<number> {
  for (let n = 1; n < times; n++) await tx.users.changedSince(0);
  return (await tx.users.changedSince(0)).length;
}

/** Threads as they are started. */
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

  test(on('a read that was asked for after a scan is answered before it'), async (t) => {
    const { storage } = await opened(t, { driver });
    const answered: string[] = [];
    await Promise.all([
      storage.read((tx) => scan(tx), 'scan').then(() => answered.push('scan')),
      storage.read(namesIn).then(() => answered.push('small')),
    ]);
    assert.deepEqual(answered, ['small', 'scan']);
  });

  test(on('a large read is answered before a scan that was asked for before it'), async (t) => {
    const { storage } = await opened(t, { driver, readerThreads: 2 });
    const held = new Gate();
    const scans = ['one', 'two', 'three'].map(() => storage.read(() => held.opened, 'scan'));
    assert.deepEqual(await storage.read(namesIn, 'large'), ['Ada', 'Bob', 'Cyd']);
    held.open();
    await Promise.all(scans);
  });

  test(on('what is read in a thread is what is read beside the writer, to the last column'), async (t) => {
    const { storage } = await opened(t, { driver });
    const state = async (tx: Transaction) => ({
      users: await tx.users.changedSince(0),
      organization: await tx.organization.get(),
      nobody: await tx.users.byId(99),
      tail: await tx.events.tail(),
    });
    assert.deepEqual(await storage.read(state, 'large'), await storage.read(state));
  });

  test(on('rows come in pieces, all of them and in order'), async (t) => {
    const { storage } = await opened(t, { driver });
    await fillLog(storage);
    const all = (tx: Transaction) => tx.events.since(0, 10_000);
    const found = await storage.read(all, 'large');
    assert.equal(found.length, 2_500);
    assert.deepEqual(found, await storage.read(all));
  });

  test(on('statements that a read asks for together have each their own answer'), async (t) => {
    const { storage } = await opened(t, { driver });
    const found = await storage.read(
      (tx) => Promise.all([tx.users.byId(1), namesIn(tx), tx.users.byId(2), tx.organization.versions()]),
      'large',
    );
    assert.deepEqual([found[0]?.full_name, found[1], found[2]?.full_name], ['Ada', ['Ada', 'Bob', 'Cyd'], 'Bob']);
  });

  test(on('statements that a read asks for together travel in one message, and so do their answers'), async (t) => {
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
    assert.deepEqual(answers, [4], 'the statement that is asked twice is sent once');
  });

  test(on('what is asked ahead travels with the first question, and is asked once'), async (t) => {
    const workers = started(t);
    const { storage } = await opened(t, { driver });
    await storage.read(namesIn, 'large');
    const answers: number[] = [];
    workers[0]?.on('message', (given: unknown[]) => answers.push(given.length));
    const read = async (tx: Transaction) => [await tx.users.byId(1), await tx.subscriptions.formerOf(1)];
    const [ada, former] = await storage.read(read, 'large', (tx) => [tx.subscriptions.formerOf(1)]);
    assert.equal((ada as { full_name: string }).full_name, 'Ada');
    assert.deepEqual(former, []);
    assert.deepEqual(answers, [2]);
  });

  test(on('what is asked ahead in vain harms neither its read nor the next one'), async (t) => {
    const { storage } = await opened(t, { driver, readerThreads: 1 });
    await fillLog(storage);
    const many = (tx: Transaction) => [tx.events.since(0, 10_000)];
    const refused = (tx: Transaction) => [tx.users.create(newUser('Dan'))];
    assert.deepEqual(await storage.read(namesIn, 'large', many), ['Ada', 'Bob', 'Cyd']);
    assert.deepEqual(await storage.read(namesIn, 'large', refused), ['Ada', 'Bob', 'Cyd']);
    const fails = async () => Promise.reject(new Error('The work fails.'));
    await assert.rejects(storage.read(fails, 'large', many), /The work fails/);
    assert.deepEqual(await storage.read(namesIn, 'large'), ['Ada', 'Bob', 'Cyd']);
  });

  test(on('rows of several statements come in pieces side by side'), async (t) => {
    const { storage } = await opened(t, { driver });
    await fillLog(storage);
    const both = (tx: Transaction) => Promise.all([tx.events.since(0, 10_000), namesIn(tx), tx.events.since(9, 2_000)]);
    const found = await storage.read(both, 'large');
    assert.deepEqual([found[0].length, found[2].length], [2_500, 2_000]);
    assert.deepEqual(found, await storage.read(both));
  });

  test(on('what is left behind by a statement that fails asks nothing of the next read'), async (t) => {
    const { storage } = await opened(t, { driver, readerThreads: 1 });
    const failing = (tx: Transaction) => Promise.all([scan(tx), tx.users.create(newUser('Dan'))]);
    const [failed, next] = await Promise.allSettled([storage.read(failing, 'large'), storage.read(namesIn, 'large')]);
    assert.equal(failed.status, 'rejected');
    assert.deepEqual(next, { status: 'fulfilled', value: ['Ada', 'Bob', 'Cyd'] });
  });

  test(on('a read in a thread sees what was committed before it was asked for, and keeps to that'), async (t) => {
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

  test(on('a read that follows another at once has a snapshot of its own, and waits for no message'), async (t) => {
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
    // Nobody asked for more, so what it saw is let go.
    assert.deepEqual(sent.calls.at(-1)?.arguments, [{ end: true }]);
    const checkpoint = other.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as object;
    assert.deepEqual(Object.values(checkpoint), [0, 0, 0]);
  });

  test(
    on('nothing can be written in a thread, and its transaction answers nobody after its work has ended'),
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

  test(on('a read whose thread is killed is done again, and fails where that happens again'), async (t) => {
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

  test(on('closing refuses the scans that are under way or wait, and leaves no thread'), async (t) => {
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

  test(on('where a thread cannot open the file, or finds another, the read is done without it'), async (t) => {
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
  // Behind the beginning of the reads.
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
