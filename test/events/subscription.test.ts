import assert from 'node:assert/strict';
import test from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { CancelListener, CancelSignal } from '../../lib/base/cancel-signal.ts';
import { RecentLog } from '../../lib/events/batch.ts';
import { Subscription } from '../../lib/events/subscription.ts';
import { newQueue, newUser } from '../contract/fixtures.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** A subscription to a log without events. */
function quiet() {
  const live = new Set<Subscription>();
  const feed = {
    recent: new RecentLog(0, 1),
    live,
    organizations: { newest: undefined },
    mayHaveMore: () => false,
    readSoon() {},
  };
  const subscription = new Subscription({
    queue: newQueue('ada', 1),
    reader: { ...newUser('Ada'), profile_data: '{}', id: 1, version: 1 },
    usersVersion: 1,
    publicFeed: 'none',
    seq: 0,
    last: 0,
    commitCount: 0,
    accepts: () => true,
  });
  subscription.open(feed);
  return { subscription, live };
}

test('a reader that a newer one of its queue replaces ends after a second, and a client that leaves at once', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { subscription, live } = quiet();
  const ended: string[] = [];
  const leaving = new AbortController();
  const read = (name: string, signal?: CancelSignal) =>
    Promise.resolve(subscription.next(0, { milliseconds: 60_000, signal })).then(
      (received) => void ended.push(`${name} ${received}`),
    );
  const readers = [read('first'), read('second', leaving.signal)];
  assert.equal(live.size, 1);
  t.mock.timers.tick(999);
  leaving.abort();
  await readers[1];
  assert.deepEqual(ended, ['second superseded']);
  assert.equal(live.size, 0);
  t.mock.timers.tick(1);
  await readers[0];
  assert.deepEqual(ended, ['second superseded', 'first superseded']);
  const third = read('third');
  t.mock.timers.tick(60_000);
  await third;
  assert.deepEqual(ended.at(-1), 'third heartbeat');
});

test('an open subscription keeps no reference to a reader that has got its answer', async () => {
  const { subscription } = quiet();
  const refs: WeakRef<object>[] = [];
  const read = async () => {
    const signal: CancelSignal & { listener?: CancelListener } = {
      aborted: false,
      addEventListener(_, listener) {
        this.listener = listener;
      },
      removeEventListener() {},
    };
    const received = subscription.next(0, { milliseconds: 1, signal });
    refs.push(new WeakRef(signal), new WeakRef(received as Promise<unknown>));
    assert.equal(await received, 'heartbeat');
  };
  await read();
  // A new WeakRef keeps its object until the end of the current turn.
  await new Promise(setImmediate);
  collectGarbage();
  assert.deepEqual(
    refs.map((ref) => ref.deref()),
    [undefined, undefined],
  );
});
