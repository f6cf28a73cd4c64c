import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { EventHub } from '../../lib/events/hub.ts';
import { type QueueRead, type Received, Subscription } from '../../lib/events/subscription.ts';
import { OrganizationCache } from '../../lib/viewer/versioned-caches.ts';
import { draft, newQueue, newUser, openFounded } from '../contract/fixtures.ts';
import { engines, testOn } from '../support/engines.ts';
import { until } from '../support/until.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const PATIENCE = { milliseconds: 20_000 };

const notes = (received: Received) =>
  typeof received === 'string' ? received : received.events.map(({ event }) => String(event.note).slice(0, 8));

for (const engine of engines) {
  const test = testOn(engine);

  const opened = async (t: TestContext) => {
    const { storage } = await openFounded(t, engine);
    const hub = new EventHub(storage, silent, new OrganizationCache(() => 'http://localhost'));
    t.after(() => hub.close());
    const append = (...texts: string[]) =>
      storage.write((tx) =>
        tx.events.append(
          texts.map((text) => draft(text, { scope: 'everyone' })),
          1,
        ),
      );
    const subscriptionOf = (queueId: string, { accepts = () => true, seq = 0 }: Partial<QueueRead> = {}) =>
      new Subscription({
        queue: newQueue(queueId, 1),
        reader: { ...newUser('Nobody'), profile_data: '{}', id: 1, version: 1 },
        usersVersion: 1,
        publicFeed: 'none',
        seq,
        last: seq,
        commitCount: hub.commitCount,
        accepts,
      });
    const wait = async (queueId: string, given: Partial<QueueRead> = {}): Promise<Received> => {
      const subscription = subscriptionOf(queueId, given);
      return hub.open(subscription) ? subscription.next(subscription.seq, PATIENCE) : 'closed';
    };
    const goOn = async (queueId: string, last: number): Promise<Received> =>
      hub.find(queueId)?.next(last, PATIENCE) ?? 'closed';
    return { storage, hub, append, subscriptionOf, wait, goOn };
  };

  const lastOf = (received: Received) => (typeof received === 'string' ? 0 : (received.events.at(-1)?.seq ?? 0));

  test(`on ${engine.name} a poll receives the rest of a commit that is longer than one read`, async (t) => {
    const { hub, append, wait, goOn } = await opened(t);
    const waiting = wait('first');
    await append(...Array.from({ length: 250 }, (_, n) => `note ${n}`));
    hub.wake();
    const found: string[] = [];
    let received = await waiting;
    for (;;) {
      const events = notes(received);
      assert.ok(Array.isArray(events), String(events));
      found.push(...events);
      if (found.length >= 250) break;
      received = await goOn('first', lastOf(received));
    }
    assert.deepEqual(
      found,
      Array.from({ length: 250 }, (_, n) => `note ${n}`),
    );
  });

  test(`on ${engine.name} delivery is late while the log has more events than a waiting poll was offered`, async (t) => {
    const { hub, append, wait } = await opened(t);
    const lags: number[] = [];
    const accepts = () => {
      lags.push(hub.lagMs(60_001));
      return false;
    };
    const waiting = wait('first', { accepts });
    assert.equal(hub.lagMs(60_001), 0);
    await append(...Array.from({ length: 250 }, (_, n) => `note ${n}`));
    hub.wake();
    await until('every event is offered', () => lags.length === 250);
    assert.deepEqual([lags[0], lags[99], lags[100], lags[249]], [60_000, 60_000, 0, 0]);
    hub.close();
    assert.equal(await waiting, 'superseded');
  });

  test(`on ${engine.name} delivery to a new poll is not late when earlier polls left events unread`, async (t) => {
    const { storage, hub, append, wait } = await opened(t);
    const waiting = wait('first');
    await append(...Array.from({ length: 250 }, (_, n) => `note ${n}`));
    hub.wake();
    assert.equal(notes(await waiting).length, 100);
    assert.equal(hub.lagMs(60_000), 0, 'no poll waits');
    const tail = await storage.read((tx) => tx.events.tail());
    const next = wait('second', { seq: tail });
    await until('delivery is not late', () => hub.lagMs(60_000) === 0);
    await append('later');
    hub.wake();
    assert.deepEqual(notes(await next), ['later']);
  });

  test(`on ${engine.name} a request for a later position does not move another client's queue`, async (t) => {
    const { hub, append, wait, goOn } = await opened(t);
    const [victim, other] = [wait('victim'), wait('other')];
    await append('a');
    hub.wake();
    let last = lastOf(await victim);
    let ofOther = lastOf(await other);
    const first = last;
    for (const text of ['b', 'c']) {
      const waiting = goOn('other', ofOther);
      await append(text);
      hub.wake();
      ofOther = lastOf(await waiting);
    }
    assert.ok(hub.find('victim')?.continuesAt(ofOther));
    const answer = await goOn('victim', first);
    assert.deepEqual(notes(answer), ['b', 'c']);
    last = lastOf(answer);
    assert.equal(last, ofOther);
  });

  test(`on ${engine.name} a poll reads the log again if its events are dropped from memory while it waits`, async (t) => {
    const { hub, append, wait, goOn } = await opened(t);
    const large = 'x'.repeat(3_000_000);
    const [slow, fast] = [wait('slow'), wait('fast')];
    await append('a');
    hub.wake();
    const last = lastOf(await slow);
    let ofFast = lastOf(await fast);
    for (const text of ['b', 'c']) {
      const waiting = goOn('fast', ofFast);
      await append(text + large);
      hub.wake();
      ofFast = lastOf(await waiting);
    }
    // A commit is unread, so the slow poll waits for the read. The read drops that poll's events from memory.
    await append(`d${large}`);
    hub.wake();
    const waiting = [goOn('slow', last), goOn('fast', ofFast)];
    assert.equal(notes((await waiting[0]) as Received), 'closed');
    assert.deepEqual(notes((await waiting[1]) as Received), ['dxxxxxxx']);
  });

  test(`on ${engine.name} beyond 50,000 queues, those without a waiting poll are forgotten`, async (t) => {
    const { hub, subscriptionOf, wait } = await opened(t);
    const waiting = wait('waiting');
    for (let n = 1; n <= 50_000; n++) hub.open(subscriptionOf(`queue ${n}`));
    assert.equal(hub.find('queue 1'), undefined);
    assert.ok(hub.find('queue 50000'));
    hub.close();
    assert.equal(await waiting, 'superseded');
  });

  test(`on ${engine.name} polls during a rewind read again, and no queue is kept at the start of the log`, async (t) => {
    const { storage, hub, append, wait } = await opened(t);
    const { read } = storage;
    let release = () => {};
    let isHeld = false;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const waiting = wait('first');
    storage.read = async (...asked) => {
      storage.read = read;
      isHeld = true;
      await released;
      return (await read.apply(storage, asked)) as never;
    };
    await append('a');
    hub.wake();
    await until('the read is held back', () => isHeld);
    hub.rewind();
    assert.equal(await waiting, 'closed');
    const during = wait('second');
    release();
    assert.equal(await during, 'closed');
    assert.equal(hub.find('second'), undefined);
  });
}
