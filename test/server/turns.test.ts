import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RateLimitHit } from '../../lib/index.ts';
import { cpuShare, type Turn, Turns } from '../../server/turns.ts';

/** More milliseconds than an account may save. */
const MUCH = 10_000;
/** Milliseconds of work that takes a whole place. */
const EXPENSIVE = 250;
const STAYS = { aborted: false, addEventListener() {}, removeEventListener() {} };

describe('turns', () => {
  let now = 0;
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const fresh = () => new Turns(() => now);
  /** Runs one account alone for some milliseconds. */
  const works = async (turns: Turns, key: string, milliseconds = MUCH, kind: unknown = 'search') => {
    const turn = turns.turn(key, STAYS);
    await turn.begin(kind);
    const end = turn.beginWork();
    now += milliseconds;
    end();
    turn.end();
  };
  /** Records the names of requests in the order in which they begin. */
  const noting = (turns: Turns) => {
    const order: string[] = [];
    const begun = new Map<string, Turn>();
    const begin = async (key: string, { name = key, kind = 'search' }: { name?: string; kind?: string } = {}) => {
      const turn = turns.turn(key, STAYS);
      await turn.enter();
      await turn.begin(kind);
      order.push(name);
      begun.set(name, turn);
    };
    /** Ends the last request that has begun, after some milliseconds of work. */
    const next = async (milliseconds = 0) => {
      const turn = begun.get(order.at(-1) as string);
      const end = turn?.beginWork();
      now += milliseconds;
      end?.();
      turn?.end();
      await settled();
    };
    return { order, begun, begin, next };
  };

  test('an account that has used little begins at once, while an expensive one waits', async () => {
    const turns = fresh();
    await works(turns, 'greedy');
    const { order, begin } = noting(turns);
    for (let at = 0; at < 10; at++) void begin('greedy');
    await settled();
    assert.deepEqual(order, ['greedy'], 'the other requests wait');
    await begin('modest');
    assert.deepEqual(order, ['greedy', 'modest']);
  });

  test('expensive accounts have the place in turn, as often as their work is short', async () => {
    const turns = fresh();
    for (const key of ['short', 'long']) await works(turns, key);
    const { order, begin, next } = noting(turns);
    await begin('short');
    for (let at = 0; at < 6; at++) void begin('short');
    for (let at = 0; at < 2; at++) void begin('long');
    await settled();
    for (let at = 0; at < 8; at++) await next(order.at(-1) === 'long' ? 3_000 : 1_000);
    assert.equal(order.length, 9);
    for (const at of [1, 2, 3, 4, 5]) {
      const run = order.slice(at, at + 5);
      assert.ok(run.filter((key) => key === 'long').length <= 2, order.join());
    }
    assert.ok(order.indexOf('long') < 4 && order.lastIndexOf('long') >= 5, order.join());
  });

  test('the requests of an account begin in order of arrival', async () => {
    const turns = fresh();
    for (const kind of ['search', 'read']) await works(turns, 'greedy', MUCH, kind);
    const { order, begin, next } = noting(turns);
    for (const name of ['one', 'two', 'three'])
      void begin('greedy', { name, kind: name === 'two' ? 'read' : 'search' });
    await settled();
    await next();
    await next();
    assert.deepEqual(order, ['one', 'two', 'three']);
  });

  test('an account with saved time begins beside work that has the place, until it has used that time', async () => {
    const turns = fresh();
    await works(turns, 'greedy');
    await works(turns, 'modest', 1, 'read');
    const { order, begin } = noting(turns);
    await begin('greedy');
    void begin('greedy');
    for (let spent = 0; spent < 240; spent += 20) await works(turns, 'modest', 20, 'read');
    await works(turns, 'modest', 20, 'read');
    void begin('modest');
    await settled();
    assert.deepEqual(order, ['greedy']);
  });

  test('an account saves time again in the rounds of others', async () => {
    const turns = fresh();
    await works(turns, 'modest', 600);
    await works(turns, 'greedy');
    const { order, begin, next } = noting(turns);
    await begin('greedy');
    void begin('greedy', { name: 'again' });
    await next(1_000);
    await begin('modest');
    assert.deepEqual(order, ['greedy', 'again', 'modest']);
  });

  test('work of a kind that was cheap takes a part of the place: 40 requests of an account run beside each other', async () => {
    const turns = fresh();
    await works(turns, 'busy');
    for (let call = 0; call < 20; call++) await works(turns, 'busy', 1, 'send');
    const { order, begin } = noting(turns);
    await Promise.all(Array.from({ length: 40 }, () => begin('busy', { kind: 'send' })));
    assert.equal(order.length, 40);
  });

  test('a kind of work that an account has not done yet is estimated by its cost for others', async () => {
    const turns = fresh();
    for (const kind of ['search', 'read']) await works(turns, 'other', kind === 'read' ? 1 : MUCH, kind);
    await works(turns, 'greedy', MUCH, 'own');
    const { order, begin } = noting(turns);
    for (const name of ['one read', 'another read']) await begin('greedy', { name, kind: 'read' });
    for (const name of ['a search', 'another search']) void begin('greedy', { name });
    await settled();
    assert.deepEqual(order, ['one read', 'another read', 'a search']);
  });

  test('an account that has saved time begins one request of a kind that nobody has sent before', async () => {
    const turns = fresh();
    const { order, begin } = noting(turns);
    for (const key of ['first', 'second'])
      for (const name of ['one', 'two']) void begin(key, { name: `${key} ${name}` });
    await settled();
    assert.deepEqual(order, ['first one', 'second one']);
  });

  test('cheap work of an account that has used up its share does not wait for expensive work', async () => {
    const turns = fresh();
    for (const key of ['greedy', 'busy']) await works(turns, key);
    await works(turns, 'busy', 1, 'read');
    const { order, begin } = noting(turns);
    await begin('greedy');
    await begin('busy', { kind: 'read' });
    void begin('busy', { name: 'a search' });
    await settled();
    assert.deepEqual(order, ['greedy', 'busy']);
  });

  test('an account with a few searches does not wait for the end of a request that takes a minute', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    const turns = fresh();
    await works(turns, 'modest', 300);
    await works(turns, 'long');
    const { order, begin, next } = noting(turns);
    await begin('long');
    void begin('long', { name: 'again' });
    for (const name of ['one', 'two', 'three']) {
      void begin('modest', { name });
      await settled();
      for (let at = 0; at < 20; at++) t.mock.timers.tick(100);
      await settled();
      assert.equal(order.at(-1), name);
      await next(300);
    }
    assert.ok(!order.includes('again'));
  });

  test('cheap work waits for cheap work of accounts that have used less', async () => {
    const turns = fresh();
    for (const key of ['greedy', 'modest']) await works(turns, key, EXPENSIVE - 1, 'read');
    await works(turns, 'modest', 600);
    await works(turns, 'greedy');
    const { order, begin, next } = noting(turns);
    await begin('greedy', { name: 'first', kind: 'read' });
    void begin('greedy', { kind: 'read' });
    void begin('modest', { kind: 'read' });
    await settled();
    await next(500);
    assert.deepEqual(order, ['first', 'modest']);
  });

  test('the work of a long poll is charged, also after a long idle time', async () => {
    const turns = fresh();
    const poll = turns.turn('polling', STAYS);
    now += 7 * MUCH;
    await works(turns, 'other', 1);
    const end = poll.beginWork();
    now += MUCH;
    end();
    const { order, begin } = noting(turns);
    await works(turns, 'greedy');
    await begin('greedy');
    void begin('polling');
    await settled();
    assert.deepEqual(order, ['greedy']);
  });

  test('a stream is not estimated by its earlier work', async () => {
    const turns = fresh();
    const stream = turns.turn('streaming', STAYS);
    for (let minutes = 0; minutes < 5; minutes++) {
      const end = stream.beginWork();
      now += 2 * EXPENSIVE;
      end();
      stream.end();
    }
    await stream.begin('backlog');
    stream.end();
    await works(turns, 'streaming');
    const { order, begin } = noting(turns);
    for (const name of ['one', 'two']) void begin('streaming', { name, kind: 'backlog' });
    await settled();
    assert.deepEqual(order, ['one', 'two']);
  });

  test('a poll passes requests of its account that are still arriving', async () => {
    const turns = fresh();
    const arriving = Array.from({ length: 10 }, () => turns.turn('busy', STAYS));
    for (const turn of arriving) void turn.enter();
    await settled();
    const { order, begin } = noting(turns);
    void begin('busy', { name: 'a request' });
    const poll = turns.turn('busy', STAYS);
    await poll.begin('poll');
    await settled();
    assert.deepEqual(order, []);
    poll.end();
    for (const turn of arriving) turn.end();
  });

  test('two bodies of an account arrive at a time, and those of others beside them', async () => {
    const turns = fresh();
    const first = turns.turn('slow', STAYS);
    await Promise.all([first.enter(), turns.turn('slow', STAYS).enter()]);
    let hasEntered = false;
    const third = turns.turn('slow', STAYS).enter();
    void third?.then(() => {
      hasEntered = true;
    });
    const { order, begin } = noting(turns);
    await begin('quick');
    assert.deepEqual(order, ['quick']);
    assert.equal(hasEntered, false);
    first.end();
    await third;
  });

  test('the requests of an account beyond 50 that wait are refused, and those of disconnected clients dropped', async () => {
    const turns = fresh();
    await works(turns, 'greedy');
    const { begin, begun } = noting(turns);
    for (const name of ['underway', 'next', 'after it']) void begin('greedy', { name });
    await settled();
    const gone = new AbortController();
    const asks = async (turn: Turn) => {
      await turn.enter();
      await turn.begin();
    };
    const left = asks(turns.turn('greedy', gone.signal));
    for (let waiting = turns.waiting; waiting < 50; waiting++) void begin('greedy', { name: `${waiting}` });
    await assert.rejects(asks(turns.turn('greedy', STAYS)), RateLimitHit);
    gone.abort();
    await assert.rejects(left, { name: 'Error' });
    await assert.rejects(asks(turns.turn('greedy', gone.signal)), { name: 'Error' });
    const last = begin('greedy', { name: 'last' });
    while (turns.waiting > 0) {
      for (const turn of begun.values()) turn.end();
      await settled();
    }
    await last;
  });

  test('a request that has waited for 45 s is refused, and the one behind it begins', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const turns = fresh();
    await works(turns, 'greedy');
    const { order, begin, next } = noting(turns);
    await begin('greedy', { name: 'first' });
    const late = turns.turn('greedy', STAYS);
    const refused = assert.rejects(
      async () => late.begin('search'),
      (error) => error instanceof RateLimitHit && error.retryAfter === 60,
    );
    await settled();
    t.mock.timers.tick(44_999);
    void begin('greedy', { name: 'behind it' });
    await settled();
    assert.equal(turns.waiting, 2);
    t.mock.timers.tick(1);
    await refused;
    late.end();
    assert.equal(turns.waiting, 1);
    await next();
    assert.deepEqual(order, ['first', 'behind it']);
    t.mock.timers.tick(45_000);
    await settled();
    assert.deepEqual(order, ['first', 'behind it']);
  });

  test('an account is forgotten when it has sent nothing for two minutes, and not before', async () => {
    const turns = fresh();
    await works(turns, 'lately', MUCH, 'own');
    await works(turns, 'long ago', MUCH, 'own');
    for (let minutes = 0; minutes < 2; minutes++) {
      now += 60_001;
      await works(turns, 'lately', 1, 'read');
    }
    await works(turns, 'lately');
    const { order, begin } = noting(turns);
    await begin('lately');
    void begin('lately', { name: 'lately again', kind: 'own' });
    await begin('long ago');
    assert.deepEqual(order, ['lately', 'long ago']);
  });

  test('an account that was idle for a minute still owes what it has used', async () => {
    const turns = fresh();
    await works(turns, 'greedy');
    now += 60_001;
    const { order, begin } = noting(turns);
    await begin('other', { kind: 'new' });
    void begin('greedy');
    await settled();
    assert.deepEqual(order, ['other']);
  });

  test("an account's own cost counts from its first request on, not that of an attack", async () => {
    const turns = fresh();
    await works(turns, 'greedy');
    await works(turns, 'modest', 20);
    const { order, begin } = noting(turns);
    await begin('greedy');
    await works(turns, 'modest', 600, 'other');
    void begin('modest');
    await settled();
    assert.deepEqual(order, ['greedy', 'modest']);
  });
});

test('cpuShare divides each millisecond among the requests that work in it', () => {
  let now = 0;
  const begin = cpuShare(() => now);
  const endFirst = begin();
  now += 10;
  const endSecond = begin();
  now += 20;
  assert.equal(endFirst(), 20);
  now += 5;
  assert.equal(endSecond(), 15);
  now += 100;
  assert.equal(begin()(), 0);
});
