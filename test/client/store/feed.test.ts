import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { ListenOptions, Session } from '../../../lib/chat/session.ts';
import { Feed } from '../../../lib/client/store/feed.ts';
import type { Status } from '../../../lib/client/store/types.ts';
import { ChatError } from '../../../lib/index.ts';

const POLL_MS = 30_000;
const LEAVE_MS = 1_000;

/** A tab: its document, its events, and a session that counts registrations, polls and open streams. */
async function opened(t: TestContext, { isHidden = false, refusal }: { isHidden?: boolean; refusal?: ChatError } = {}) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const page = Object.assign(new EventTarget(), { visibilityState: isHidden ? 'hidden' : 'visible' });
  const window = new EventTarget();
  const globals = { document: page, addEventListener: window.addEventListener.bind(window) };
  Object.assign(globalThis, globals);
  const locks = new Map<string, (() => void)[]>();
  const request = (name: string, { signal }: { signal: AbortSignal }, run: () => Promise<void>) => {
    const queue = locks.get(name) ?? [];
    locks.set(name, queue);
    return new Promise<void>((resolve) => {
      const begin = () => void run().then(resolve);
      signal.addEventListener('abort', () => queue.includes(begin) && queue.splice(queue.indexOf(begin), 1));
      queue.push(begin);
    });
  };
  const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
  Object.defineProperty(globalThis, 'navigator', { value: { locks: { request } }, configurable: true });
  const counts = { registrations: 0, polls: 0, streams: 0 };
  const answers: { refusal: ChatError | undefined } = { refusal };
  const session = {
    register: async () => {
      counts.registrations++;
      if (answers.refusal) throw answers.refusal;
      return { queue_id: 'q', last_event_id: -1, realm_url: 'https://chat.example.com' };
    },
    users: { me: async () => ({ user_id: 7 }) },
    events: { delete: async () => ({}) },
    async *listen({ signal, onState }: ListenOptions) {
      onState?.({ state: 'connecting' });
      counts.polls++;
      await turn();
      if (answers.refusal) throw answers.refusal;
      onState?.({ state: 'live' });
      yield [];
      counts.streams++;
      await new Promise((resolve) => signal?.addEventListener('abort', resolve));
      counts.streams--;
    },
  } as unknown as Session;
  const statuses: Status['state'][] = [];
  const target = {
    reset: () => undefined,
    apply: () => undefined,
    setStatus: ({ state }: Status) => statuses.push(state),
  };
  const feed = new Feed(session, target);
  t.after(async () => {
    await feed.stop();
    for (const name of Object.keys(globals)) Reflect.deleteProperty(globalThis, name);
    // Node 20 has no `navigator`.
    if (before) Object.defineProperty(globalThis, 'navigator', before);
    else Reflect.deleteProperty(globalThis, 'navigator');
  });
  const settled = async () => {
    for (let turns = 0; turns < 20; turns++) await turn();
  };
  void feed.run();
  await settled();
  return {
    ...{ feed, counts, statuses, answers, locks },
    after: async (milliseconds: number) => {
      t.mock.timers.tick(milliseconds);
      await settled();
    },
    show: async (state: 'visible' | 'hidden') => {
      page.visibilityState = state;
      page.dispatchEvent(new Event('visibilitychange'));
      await settled();
    },
    hear: async (type: 'focus' | 'online' | 'offline') => {
      window.dispatchEvent(new Event(type));
      await settled();
    },
  };
}

describe('the feed of a tab', () => {
  it('ends its stream a second after the tab is hidden, polls every 30 seconds, and streams when it is visible', async (t) => {
    const { counts, statuses, show, after } = await opened(t);
    assert.deepEqual(counts, { registrations: 1, polls: 1, streams: 1 });
    await show('hidden');
    assert.equal(counts.streams, 1);
    await after(LEAVE_MS);
    assert.deepEqual(counts, { registrations: 1, polls: 2, streams: 0 });
    await after(POLL_MS - 1);
    assert.equal(counts.polls, 2);
    await after(1);
    assert.deepEqual(counts, { registrations: 1, polls: 3, streams: 0 });
    await show('visible');
    assert.deepEqual(counts, { registrations: 1, polls: 4, streams: 1 });
    assert.deepEqual(
      statuses.filter((state) => state !== 'live'),
      ['starting'],
      'it was never behind',
    );
  });

  it('does not stream in a tab that is opened in the background', async (t) => {
    const { counts } = await opened(t, { isHidden: true });
    assert.deepEqual(counts, { registrations: 1, polls: 1, streams: 0 });
  });

  it('streams in a hidden tab with the lock of the site, and gives the lock back when it is visible', async (t) => {
    const { counts, locks, show, after } = await opened(t, { isHidden: true });
    const [[name, queue]] = [...locks] as [[string, (() => void)[]]];
    assert.equal(name, 'parlance stream https://chat.example.com');
    queue.shift()?.();
    await after(LEAVE_MS);
    assert.equal(counts.streams, 1);
    await show('visible');
    await show('hidden');
    assert.equal(queue.length, 1, 'it requests the lock again');
    await show('visible');
    assert.equal(queue.length, 0);
  });

  it('looks for the server at once when the browser loses the network or has it again, although the stream is open', async (t) => {
    const { counts, answers, statuses, hear } = await opened(t);
    answers.refusal = new ChatError('Gone.', 'SERVICE_UNAVAILABLE', 503);
    await hear('offline');
    assert.equal(statuses.at(-1), 'offline');
    answers.refusal = undefined;
    await hear('online');
    assert.equal(statuses.at(-1), 'live');
    assert.equal(counts.streams, 1);
    const { polls } = counts;
    await hear('online');
    assert.equal(counts.polls, polls + 1);
  });

  it('tries again when the user focuses the page of a refused login, and shows nothing before it is accepted', async (t) => {
    const { counts, statuses, answers, hear, show, after } = await opened(t, {
      refusal: new ChatError('Log in.', 'UNAUTHORIZED', 401),
    });
    await after(600_000);
    assert.equal(counts.registrations, 1);
    await hear('focus');
    assert.equal(counts.registrations, 2);
    assert.deepEqual(new Set(statuses), new Set(['signed-out']));
    answers.refusal = undefined;
    await show('visible');
    assert.equal(counts.registrations, 3);
    assert.deepEqual(statuses.at(-1), 'live');
  });

  it('ends when the login changes to another account', async (t) => {
    const { counts, statuses, hear } = await opened(t, { refusal: new ChatError('Other.', 'ACCOUNT_CHANGED', 409) });
    await hear('focus');
    assert.equal(counts.registrations, 1);
    assert.deepEqual(statuses, ['signed-out']);
  });
});
