import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openFounded } from '../contract/fixtures.ts';
import { engines, testOn } from '../support/engines.ts';
import { Gate } from '../support/gate.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { until } from '../support/until.ts';
import { CountingClock, countingTransactions } from './counting.ts';
import { all, enqueue, inOrder, kindOf, left, type Process, processOn } from './processes.ts';

for (const place of engines) {
  const test = testOn(place);
  describe(`the outbox of two processes on ${place.name}`, () => {
    test('two processes run outbox items at the same time, each item once', async (t) => {
      const { storage, reopen } = await openFounded(t, place);
      const both = new Gate();
      const meet = (mine: () => ReturnType<typeof kindOf>, theirs: () => ReturnType<typeof kindOf>) => async () => {
        if (mine().now.running === 5 && theirs().now.running === 5) both.open();
        // A process that works alone continues after 30 s, and fails the assertions below.
        await Promise.race([both.opened, sleep(30_000)]);
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

    test('two started workers run each outbox item once, and then send no statements', async (t) => {
      const { storage, reopen } = await openFounded(t, place);
      const storages = [storage, await reopen()] as const;
      const clocks = [new CountingClock(), new CountingClock()] as const;
      const kinds = [kindOf('sink', 5, () => sleep(5)), kindOf('sink', 5, () => sleep(5))] as const;
      const processes = [0, 1].map((at) =>
        processOn(t, storages[at as 0 | 1], [kinds[at as 0 | 1]], clocks[at as 0 | 1]),
      ) as [Process, Process];
      for (const { engine } of processes) engine.worker.start();
      for (let round = 0; round < 10; round++) await enqueue(processes[round % 2 ? 0 : 1], kinds[0], 20);
      await until('everything is done', () => kinds[0].done.length + kinds[1].done.length >= 200);
      const counts = storages.map(countingTransactions);
      await until('the workers sleep', () => clocks.every(({ live }) => live === 1));
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

    test('an outbox item that runs longer than its lease is not run by another process', async (t) => {
      const { storage, reopen } = await openFounded(t, place);
      const clock = new ManualClock();
      const gate = new Gate();
      t.after(() => gate.open());
      const here = kindOf('sink', 1, ({ n }) => (n === 0 ? Promise.resolve() : gate.opened));
      const there = kindOf('sink', 1);
      const process = processOn(t, storage, [here], clock);
      const other = processOn(t, await reopen(), [there], clock);
      await enqueue(process, here, 2);
      process.engine.worker.start();
      await until('the second item has begun', () => here.done.length === 1 && here.now.running === 1);
      const dueAt = () => storage.read((tx) => tx.outbox.nextDue('sink'));
      const leases = [await dueAt()];
      for (let minutes = 0; minutes < 5; minutes++) {
        clock.advance({ seconds: 61 });
        await until('the lease is renewed', async () => {
          clock.advance({ milliseconds: 100 });
          return ((await dueAt()) ?? 0) > (leases.at(-1) ?? 0);
        });
        leases.push(await dueAt());
        assert.equal(await other.engine.worker.runDue(), 0);
      }
      gate.open();
      await until('all are done', () => here.done.length === 2);
      await process.engine.worker.stop();
      assert.deepEqual([here.done, there.done], [[0, 1], []]);
      assert.deepEqual(await left(storage, 'sink'), []);
    });
  });
}
