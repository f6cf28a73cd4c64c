import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OutboxOutcome } from '../../lib/operation/feature.ts';
import { openFounded } from '../contract/fixtures.ts';
import { engines, testOn } from '../support/engines.ts';
import { Gate } from '../support/gate.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { until } from '../support/until.ts';
import { countingTransactions } from './counting.ts';
import { all, enqueue, inOrder, kindOf, left, processOn } from './processes.ts';

const DAY = 86_400_000;

for (const place of engines) {
  const test = testOn(place);
  describe(`the outbox on ${place.name}`, () => {
    test('the outbox runs as many items of a kind at the same time as the kind allows', async (t) => {
      const { storage } = await openFounded(t, place);
      const kind = kindOf('sink', 7, () => sleep(20));
      const process = processOn(t, storage, [kind]);
      await enqueue(process, kind, 40);
      assert.equal(await process.engine.worker.runDue(), 40);
      assert.deepEqual(inOrder(kind.done), all(40));
      assert.equal(kind.now.most, 7);
    });

    test('concurrent calls of runDue run each outbox item once', async (t) => {
      const { storage } = await openFounded(t, place);
      const kind = kindOf('sink', 3, () => sleep(5));
      const process = processOn(t, storage, [kind]);
      await enqueue(process, kind, 20);
      const { worker } = process.engine;
      await Promise.all([worker.runDue(), worker.runDue()]);
      assert.deepEqual(inOrder(kind.done), all(20));
      assert.equal(kind.now.most, 3);
      assert.deepEqual(await left(storage, 'sink'), []);
    });

    test('the outbox claims and completes many items in few shared transactions', async (t) => {
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

    test('a slow outbox item delays neither other kinds nor other items of its kind', async (t) => {
      const { storage } = await openFounded(t, place);
      const gate = new Gate();
      t.after(() => gate.open());
      const slow = kindOf('slow', 2, ({ n }) => (n === 0 ? gate.opened : Promise.resolve()));
      const fast = kindOf('fast', 3);
      const clock = new ManualClock();
      const process = processOn(t, storage, [slow, fast], clock);
      process.engine.worker.start();
      await enqueue(process, slow, 1);
      await until('the slow one has begun', () => {
        clock.advance({ milliseconds: 10 });
        return slow.now.running === 1;
      });
      await process.engine.asSystem('write', async (context) => {
        context.enqueue(slow({ n: 1 }));
        for (let n = 0; n < 30; n++) context.enqueue(fast({ n }));
      });
      await until('the others are done', () => {
        clock.advance({ milliseconds: 10 });
        return fast.done.length === 30 && slow.done.length === 1;
      });
      assert.equal(slow.now.running, 1);
      gate.open();
      await until('the slow one is done', () => slow.done.length === 2);
      await process.engine.worker.stop();
      assert.deepEqual([await left(storage, 'slow'), await left(storage, 'fast')], [[], []]);
      assert.deepEqual(process.failures, []);
    });

    test('items of a key that hang take only its share, and the others of the key wait for them', async (t) => {
      const { storage } = await openFounded(t, place);
      const gate = new Gate();
      t.after(() => gate.open());
      const keyOf = ({ n }: { n: number }) => (n < 500 ? 1 : n < 510 ? 2 : undefined);
      const hung: number[] = [];
      const hang = (n: number) => {
        hung.push(n);
        return gate.opened;
      };
      const kind = kindOf('sink', 10, ({ n }) => (keyOf({ n }) === 1 ? hang(n) : Promise.resolve()), {
        share: { places: 3, keyOf },
      });
      const clock = new ManualClock();
      const process = processOn(t, storage, [kind], clock);
      await enqueue(process, kind, 520);
      const { worker } = process.engine;
      const running = worker.runDue();
      await until('all others are done', () => kind.done.length === 20);
      assert.deepEqual(
        inOrder(kind.done),
        all(520).filter((n) => n >= 500),
      );
      assert.equal(hung.length, 3);
      gate.open();
      await running;
      // Those that did not fit into memory are due later.
      assert.equal(hung.length, 203);
      assert.equal((await left(storage, 'sink')).length, 297);
    });

    test('items that wait for their share are left to others when the outbox stops', async (t) => {
      const { storage } = await openFounded(t, place);
      const gates = [new Gate(), new Gate()] as const;
      t.after(() => {
        for (const gate of gates) gate.open();
      });
      const kind = kindOf('sink', 5, ({ n }) => gates[n === 0 ? 0 : 1].opened, {
        share: { places: 2, keyOf: () => 1 },
      });
      const clock = new ManualClock();
      const process = processOn(t, storage, [kind], clock);
      await enqueue(process, kind, 9);
      const nextDue = async () => (await storage.read((tx) => tx.outbox.nextDue('sink'))) ?? 0;
      process.engine.worker.start();
      await until('all are claimed', async () => kind.now.running === 2 && (await nextDue()) > clock.now());
      const stopping = process.engine.worker.stop();
      gates[0].open();
      await until('others can claim them', async () => (await nextDue()) === clock.now());
      gates[1].open();
      await stopping;
      // A claim that ended after the stop may have started one more.
      assert.ok(kind.done.length <= 3, `${kind.done.length} done`);
      assert.equal((await left(storage, 'sink')).length, 9 - kind.done.length);
    });

    test('stopping the outbox waits for running items and leaves others unclaimed', async (t) => {
      const { storage } = await openFounded(t, place);
      const gate = new Gate();
      t.after(() => gate.open());
      const kind = kindOf('sink', 3, () => gate.opened);
      const process = processOn(t, storage, [kind]);
      await enqueue(process, kind, 10);
      process.engine.worker.start();
      await until('three have begun', () => kind.now.running === 3);
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

    test('a failing outbox item is retried while others of its kind are completed', async (t) => {
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

    test('outbox results that could not be written are written later, and no item runs twice', async (t) => {
      const { storage } = await openFounded(t, place);
      const kind = kindOf('sink', 4);
      const clock = new ManualClock();
      const process = processOn(t, storage, [kind], clock);
      await enqueue(process, kind, 4);
      const failure = new Error('the database is away');
      const write = storage.write.bind(storage);
      let writes = 0;
      // The claim is committed. The transaction that writes the results is lost before its commit.
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

    test('a failure after the lease of an outbox item does not replace the success of another process', async (t) => {
      const { storage, reopen } = await openFounded(t, place);
      const clock = new ManualClock();
      const gate = new Gate();
      t.after(() => gate.open());
      const noted: string[] = [];
      const noting = (name: string, perform: () => Promise<unknown>) =>
        Object.assign(kindOf('sink', 1, perform), {
          async noteOutcomes(_: unknown, outcomes: readonly OutboxOutcome[]) {
            for (const { failure } of outcomes) noted.push(`${name} ${failure ? 'failed' : 'succeeded'}`);
          },
        });
      let isBegun = false;
      const slow = noting('slow', async () => {
        isBegun = true;
        await gate.opened;
        throw new Error('too late');
      });
      const one = processOn(t, storage, [slow], clock);
      const other = processOn(t, await reopen(), [noting('fast', async () => undefined)], clock);
      await enqueue(one, slow, 1);
      const late = one.engine.worker.runDue();
      await until('the slow attempt has begun', () => isBegun);
      clock.advance({ minutes: 3 });
      assert.equal(await other.engine.worker.runDue(), 1);
      gate.open();
      await late;
      assert.deepEqual(noted, ['fast succeeded']);
    });

    test('an outbox item of a kind that only a newer process knows waits for that process', async (t) => {
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

    test('given-up outbox items are deleted after 30 days, in batches', async (t) => {
      const { storage } = await openFounded(t, place);
      const clock = new ManualClock();
      const process = processOn(t, storage, [], clock);
      const giveUp = (count: number) =>
        storage.write(async (tx) => {
          const due_ms = clock.now();
          await tx.outbox.add(all(count).map((n) => ({ kind: 'lost', payload: { n }, due_ms })));
          const items = await tx.outbox.claimDue('lost', due_ms, due_ms + 1, count);
          await tx.outbox.failed(
            items.map((item) => ({ ...item, error: 'no', due_ms: null })),
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
