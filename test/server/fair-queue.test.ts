import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, test } from 'node:test';
import * as v from 'valibot';
import { RateLimitHit } from '../../lib/index.ts';
import { defineOperation } from '../../lib/kernel/operation.ts';
import { ClientGone } from '../../server/body-stream.ts';
import { FairQueue, type Permit } from '../../server/fair-queue.ts';
import { Gate } from '../support/gate.ts';
import { until } from '../support/until.ts';
import { basic, runningOperations } from './running.ts';

/** More than an account may use without waiting in line, milliseconds. */
const MUCH = 10_000;

describe('a fair queue', () => {
  let now = 0;
  const queue = () => new FairQueue(() => now);
  const answer = () => new EventEmitter() as unknown as ServerResponse;
  const turn = async (entered: Permit | Promise<Permit>) => {
    const found = await entered;
    found.begin();
    return found;
  };
  /** Who was let in, in their order. */
  const noting = (fair: FairQueue) => {
    const order: string[] = [];
    const turns = new Map<string, Permit>();
    const enter = async (key: string, name = key) => {
      const entered = await turn(fair.enter(key, answer()));
      order.push(name);
      turns.set(name, entered);
    };
    return { order, turns, enter };
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const costly = async (fair: FairQueue, key: string, milliseconds = MUCH) => {
    const first = await turn(fair.enter(key, answer()));
    first.spend(milliseconds);
    first.end();
  };

  test('lets in at once whoever uses little, whoever waits', async () => {
    const fair = queue();
    await costly(fair, 'greedy');
    const { order, enter } = noting(fair);
    for (let at = 0; at < 10; at++) void enter('greedy');
    await enter('modest');
    assert.equal(order.filter((who) => who === 'greedy').length, 1);
    assert.equal(order.at(-1), 'modest');
  });

  test('has one costly request under way at a time, of whoever has used least', async () => {
    const fair = queue();
    await costly(fair, 'most', 1.2 * MUCH);
    await costly(fair, 'more', 1.1 * MUCH);
    await costly(fair, 'much');
    const { order, turns, enter } = noting(fair);
    void enter('more', 'first, since nobody else was there');
    for (const who of ['most', 'more', 'much']) void enter(who);
    const expected = ['first, since nobody else was there', 'much', 'more', 'most'];
    for (let count = 1; count <= expected.length; count++) {
      await settled();
      assert.deepEqual(order, expected.slice(0, count));
      turns.get(expected[count - 1] as string)?.end();
    }
  });

  test('has many cheap ones under way side by side', async () => {
    const fair = queue();
    for (let call = 0; call < 400; call++) {
      const one = await turn(fair.enter('busy', answer()));
      one.spend(1);
      one.end();
    }
    const { order, enter } = noting(fair);
    for (let call = 0; call < 40; call++) void enter('busy');
    await settled();
    assert.ok(order.length >= 20 && order.length <= 30, `${order.length} side by side`);
  });

  test('lets in at once whoever has used far less than those in line', async () => {
    const fair = queue();
    await costly(fair, 'greedy');
    await costly(fair, 'modest', MUCH / 8);
    const { order, enter } = noting(fair);
    for (let at = 0; at < 10; at++) void enter('greedy');
    await enter('modest');
    assert.deepEqual(order, ['greedy', 'modest']);
  });

  test('lets in at once what takes little of its kind, however much its account has used', async () => {
    const fair = queue();
    const greedy = async (kind: string, milliseconds: number) => {
      const one = await turn(fair.enter('greedy', answer(), kind));
      one.spend(milliseconds);
      one.end();
    };
    for (let call = 0; call < 5; call++) await greedy('quick', 1);
    await greedy('search', MUCH);
    assert.ok(!(fair.enter('greedy', answer(), 'quick') instanceof Promise));
    assert.ok(fair.enter('greedy', answer(), 'search') instanceof Promise);
  });

  test('lets in at once what takes little of those who have used little, however much of it others have under way', async () => {
    const fair = queue();
    const quick = async (key: string) => {
      const one = await turn(fair.enter(key, answer(), 'quick'));
      one.spend(19);
      return one;
    };
    for (let call = 0; call < 10; call++) (await quick('known')).end();
    const greedy = Array.from({ length: 10 }, (_, at) => `greedy ${at}`);
    for (const key of greedy) await costly(fair, key);
    const entered = greedy.map((key) => fair.enter(key, answer(), 'quick'));
    assert.ok(entered.some((one) => one instanceof Promise));
    assert.ok(!(fair.enter('modest', answer(), 'quick') instanceof Promise));
  });

  test('counts work that others wait for as a share of the time it went on', async () => {
    const fair = queue();
    const [one, other] = [await turn(fair.enter('one', answer())), await turn(fair.enter('other', answer()))];
    const ends = [one.beginWork(), other.beginWork()];
    now += 1.5 * 300;
    for (const end of ends) end();
    for (const entered of [one, other]) entered.end();
    const { order, enter } = noting(fair);
    await Promise.all([enter('one'), enter('one'), enter('other')]);
    assert.equal(order.length, 3);
  });

  test('forgets what was used as time goes by', async () => {
    const fair = queue();
    await costly(fair, 'greedy');
    now += 10 * MUCH;
    const { order, enter } = noting(fair);
    await Promise.all([enter('greedy'), enter('greedy')]);
    assert.equal(order.length, 2);
  });

  test('refuses more than fifty that wait, and forgets those whose client has gone', async () => {
    const fair = queue();
    await costly(fair, 'greedy');
    const underway = await turn(fair.enter('greedy', answer()));
    const gone = answer();
    const left = fair.enter('greedy', gone);
    const waiting = Array.from({ length: 49 }, () => fair.enter('greedy', answer()));
    assert.throws(() => fair.enter('greedy', answer()), RateLimitHit);
    gone.emit('close');
    await assert.rejects(async () => await left, ClientGone);
    const last = fair.enter('greedy', answer());
    for (const one of [underway, ...waiting, last]) (await turn(one)).end();
  });

  test('refuses what has waited for three quarters of a minute, and those behind it go on', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const fair = queue();
    await costly(fair, 'greedy');
    const arriving = Promise.all([fair.enter('greedy', answer()), fair.enter('greedy', answer())]);
    t.mock.timers.tick(10_000);
    const slow = await arriving;
    const { order, enter } = noting(fair);
    const refused = assert.rejects(
      enter('greedy', 'waits'),
      (error) => error instanceof RateLimitHit && error.retryAfter === 60,
    );
    t.mock.timers.tick(44_999);
    void enter('greedy', 'behind it');
    assert.equal(fair.waiting, 2);
    t.mock.timers.tick(1);
    await refused;
    assert.equal(fair.waiting, 1);
    for (const turn of slow) turn.end();
    await settled();
    assert.deepEqual(order, ['behind it']);
    t.mock.timers.tick(45_000);
    await settled();
    assert.deepEqual(order, ['behind it']);
  });

  test('keeps no place for a request that does not arrive', async () => {
    const fair = queue();
    await costly(fair, 'slow');
    await costly(fair, 'quick', 2 * MUCH);
    await fair.enter('slow', answer());
    const { order, enter } = noting(fair);
    await enter('quick');
    assert.deepEqual(order, ['quick']);
  });
});

test('the calls of one account wait for each other, and those of others do not', async (t) => {
  const gate = new Gate();
  let underway = 0;
  let most = 0;
  const wait = defineOperation({
    name: 'test.wait',
    http: 'POST /wait',
    summary: 'Wait',
    access: 'user',
    effect: 'manual',
    params: v.object({}),
    result: v.object({}),
    errors: [],
    async run() {
      most = Math.max(most, ++underway);
      await gate.opened;
      underway--;
      return {};
    },
  });
  const { send, chat, owner } = await runningOperations(t, [wait]);
  const { user_id } = await chat.as(owner.user_id).users.create({ email: 'mo@example.com', full_name: 'Mo' });
  const mo = basic('mo@example.com', await chat.apiKeyOf(user_id));
  const first = Array.from({ length: 10 }, () => send('POST', '/api/v1/wait'));
  await until('two requests are under way', () => underway >= 2);
  const second = send('POST', '/api/v1/wait', { auth: mo });
  await until('three requests are under way', () => underway >= 3);
  assert.ok(most < 11, `${most} at once`);
  gate.open();
  for (const { status } of await Promise.all([...first, second])) assert.equal(status, 200);
});
