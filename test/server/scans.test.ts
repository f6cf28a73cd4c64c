import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import * as v from 'valibot';
import { id } from '../../lib/base/schemas.ts';
import { sqlite } from '../../lib/index.ts';
import { defineOperation } from '../../lib/operation/operation.ts';
import { Gate } from '../support/gate.ts';
import { basic, running, runningOperations } from './running.ts';

const SEARCH = `/api/v1/messages?anchor=newest&num_before=5&narrow=${encodeURIComponent('[{"operator":"topic","operand":"herring","negated":true}]')}`;

test('a user is refused searches after their search time is used up, but no other requests', async (t) => {
  const { send, chat, owner } = await running(t, { rateLimits: { scans_by_user: { seconds: 60, max: 0 } } });
  const { user_id } = await chat
    .as(owner.user_id)
    .users.create({ email: 'mo@example.com', full_name: 'Mo', password: 'another long one' });
  const mo = basic('mo@example.com', await chat.apiKeyOf(user_id));
  assert.equal((await send('GET', SEARCH)).status, 200);
  const refused = await send('GET', SEARCH);
  assert.deepEqual([refused.status, refused.body.code], [429, 'RATE_LIMIT_HIT']);
  const wait = refused.body['retry-after'];
  assert.ok(wait >= 1 && wait <= 60);
  assert.equal(refused.headers['retry-after'], String(wait));
  const why = await send('GET', SEARCH.replace('/api/v1', `/api/v1/why/${owner.user_id}`));
  assert.deepEqual([why.status, why.body.code], [429, 'RATE_LIMIT_HIT']);
  const other = await send('GET', SEARCH.replace('/api/v1', `/api/v1/why/${user_id}`));
  assert.deepEqual([other.status, other.body.code], [429, 'RATE_LIMIT_HIT']);
  const [entry] = await chat.auditLog({ action: 'why' });
  assert.deepEqual(entry?.details, { user_id, operation: 'messages.list' }, 'why about others is always recorded');
  assert.equal((await send('GET', '/api/v1/messages?anchor=newest&num_before=5')).status, 200);
  assert.equal((await send('GET', SEARCH, { auth: mo })).status, 200);
  // The embedding program decides for itself.
  for (let n = 0; n < 3; n++)
    await chat.as(owner.user_id).messages.list({
      anchor: 'newest',
      num_before: 5,
      narrow: [{ operator: 'topic', operand: 'herring', negated: true }],
    });
});

test('a waiting search of a disconnected client is not executed', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'parlance-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const begun: number[] = [];
  const first = new Gate();
  const hasBegun = new Gate();
  const look = defineOperation({
    name: 'tides.look',
    http: 'GET /tides/{tide}',
    summary: 'Look through all tides',
    access: 'user',
    effect: 'read',
    params: { tide: id },
    result: v.object({}),
    errors: [],
    extent: () => 'scan',
    async run(_, { tide }) {
      begun.push(tide);
      hasBegun.open();
      if (tide === 1) await first.opened;
      return {};
    },
  });
  const storage = sqlite(join(folder, 'chat.db'), { threadsFromBytes: 0 });
  const { send, port, auth } = await runningOperations(t, [look], { rateLimits: false }, { storage });
  const one = send('GET', '/api/v1/tides/1');
  await hasBegun.opened;
  const two = request({
    port,
    host: '127.0.0.1',
    path: '/api/v1/tides/2',
    headers: { authorization: auth },
    agent: false,
  });
  two.on('error', () => undefined).end();
  const [socket] = await once(two, 'socket');
  await once(socket, 'connect');
  // A later request is behind it in the queue, so it has arrived.
  const three = send('GET', '/api/v1/tides/3');
  await send('GET', '/api/v1/nothing');
  two.destroy();
  await send('GET', '/api/v1/nothing');
  await new Promise((resolve) => setTimeout(resolve, 200));
  first.open();
  assert.deepEqual([(await one).status, (await three).status], [200, 200]);
  assert.deepEqual(begun, [1, 3]);
});
