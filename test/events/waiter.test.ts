import assert from 'node:assert/strict';
import test from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type CancelListener, type CancelSignal, type PollState, Waiter } from '../../lib/events/waiter.ts';
import { newQueue, newUser } from '../contract/fixtures.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const poll: PollState = {
  queue: newQueue('ada', 1),
  reader: { ...newUser('Ada'), profile_data: '{}', id: 1, version: 1 },
  usersVersion: 1,
  publicFeed: 'none',
  seq: 0,
  accepts: () => true,
};

test('a poll that a newer one of its queue replaces ends after a second, and at once if its client leaves', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const ended: string[] = [];
  const left: unknown[] = [];
  const leaving = new AbortController();
  const park = (name: string, signal?: CancelSignal) =>
    new Waiter(
      poll,
      { milliseconds: 60_000, signal },
      (wakeup) => void ended.push(`${name} ${wakeup}`),
      () => void left.push(name),
    );
  park('first').supersede();
  park('second', leaving.signal).supersede();
  assert.deepEqual(left, ['first', 'second']);
  leaving.abort();
  assert.deepEqual(ended, ['second aborted']);
  t.mock.timers.tick(999);
  assert.deepEqual(ended, ['second aborted']);
  t.mock.timers.tick(60_000);
  assert.deepEqual(ended, ['second aborted', 'first superseded']);
});

test('a finished poll keeps no reference to its callback and abort signal', async () => {
  const told: string[] = [];
  const refs: WeakRef<object>[] = [];
  const park = () => {
    const sleeper = (wakeup: unknown) => void told.push(String(wakeup));
    const signal: CancelSignal & { listener?: CancelListener } = {
      aborted: false,
      addEventListener(_, listener) {
        this.listener = listener;
      },
      removeEventListener() {},
    };
    refs.push(new WeakRef(sleeper), new WeakRef(signal));
    return new Waiter(poll, { milliseconds: 1_000, signal }, sleeper, () => undefined);
  };
  const waiter = park();
  waiter.finish('heartbeat');
  // A new WeakRef keeps its object until the end of the current turn.
  await new Promise(setImmediate);
  collectGarbage();
  assert.deepEqual(
    refs.map((ref) => ref.deref()),
    [undefined, undefined],
  );
  waiter.finish('superseded');
  assert.deepEqual(told, ['heartbeat']);
});
