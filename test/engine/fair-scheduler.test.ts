import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FairScheduler, type FairSchedulerOptions, type RequestPermit } from '../../lib/engine/fair-scheduler.ts';
import { RateLimitHit } from '../../lib/index.ts';

/** More milliseconds than cheap work takes. */
const MUCH = 10_000;
const CHEAP = 50;

describe('a fair scheduler', () => {
  let now = 0;
  const scheduler = (options: Partial<FairSchedulerOptions> = {}) =>
    new FairScheduler({ places: 1, expensiveMs: CHEAP, maxWaiting: 50, now: () => now, ...options });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  /** Runs one account alone for some milliseconds. */
  const works = async (fair: FairScheduler, key: string, milliseconds = MUCH, kind: unknown = 'search') => {
    const permit = fair.permit(key);
    await permit.begin(kind);
    const end = permit.beginWork();
    now += milliseconds;
    end();
    permit.end();
  };
  /** Records the names of admitted requests in order. */
  const noting = (fair: FairScheduler) => {
    const order: string[] = [];
    const permits = new Map<string, RequestPermit>();
    const begin = async (key: string, { name = key, kind = 'search' }: { name?: string; kind?: string } = {}) => {
      const permit = fair.permit(key);
      await permit.enter();
      await permit.begin(kind);
      order.push(name);
      permits.set(name, permit);
    };
    return { order, permits, begin };
  };

  test('starts cheap work at once, while expensive work waits', async () => {
    const fair = scheduler();
    await works(fair, 'greedy');
    const { order, begin } = noting(fair);
    for (let at = 0; at < 10; at++) void begin('greedy');
    await settled();
    await begin('modest', { kind: 'read' });
    assert.deepEqual(order, ['greedy', 'modest']);
  });

  test('one call that took long does not make a kind expensive for many calls', async () => {
    const fair = scheduler();
    for (const milliseconds of [CHEAP / 5, 10 * CHEAP, CHEAP / 5]) await works(fair, 'modest', milliseconds, 'send');
    await works(fair, 'greedy');
    const { order, begin } = noting(fair);
    await begin('greedy');
    await begin('modest', { kind: 'send' });
    assert.deepEqual(order, ['greedy', 'modest']);
  });

  test('runs one expensive request of an account at a time, also with free places', async () => {
    const fair = scheduler({ places: 3 });
    await works(fair, 'greedy');
    await works(fair, 'other');
    const { order, begin } = noting(fair);
    for (let at = 0; at < 10; at++) void begin('greedy');
    await begin('other');
    assert.deepEqual(order, ['greedy', 'other']);
  });

  test('remembers an account during its first, long work', async () => {
    const fair = scheduler({ places: 3 });
    await works(fair, 'other');
    const { order, permits, begin } = noting(fair);
    await begin('greedy');
    const end = permits.get('greedy')?.beginWork();
    now += 7 * MUCH;
    await works(fair, 'other', 1, 'read');
    void begin('greedy', { name: 'second of greedy' });
    await settled();
    assert.deepEqual(order, ['greedy']);
    end?.();
    permits.get('greedy')?.end();
    await settled();
    assert.deepEqual(order, ['greedy', 'second of greedy']);
  });

  test('counts the work of a long poll, also after a long idle time', async () => {
    const fair = scheduler();
    const poll = fair.permit('polling');
    now += 7 * MUCH;
    await works(fair, 'modest', CHEAP);
    const end = poll.beginWork();
    now += MUCH;
    end();
    const { order, permits, begin } = noting(fair);
    await begin('other');
    for (const key of ['polling', 'modest']) void begin(key);
    await settled();
    permits.get('other')?.end();
    await settled();
    assert.deepEqual(order, ['other', 'modest']);
  });

  test('does not estimate a stream by its earlier use', async () => {
    const fair = scheduler({ places: 1.5 });
    await works(fair, 'other', 1, 'backlog');
    const stream = fair.permit('streaming');
    for (let minutes = 0; minutes < 5; minutes++) {
      const end = stream.beginWork();
      now += 2 * CHEAP;
      end();
      stream.end();
    }
    await stream.begin('backlog');
    stream.end();
    const { order, begin } = noting(fair);
    for (const name of ['one', 'two']) void begin('streaming', { name, kind: 'backlog' });
    await settled();
    assert.deepEqual(order, ['one', 'two']);
  });

  test('lets a poll pass requests of its account that are still arriving', async () => {
    const fair = scheduler();
    const arriving = Array.from({ length: 10 }, () => fair.permit('busy'));
    for (const permit of arriving) void permit.enter();
    await settled();
    const { order, begin } = noting(fair);
    void begin('busy', { name: 'a request' });
    const poll = fair.permit('busy');
    await poll.begin('poll');
    await settled();
    assert.deepEqual(order, []);
    poll.end();
    for (const permit of arriving) permit.end();
  });

  test('starts expensive work during continuous cheap work of others', async () => {
    const fair = scheduler();
    const endless = fair.permit('others');
    const { order, begin } = noting(fair);
    await works(fair, 'rare');
    await works(fair, 'others', MUCH, 'search');
    for (let at = 0; at < 20; at++) await works(fair, 'others', CHEAP / 5, 'send');
    await endless.begin('send');
    void begin('rare');
    await settled();
    assert.deepEqual(order, [], 'no place is free');
    const next = begin('others', { name: 'the next send', kind: 'send' });
    endless.end();
    await settled();
    assert.deepEqual(order, ['rare']);
    void next;
  });

  test('starts cheap work before more expensive work once expensive work of another account has started', async () => {
    const fair = scheduler();
    const heavy = ['one', 'two', 'three', 'four'];
    for (const key of heavy) await works(fair, key, 2 * CHEAP);
    await works(fair, 'modest', 1, 'read');
    await works(fair, 'modest', 3 * CHEAP, 'other work');
    const { order, permits, begin } = noting(fair);
    for (const key of heavy) void begin(key);
    await settled();
    void begin('modest', { kind: 'read' });
    await settled();
    assert.deepEqual(order, ['one'], 'waiting accounts have used less');
    permits.get('one')?.end();
    await settled();
    assert.equal(order.length, 2);
    permits.get(order[1] as string)?.end();
    await settled();
    assert.equal(order[2], 'modest');
    permits.get('modest')?.end();
    await settled();
    assert.equal(order.length, 4);
  });

  test('does not let cheap work pass if its account has used much more', async () => {
    const fair = scheduler();
    await works(fair, 'greedy', MUCH);
    await works(fair, 'greedy', 1, 'read');
    const heavy = ['one', 'two', 'three', 'four'];
    for (const key of heavy) await works(fair, key, 2 * CHEAP);
    const { order, permits, begin } = noting(fair);
    for (const key of heavy) void begin(key);
    await settled();
    void begin('greedy', { kind: 'read' });
    for (let at = 0; at < heavy.length; at++) {
      await settled();
      assert.equal(order.length, at + 1);
      permits.get(order[at] as string)?.end();
    }
    await settled();
    assert.equal(order[4], 'greedy');
  });

  test('starts the work of the account that has used least', async () => {
    const fair = scheduler();
    await works(fair, 'most', 1.4 * MUCH);
    await works(fair, 'more', 1.2 * MUCH);
    await works(fair, 'much');
    const { order, permits, begin } = noting(fair);
    void begin('more', { name: 'first, without others waiting' });
    for (const key of ['most', 'more', 'much']) void begin(key);
    const expected = ['first, without others waiting', 'much', 'more', 'most'];
    for (let count = 1; count <= expected.length; count++) {
      await settled();
      assert.deepEqual(order, expected.slice(0, count));
      permits.get(expected[count - 1] as string)?.end();
    }
  });

  test('starts work of an account before work of one that has used much more', async () => {
    const fair = scheduler();
    await works(fair, 'modest', 2 * CHEAP);
    await works(fair, 'greedy');
    await works(fair, 'greedier', 1.5 * MUCH);
    const { order, begin } = noting(fair);
    for (const key of ['greedy', 'greedier', 'modest']) {
      void begin(key);
      await settled();
    }
    assert.deepEqual(order, ['greedy', 'modest']);
  });

  test('runs 40 cheap requests of an account at the same time', async () => {
    const fair = scheduler();
    for (let call = 0; call < 10; call++) await works(fair, 'busy', 1);
    const { order, begin } = noting(fair);
    await Promise.all(Array.from({ length: 40 }, () => begin('busy')));
    assert.equal(order.length, 40);
  });

  test('starts cheap kinds of work at once, however much the account has used', async () => {
    const fair = scheduler({ places: 2 });
    await works(fair, 'greedy', 1, 'read');
    await works(fair, 'greedy');
    const { order, begin } = noting(fair);
    void begin('greedy');
    await settled();
    void begin('greedy', { name: 'waits' });
    await begin('greedy', { name: 'read', kind: 'read' });
    assert.deepEqual(order, ['greedy', 'read']);
  });

  test("estimates a kind of work by the account's own cost, or by the cost of others", async () => {
    const fair = scheduler({ places: 1.5 });
    await works(fair, 'greedy');
    for (const key of ['busy', 'unknown']) await works(fair, key, MUCH, 'list');
    for (let call = 0; call < 10; call++) await works(fair, 'busy', 1);
    const { order, begin } = noting(fair);
    for (const key of ['greedy', 'unknown', 'busy']) {
      void begin(key);
      await settled();
    }
    assert.deepEqual(order, ['greedy', 'busy']);
  });

  test('shares the cost of time in which several requests work', async () => {
    const fair = scheduler({ places: 2 });
    const permits = [fair.permit('one'), fair.permit('other')];
    for (const permit of permits) await permit.begin('read');
    const ends = permits.map((permit) => permit.beginWork());
    now += 1.5 * CHEAP;
    for (const end of ends) end();
    for (const permit of permits) permit.end();
    const { order, begin } = noting(fair);
    void begin('one', { kind: 'read' });
    await settled();
    void begin('one', { kind: 'read' });
    await settled();
    assert.equal(order.length, 2);
  });

  test('forgets earlier use as time passes', async () => {
    const fair = scheduler();
    await works(fair, 'long ago', 2 * MUCH);
    now += 9 * MUCH;
    await works(fair, 'lately');
    const { order, permits, begin } = noting(fair);
    await works(fair, 'underway');
    for (const key of ['underway', 'lately', 'long ago']) void begin(key);
    await settled();
    permits.get('underway')?.end();
    await settled();
    assert.deepEqual(order, ['underway', 'long ago']);
  });

  test('refuses requests beyond 50 waiting, and drops those of disconnected clients', async () => {
    const fair = scheduler();
    await works(fair, 'greedy');
    const { begin, permits } = noting(fair);
    for (const name of ['underway', 'next', 'after it']) void begin('greedy', { name });
    await settled();
    const gone = new AbortController();
    const asks = async (permit: RequestPermit) => {
      await permit.enter();
      await permit.begin();
    };
    const left = asks(fair.permit('greedy', gone.signal));
    for (let waiting = fair.waiting; waiting < 50; waiting++) void begin('greedy', { name: `${waiting}` });
    await assert.rejects(asks(fair.permit('greedy')), RateLimitHit);
    gone.abort();
    await assert.rejects(left, /no longer waits/);
    await assert.rejects(asks(fair.permit('greedy', gone.signal)), /no longer waits/);
    const last = begin('greedy', { name: 'last' });
    while (fair.waiting > 0) {
      for (const permit of permits.values()) permit.end();
      await settled();
    }
    await last;
  });

  test('refuses a request that waited 45 s, and starts the ones behind it', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const fair = scheduler({ maxWaitMs: 45_000 });
    await works(fair, 'greedy');
    const { order, permits, begin } = noting(fair);
    await begin('greedy', { name: 'first' });
    const permit = fair.permit('greedy');
    const refused = assert.rejects(
      permit.begin('search'),
      (error) => error instanceof RateLimitHit && error.retryAfter === 60,
    );
    await settled();
    t.mock.timers.tick(44_999);
    void begin('greedy', { name: 'behind it' });
    await settled();
    assert.equal(fair.waiting, 2);
    t.mock.timers.tick(1);
    await refused;
    permit.end();
    assert.equal(fair.waiting, 1);
    permits.get('first')?.end();
    await settled();
    assert.deepEqual(order, ['first', 'behind it']);
    t.mock.timers.tick(45_000);
    await settled();
    assert.deepEqual(order, ['first', 'behind it']);
  });

  test('reserves no place for requests that still arrive, and admits two of an account at a time', async () => {
    const fair = scheduler();
    await works(fair, 'slow');
    await works(fair, 'quick', 2 * MUCH);
    const first = fair.permit('slow');
    await Promise.all([first.enter(), fair.permit('slow').enter()]);
    let hasEntered = false;
    const third = fair
      .permit('slow')
      .enter()
      .then(() => {
        hasEntered = true;
      });
    const { order, begin } = noting(fair);
    await begin('quick');
    assert.deepEqual(order, ['quick']);
    assert.equal(hasEntered, false);
    first.end();
    await third;
  });
});
