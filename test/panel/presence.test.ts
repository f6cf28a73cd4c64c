import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Batch, SourceCell } from '../../lib/client/store/cell.ts';
import type { ChatStore, Status } from '../../lib/client/store/types.ts';
import { watchPresence } from '../../lib/panel/presence.ts';

const MINUTE_MS = 60_000;

/** A page and a store that records reports. */
function watched(t: TestContext, { hasFocus = true, state = 'live' as Status['state'] } = {}) {
  t.mock.timers.enable({ apis: ['setInterval', 'Date'] });
  const window = new EventTarget();
  const page = { visibilityState: 'visible', hasFocus: () => page.isFocused, isFocused: hasFocus };
  Object.assign(globalThis, { window, document: page });
  const status = new SourceCell<Status>(new Batch(), { state });
  const reports: boolean[] = [];
  const activity = { reportPresence: (isActive: boolean) => reports.push(isActive) };
  const ending = new AbortController();
  watchPresence({ status, activity } as unknown as ChatStore, ending.signal);
  t.after(() => {
    ending.abort();
    for (const name of ['window', 'document']) Reflect.deleteProperty(globalThis, name);
  });
  return { page, status, reports, ending, use: (type = 'keydown') => window.dispatchEvent(new Event(type)) };
}

test('a user is active while using the page, and idle five minutes after the last input', (t) => {
  const { reports, use } = watched(t);
  assert.deepEqual(reports, [true]);
  t.mock.timers.tick(4 * MINUTE_MS);
  use('pointermove');
  t.mock.timers.tick(4.5 * MINUTE_MS);
  assert.deepEqual(reports, [true], 'the store repeats it');
  t.mock.timers.tick(MINUTE_MS);
  assert.deepEqual(reports, [true, false]);
  use();
  assert.deepEqual(reports, [true, false, true], 'at once');
});

test('a user of another window is idle, and a focus of the page makes them active', (t) => {
  const { reports, page, use } = watched(t, { hasFocus: false });
  assert.deepEqual(reports, [false]);
  use('pointermove');
  assert.deepEqual(reports, [false]);
  page.isFocused = true;
  use('focus');
  assert.deepEqual(reports, [false, true]);
  page.visibilityState = 'hidden';
  t.mock.timers.tick(MINUTE_MS);
  assert.deepEqual(reports, [false, true, false]);
});

test('presence is reported while the store is live, and again after each interruption', (t) => {
  const { reports, status, use, ending } = watched(t, { state: 'starting' });
  use();
  assert.deepEqual(reports, []);
  status.set({ state: 'live' });
  assert.deepEqual(reports, [true]);
  status.set({ state: 'signed-out' });
  t.mock.timers.tick(10 * MINUTE_MS);
  use();
  assert.deepEqual(reports, [true]);
  status.set({ state: 'live' });
  assert.deepEqual(reports, [true, true]);
  ending.abort();
  t.mock.timers.tick(10 * MINUTE_MS);
  use();
  assert.deepEqual(reports, [true, true]);
});
