import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BadRequest } from '../../../lib/base/errors.ts';
import { checkNamedSubscribers, namedInFull } from '../../../lib/domains/channels/subscribing.ts';
import type { Channel } from '../../../lib/model/channels.ts';
import { defaultDriver, openHandle } from '../../../lib/storage/sqlite/driver.ts';
import { sqliteEngine } from '../../world/copies.ts';

const MOST = 1_500_000;

const sized = (...sizes: number[]) =>
  sizes.map((subscriber_count, at) => ({ id: at + 1, subscriber_count }) as Channel);

test('subscribers are listed up to the limit of a response, those of smaller channels first', () => {
  const channels = sized(...Array.from({ length: 1_000 }, (_, at) => (at % 2 === 0 ? 10_000 : 20)));
  const named = namedInFull(channels);
  const total = channels.reduce((sum, { id, subscriber_count }) => sum + (named.has(id) ? subscriber_count : 0), 0);
  assert.ok(total <= MOST, `${total} are named`);
  assert.ok(channels.every(({ id, subscriber_count }) => subscriber_count > 20 || named.has(id)));
  assert.throws(() => checkNamedSubscribers(channels, 'Ask for some.'), BadRequest);
});

test('all subscribers are listed if they fit the limit', () => {
  const channels = sized(10_000, 3, 0, MOST - 10_003);
  assert.equal(namedInFull(channels).size, 4);
  assert.doesNotThrow(() => checkNamedSubscribers(channels, ''));
});

test('a register that would list too many subscribers is refused, except with partial', async (t) => {
  const world = await sqliteEngine.world();
  t.after(() => world.close());
  const database = openHandle(defaultDriver(), world.location as string);
  database.prepare('UPDATE channels SET subscriber_count = ?').run(MOST);
  database.close();
  const register = (include_subscribers: true | 'partial') =>
    world.as('hamlet').register({ fetch_event_types: ['subscription'], include_subscribers });
  await assert.rejects(register(true), { code: 'BAD_REQUEST', message: /Set include_subscribers to partial/ });
  assert.equal((await register('partial')).subscriptions?.length, 4);
});
