import assert from 'node:assert/strict';
import test from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { CancelListener, CancelSignal } from '../../lib/base/cancel-signal.ts';
import { RecentLog } from '../../lib/events/recent-log.ts';
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
  const subscription = new Subscription(feed, {
    queue: newQueue('ada', 1),
    reader: { ...newUser('Ada'), profile_data: '{}', id: 1, version: 1 },
    usersVersion: 1,
    publicFeed: 'none',
    seq: 0,
    last: 0,
    commitCount: 0,
    accepts: () => true,
  });
  return { subscription, live };
}

test('a reader that a newer one of its queue replaces ends after a second, and at once if its client leaves', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { subscription, live } = quiet();
  const ended: string[] = [];
  const leaving = new AbortController();
  const read = (name: string, signal?: CancelSignal) =>
    subscription.next(0, { milliseconds: 60_000, signal }).then((received) => void ended.push(`${name} ${received}`));
  const readers = [read('first'), read('second', leaving.signal), read('third')];
  assert.equal(live.size, 1);
  leaving.abort();
  await readers[1];
  t.mock.timers.tick(999);
  assert.deepEqual(ended, ['second superseded']);
  t.mock.timers.tick(1);
  await readers[0];
  assert.deepEqual(ended, ['second superseded', 'first superseded']);
  assert.equal(live.size, 1, 'the third still waits');
  t.mock.timers.tick(60_000);
  await readers[2];
  assert.deepEqual(ended.at(-1), 'third heartbeat');
  assert.equal(live.size, 0);
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
    refs.push(new WeakRef(signal), new WeakRef(received));
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
