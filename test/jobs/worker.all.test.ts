import assert from 'node:assert/strict';
import { describe, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChatOptions, Storage } from '../../lib/index.ts';
import { transportOf } from '../../lib/internal.ts';
import type { Transaction } from '../../lib/storage/interface/storage.ts';
import { draft } from '../contract/fixtures.ts';
import { testOn } from '../support/engines.ts';
import { until } from '../support/until.ts';
import { bothEngines, postgresEngine, type WorldEngine } from '../world/copies.ts';
import { openWorld } from '../world/world.ts';
import { CountingClock, countingTransactions } from './counting.ts';

const HOUR = 3_600_000;

/** A chat whose worker uses the system's clock, and a storage of another process beside it. */
async function beside(t: TestContext, engine: WorldEngine, options: Partial<ChatOptions> = {}) {
  const place = await engine.place();
  t.after(() => place.remove());
  const clock = new CountingClock();
  const storage = place.storage();
  const counts = countingTransactions(storage);
  const { chat, failures } = await openWorld(place.fixture, storage, { clock, ...options });
  t.after(() => chat.close());
  const other = place.storage();
  await other.open();
  t.after(() => other.close());
  // The fixture is old: its due work is done before the test.
  await other.write((tx) => tx.events.append([draft('present', { scope: 'everyone' })], Date.now()));
  await chat.runDue();
  let notices = 0;
  storage.onForeignCommit(() => notices++);
  return { chat, storage, counts, clock, other, failures, notices: () => notices };
}

/** Longer than the worker pauses between two rounds of work. */
const SLEEP_MS = 5_000;

/** Waits until the worker sleeps and the storage has been idle for a while. A busy machine can hold up either. */
async function quiet({ chat, clock, counts }: Pick<Awaited<ReturnType<typeof beside>>, 'chat' | 'clock' | 'counts'>) {
  const { worker } = transportOf(chat).engine;
  const isAsleep = () => clock.live === 1 && clock.lastMs > SLEEP_MS;
  for (let before = -1; before !== counts.reads + counts.writes || worker.isBusy || !isAsleep(); ) {
    before = counts.reads + counts.writes;
    await sleep(600);
  }
}

async function commits(storage: Storage, count: number, work: (tx: Transaction) => Promise<unknown>): Promise<void> {
  for (let n = 0; n < count; n++) {
    await storage.write(work, 'mark');
    await sleep(5);
  }
}

for (const engine of bothEngines) {
  const test = testOn(engine);
  // They mostly wait. Worlds on PostgreSQL share a schema.
  describe(`the worker on ${engine.name}`, { concurrency: engine !== postgresEngine }, () => {
    test('60 commits of another process cause no write and never a second timer', async (t) => {
      const made = await beside(t, engine);
      const { chat, counts, clock, other, failures, notices } = made;
      chat.start();
      await quiet(made);
      const before = { ...counts, notices: notices() };
      clock.most = clock.live;
      await commits(other, 60, (tx) => tx.events.append([draft('news', { scope: 'everyone' })], Date.now()));
      await quiet(made);
      const heard = notices() - before.notices;
      t.diagnostic(
        `${heard} notices, ${clock.most} live timers, ${counts.writes - before.writes} writes, ` +
          `${counts.reads - before.reads} reads, ${counts.statements - before.statements} statements`,
      );
      assert.ok(heard > 0, 'notices of the other process have arrived');
      assert.equal(clock.most, 1);
      assert.equal(counts.writes, before.writes);
      // On PostgreSQL, notices say whether work is due. On SQLite each notice causes one read at most.
      const looks = engine === postgresEngine ? 0 : heard;
      assert.ok(counts.reads - before.reads <= looks, `${counts.reads - before.reads} reads after ${heard} notices`);
      assert.deepEqual(failures, []);
    });

    test('60 items that another process enqueues for later cause few reads and no write', async (t) => {
      const made = await beside(t, engine);
      const { chat, counts, clock, other, failures } = made;
      chat.start();
      await quiet(made);
      const before = { ...counts };
      clock.most = clock.live;
      const from = clock.now();
      await commits(other, 60, (tx) => tx.outbox.add([{ kind: 'mail', payload: {}, due_ms: Date.now() + HOUR }]));
      await quiet(made);
      const reads = counts.reads - before.reads;
      t.diagnostic(`${clock.most} live timers, ${counts.writes - before.writes} writes, ${reads} reads`);
      assert.ok(reads > 0, 'the worker has read');
      // It reads ten times a second at most, however many notices arrive.
      assert.ok(reads <= 2 + (clock.now() - from) / 100, `${reads} reads`);
      assert.equal(clock.most, 1);
      assert.equal(counts.writes, before.writes);
      assert.deepEqual(failures, []);
    });

    test('a sleeping worker runs an item that another process enqueues', async (t) => {
      const sent: string[] = [];
      const mail = { send: async ({ to }: { to: string }) => void sent.push(to), close: async () => undefined };
      const made = await beside(t, engine, { mail });
      const { chat, clock, other } = made;
      chat.start();
      await quiet(made);
      const payload = { to: 'ada@example.com', subject: 'Hello', text: '' };
      await other.write((tx) => tx.outbox.add([{ kind: 'mail', payload, due_ms: Date.now() }]), 'mark');
      // Much sooner than its own next check.
      await until('the e-mail is sent', () => sent.length > 0);
      assert.deepEqual(sent, ['ada@example.com']);
      assert.equal(clock.most, 1);
    });

    test('an idle worker sends no statements', async (t) => {
      const made = await beside(t, engine);
      const { chat, counts, clock } = made;
      chat.start();
      await quiet(made);
      const before = { ...counts };
      await sleep(2_000);
      assert.deepEqual({ ...counts }, before);
      assert.equal(clock.live, 1);
    });
  });
}
