import assert from 'node:assert/strict';
import { describe, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Engine } from '../../lib/kernel/engine.ts';
import { defineOutboxKind, type OutboxKind } from '../../lib/kernel/outbox.ts';
import type { Clock } from '../../lib/ports/clock.ts';
import { sharpImages } from '../../lib/ports/sharp-images.ts';
import type { Storage } from '../../lib/storage/interface/storage.ts';
import { openFounded } from '../contract/fixtures.ts';
import { engines, testOn } from '../support/engines.ts';
import { Gate } from '../support/gate.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { CountingClock, countingTransactions } from './counting.ts';

const DAY = 86_400_000;

interface Item {
  n: number;
}

/** A kind that notes what was done, and does it as told. */
function kindOf(name: string, concurrency: number, perform: (item: Item) => Promise<unknown> = async () => undefined) {
  const done: number[] = [];
  const now = { running: 0, most: 0 };
  const kind = defineOutboxKind<Item>(name, {
    concurrency,
    async perform(_, item) {
      now.most = Math.max(now.most, ++now.running);
      try {
        await perform(item);
        done.push(item.n);
      } finally {
        now.running--;
      }
    },
  });
  return Object.assign(kind, { done, now });
}

interface Process {
  engine: Engine;
  failures: object[];
}

/** A process with a worker over a storage of its own. */
function processOn(t: TestContext, storage: Storage, kinds: OutboxKind[], clock: Clock = new ManualClock()): Process {
  const failures: object[] = [];
  const logger = { debug() {}, info() {}, warn() {}, error: (data: object) => void failures.push(data) };
  const engine = new Engine(
    {
      ...{ storage, clock, logger, mail: undefined, images: sharpImages(), baseUrl: 'http://localhost' },
      ...{ development: false, webPublicChannels: true, heartbeatSeconds: 50 },
    },
    { events: [], initialState: {}, dueWork: [], outboxKinds: kinds },
  );
  t.after(() => engine.worker.stop());
  return { engine, failures };
}

function enqueue({ engine }: Process, kind: OutboxKind<Item>, count: number): Promise<void> {
  return engine.maintain(async (context) => {
    for (let n = 0; n < count; n++) context.enqueue(kind({ n }));
  });
}

const all = (count: number) => Array.from({ length: count }, (_, n) => n);
const inOrder = (numbers: readonly number[]) => [...numbers].sort((one, other) => one - other);

async function until(isTrue: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let turn = 0; turn < 1_000; turn++) {
    if (await isTrue()) return;
    await sleep(5);
  }
  assert.fail(`waited in vain: ${what}`);
}

/** What is left of a kind, and how often each has been tried. */
const left = (storage: Storage, kind: string) =>
  storage.write(async (tx) =>
    (await tx.outbox.claimDue(kind, Number.MAX_SAFE_INTEGER, 1, 1_000)).map((one) => one.attempts - 1),
  );

for (const place of engines) {
  const test = testOn(place);
  describe(`the outbox on ${place.name}`, () => {
    test('as many items of a kind are worked on at a time as it allows', async (t) => {
      const { storage } = await openFounded(t, place);
      const kind = kindOf('sink', 7, () => sleep(20));
      const process = processOn(t, storage, [kind]);
      await enqueue(process, kind, 40);
      assert.equal(await process.engine.worker.runDue(), 40);
      assert.deepEqual(inOrder(kind.done), all(40));
      assert.equal(kind.now.most, 7);
    });

    test('claims and results of many items share transactions, and none keeps other writers out', async (t) => {
      const { storage } = await openFounded(t, place);
      const kind = kindOf('sink', 10);
      const process = processOn(t, storage, [kind]);
      await enqueue(process, kind, 200);
      const counts = countingTransactions(storage);
      assert.equal(await process.engine.worker.runDue(), 200);
      t.diagnostic(`${counts.writes} writes, ${counts.exclusive} of them exclusive`);
      assert.equal(counts.exclusive, 0);
      assert.ok(counts.writes <= 21, `${counts.writes} writes`);
    });

    test('a kind that takes its time holds up no other kind, nor items of its own while there is room', async (t) => {
      const { storage } = await openFounded(t, place);
      const gate = new Gate();
      t.after(() => gate.open());
      const slow = kindOf('slow', 2, ({ n }) => (n === 0 ? gate.opened : Promise.resolve()));
      const fast = kindOf('fast', 3);
      const clock = new ManualClock();
      const process = processOn(t, storage, [slow, fast], clock);
      process.engine.worker.start();
      await enqueue(process, slow, 1);
      await until(() => {
        clock.advance({ milliseconds: 10 });
        return slow.now.running === 1;
      }, 'the slow one to begin');
      await process.engine.maintain(async (context) => {
        context.enqueue(slow({ n: 1 }));
        for (let n = 0; n < 30; n++) context.enqueue(fast({ n }));
      });
      await until(() => {
        clock.advance({ milliseconds: 10 });
        return fast.done.length === 30 && slow.done.length === 1;
      }, 'the others to be done');
      assert.equal(slow.now.running, 1);
      gate.open();
      await until(() => slow.done.length === 2, 'the slow one to end');
      await process.engine.worker.stop();
      assert.deepEqual([await left(storage, 'slow'), await left(storage, 'fast')], [[], []]);
      assert.deepEqual(process.failures, []);
    });

    test('two processes work side by side, and each item is done once', async (t) => {
      const { storage, reopen } = await openFounded(t, place);
      const both = new Gate();
      const meet = (mine: () => ReturnType<typeof kindOf>, theirs: () => ReturnType<typeof kindOf>) => async () => {
        if (mine().now.running === 5 && theirs().now.running === 5) both.open();
        // Whoever works alone goes on in the end, and is found out below.
        await Promise.race([both.opened, sleep(2_000)]);
      };
      const here: ReturnType<typeof kindOf> = kindOf(
        'sink',
        5,
        meet(
          () => here,
          () => there,
        ),
      );
      const there: ReturnType<typeof kindOf> = kindOf(
        'sink',
        5,
        meet(
          () => there,
          () => here,
        ),
      );
      const processes = [processOn(t, storage, [here]), processOn(t, await reopen(), [there])] as const;
      await enqueue(processes[0], here, 300);
      const counts = await Promise.all(processes.map(({ engine }) => engine.worker.runDue()));
      assert.equal((counts[0] ?? 0) + (counts[1] ?? 0), 300);
      assert.deepEqual(inOrder([...here.done, ...there.done]), all(300));
      assert.deepEqual([here.now.most, there.now.most], [5, 5]);
      assert.deepEqual(await left(storage, 'sink'), []);
    });

    test('two workers that run by themselves do everything once, and then nothing', async (t) => {
      const { storage, reopen } = await openFounded(t, place);
      const storages = [storage, await reopen()] as const;
      const clocks = [new CountingClock(), new CountingClock()] as const;
      const kinds = [kindOf('sink', 5, () => sleep(5)), kindOf('sink', 5, () => sleep(5))] as const;
      const processes = [0, 1].map((at) =>
        processOn(t, storages[at as 0 | 1], [kinds[at as 0 | 1]], clocks[at as 0 | 1]),
      ) as [Process, Process];
      for (const { engine } of processes) engine.worker.start();
      for (let round = 0; round < 10; round++) await enqueue(processes[round % 2 ? 0 : 1], kinds[0], 20);
      await until(() => kinds[0].done.length + kinds[1].done.length >= 200, 'everything to be done');
      const counts = storages.map(countingTransactions);
      await until(() => clocks.every(({ live }) => live === 1), 'the workers to sleep');
      for (
        let before = -1, now = 0;
        before !== now;
        now = counts.reduce((sum, { reads, writes }) => sum + reads + writes, 0)
      ) {
        before = now;
        await sleep(600);
      }
      const before = counts.map(({ statements }) => statements);
      await sleep(1_000);
      assert.deepEqual(
        counts.map(({ statements }) => statements),
        before,
      );
      assert.deepEqual(inOrder([...kinds[0].done, ...kinds[1].done]), inOrder(Array(10).fill(all(20)).flat()));
      assert.deepEqual([...processes[0].failures, ...processes[1].failures], []);
      for (const clock of clocks) assert.deepEqual([clock.most, clock.live], [1, 1]);
    });

    test('neither what takes longer than a lease nor what waits behind it is begun by another process', async (t) => {
      const { storage, reopen } = await openFounded(t, place);
      const clock = new ManualClock();
      const gate = new Gate();
      t.after(() => gate.open());
      const here = kindOf('sink', 1, ({ n }) => (n === 0 ? Promise.resolve() : gate.opened));
      const there = kindOf('sink', 1);
      const process = processOn(t, storage, [here], clock);
      const other = processOn(t, await reopen(), [there], clock);
      await enqueue(process, here, 3);
      process.engine.worker.start();
      await until(() => here.done.length === 1 && here.now.running === 1, 'the second item to begin');
      const dueAt = () => storage.read((tx) => tx.outbox.nextDue('sink'));
      const leases = [await dueAt()];
      for (let minutes = 0; minutes < 5; minutes++) {
        clock.advance({ seconds: 61 });
        await until(async () => {
          clock.advance({ milliseconds: 100 });
          return ((await dueAt()) ?? 0) > (leases.at(-1) ?? 0);
        }, 'the lease to be renewed');
        leases.push(await dueAt());
        assert.equal(await other.engine.worker.runDue(), 0);
      }
      gate.open();
      await until(() => here.done.length === 3, 'all to be done');
      await process.engine.worker.stop();
      assert.deepEqual([here.done, there.done], [[0, 1, 2], []]);
      assert.deepEqual(await left(storage, 'sink'), []);
    });

    test('stopping waits for what is under way, and what was not begun has not been claimed', async (t) => {
      const { storage } = await openFounded(t, place);
      const gate = new Gate();
      t.after(() => gate.open());
      const kind = kindOf('sink', 3, () => gate.opened);
      const process = processOn(t, storage, [kind]);
      await enqueue(process, kind, 10);
      process.engine.worker.start();
      await until(() => kind.now.running === 3, 'three to begin');
      let isStopped = false;
      const stopping = process.engine.worker.stop().then(() => {
        isStopped = true;
      });
      await sleep(50);
      assert.equal(isStopped, false);
      gate.open();
      await stopping;
      assert.equal(kind.done.length, 3);
      assert.deepEqual(await left(storage, 'sink'), Array(7).fill(0));
    });

    test('stopping gives back at once what was claimed ahead of a quick kind', async (t) => {
      const { storage } = await openFounded(t, place);
      const gate = new Gate();
      t.after(() => gate.open());
      const kind = kindOf('sink', 3, ({ n }) => (n < 3 ? Promise.resolve() : gate.opened));
      const process = processOn(t, storage, [kind]);
      await enqueue(process, kind, 20);
      process.engine.worker.start();
      await until(() => kind.done.length === 3 && kind.now.running === 3, 'the quick ones to be done');
      const due = (at: number) => storage.write((tx) => tx.outbox.claimDue('sink', at, at, 20));
      const now = process.engine.clock.now();
      await until(async () => (await due(now)).length === 11, 'three to be claimed ahead');
      const stopping = process.engine.worker.stop();
      await until(async () => (await due(now)).length === 14, 'these to be given back');
      assert.equal(kind.now.running, 3);
      gate.open();
      await stopping;
      assert.equal(kind.done.length, 6);
      assert.equal((await left(storage, 'sink')).length, 14);
    });

    test('a failing item is tried again by itself while the others of its kind are done', async (t) => {
      const { storage } = await openFounded(t, place);
      const clock = new ManualClock();
      let refusals = 2;
      const kind = kindOf('sink', 4, async ({ n }) => {
        if (n === 3 && refusals-- > 0) throw new Error(`try again ${'later '.repeat(1_000)}`);
      });
      const process = processOn(t, storage, [kind], clock);
      await enqueue(process, kind, 9);
      assert.equal(await process.engine.worker.runDue(), 9);
      assert.deepEqual(
        inOrder(kind.done),
        all(9).filter((n) => n !== 3),
      );
      clock.advance({ seconds: 5 });
      assert.equal(await process.engine.worker.runDue(), 1);
      assert.equal(await process.engine.worker.runDue(), 0);
      clock.advance({ seconds: 30 });
      assert.equal(await process.engine.worker.runDue(), 1);
      assert.deepEqual(inOrder(kind.done), all(9));
    });

    test('results that could not be written are kept and written later, and nothing is done twice', async (t) => {
      const { storage } = await openFounded(t, place);
      const kind = kindOf('sink', 4);
      const clock = new ManualClock();
      const process = processOn(t, storage, [kind], clock);
      await enqueue(process, kind, 4);
      const failure = new Error('the database is away');
      const write = storage.write.bind(storage);
      let writes = 0;
      // The claim is committed; the transaction that would write the results is lost on the way to its commit.
      storage.write = (work, options) =>
        write(async (tx) => {
          const result = await work(tx);
          if (++writes === 2) throw failure;
          return result;
        }, options);
      await assert.rejects(process.engine.worker.runDue(), failure);
      assert.equal(await process.engine.worker.runDue(), 4);
      assert.deepEqual(inOrder(kind.done), all(4));
      assert.deepEqual(await left(storage, 'sink'), []);
    });

    test('an item of a kind that only a newer process knows is left to it', async (t) => {
      const { storage, reopen } = await openFounded(t, place);
      const clock = new ManualClock();
      const kind = kindOf('from the future', 2);
      const older = processOn(t, storage, [], clock);
      const newer = processOn(t, await reopen(), [kind], clock);
      await enqueue(newer, kind, 1);
      for (let attempt = 0; attempt < 10; attempt++) {
        assert.equal(await older.engine.worker.runDue(), 0);
        clock.advance({ days: 1 });
      }
      assert.deepEqual(await storage.read((tx) => tx.outbox.givenUp(10)), []);
      assert.equal(await newer.engine.worker.runDue(), 1);
    });

    test('what was given up is kept for thirty days and then forgotten, a few hundred at a time', async (t) => {
      const { storage } = await openFounded(t, place);
      const clock = new ManualClock();
      const process = processOn(t, storage, [], clock);
      const giveUp = (count: number) =>
        storage.write(async (tx) => {
          const due_ms = clock.now();
          await tx.outbox.add(all(count).map((n) => ({ kind: 'lost', payload: { n }, due_ms })));
          const items = await tx.outbox.claimDue('lost', due_ms, due_ms + 1, count);
          await tx.outbox.failed(
            items.map(({ id }) => ({ id, error: 'no', due_ms: null })),
            due_ms,
          );
        });
      await giveUp(1_200);
      clock.advance({ milliseconds: 29 * DAY });
      await giveUp(1);
      assert.equal(await process.engine.worker.runDue(), 0);
      clock.advance({ milliseconds: DAY });
      const counts = countingTransactions(storage);
      assert.equal(await process.engine.worker.runDue(), 1_200);
      assert.deepEqual([counts.writes, counts.exclusive], [3, 0]);
      assert.equal((await storage.read((tx) => tx.outbox.givenUp(10))).length, 1);
      clock.advance({ milliseconds: 30 * DAY });
      assert.equal(await process.engine.worker.runDue(), 1);
      assert.deepEqual(await storage.read((tx) => tx.outbox.givenUp(10)), []);
    });
  });
}
