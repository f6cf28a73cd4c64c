import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as v from 'valibot';
import { AuthenticationFailed } from '../../lib/internal.ts';
import { defineOperation } from '../../lib/kernel/operation.ts';
import { basic, running, runningOperations } from './running.ts';

const rule = (max: number, seconds = 60) => ({ max, seconds });

test('every limited answer tells the limit, what remains and when it starts anew', async (t) => {
  const { send } = await running(t);
  const now = Date.now() / 1000;
  for (const [i, path] of ['/users/me', '/streams', '/users/999'].entries()) {
    const { headers } = await send('GET', `/api/v1${path}`);
    assert.equal(headers['x-ratelimit-limit'], '200');
    assert.equal(headers['x-ratelimit-remaining'], String(199 - i));
    const reset = Number(headers['x-ratelimit-reset']);
    assert.ok(Number.isInteger(reset) && reset > now && reset <= now + 65);
  }
  assert.equal((await send('GET', '/api/v1/server_settings', { auth: null })).headers['x-ratelimit-limit'], '100');
});

test('beyond the limit: 429 with the seconds to wait, and nothing is changed', async (t) => {
  const { send, state } = await running(t, { rateLimits: { api_by_user: rule(2) } });
  const before = await state();
  await send('GET', '/api/v1/users/me');
  await send('GET', '/api/v1/users/me');
  const answer = await send('POST', '/api/v1/channels/create', { form: { name: 'late', subscribers: '[]' } });
  assert.equal(answer.status, 429);
  assert.equal(answer.body.code, 'RATE_LIMIT_HIT');
  const wait = answer.body['retry-after'];
  assert.ok(wait >= 1 && wait <= 60);
  assert.equal(answer.headers['retry-after'], String(wait));
  assert.equal(answer.headers['x-ratelimit-remaining'], '0');
  assert.deepEqual(await state(), before);
});

test('a window passes', async (t) => {
  const { send } = await running(t, { rateLimits: { api_by_user: rule(1, 1) } });
  assert.equal((await send('GET', '/api/v1/users/me')).status, 200);
  assert.equal((await send('GET', '/api/v1/users/me')).status, 429);
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  assert.equal((await send('GET', '/api/v1/users/me')).status, 200);
});

test('accounts, addresses and polls are counted apart', async (t) => {
  const { send, chat, owner } = await running(t, { rateLimits: { api_by_user: rule(1), api_by_ip: rule(1) } });
  const { user_id } = await chat
    .as(owner.user_id)
    .users.create({ email: 'mo@example.com', full_name: 'Mo', password: 'another long one' });
  const mo = basic('mo@example.com', await chat.apiKeyOf(user_id));
  const poll = '/api/v1/events?queue_id=none&last_event_id=-1&dont_block=true';
  assert.equal((await send('GET', '/api/v1/users/me')).status, 200);
  assert.equal((await send('GET', '/api/v1/users/me')).status, 429);
  assert.equal((await send('GET', poll)).status, 400);
  assert.equal((await send('GET', poll)).status, 429);
  assert.equal((await send('GET', '/api/v1/users/me', { auth: mo })).status, 200);
  assert.equal((await send('GET', '/api/v1/server_settings')).status, 200);
  assert.equal((await send('GET', '/api/v1/server_settings', { auth: mo })).status, 429);
});

test('requests refused before the limit is reached are not counted', async (t) => {
  const { send } = await running(t, { rateLimits: { api_by_ip: rule(1) } });
  for (const path of ['/nothing', '/users/me', '/users/me']) await send('GET', `/api/v1${path}`, { auth: null });
  await send('PUT', '/api/v1/server_settings', { auth: null });
  assert.equal((await send('GET', '/api/v1/server_settings', { auth: null })).status, 200);
});

test('only as many forwarded addresses are believed as there are proxies', async (t) => {
  const get = (send: Awaited<ReturnType<typeof running>>['send'], from: string) =>
    send('GET', '/api/v1/server_settings', { auth: null, headers: { 'x-forwarded-for': from } });
  const open = await running(t, { rateLimits: { api_by_ip: rule(1) } });
  assert.equal((await get(open.send, '192.0.2.1')).status, 200);
  assert.equal((await get(open.send, '192.0.2.2')).status, 429);
  const behind = await running(t, { rateLimits: { api_by_ip: rule(1) }, trustProxy: true });
  assert.equal((await get(behind.send, '192.0.2.1')).status, 200);
  assert.equal((await get(behind.send, '192.0.2.2')).status, 200);
  assert.equal((await get(behind.send, '198.51.100.7, 192.0.2.2')).status, 429);
  assert.equal((await get(behind.send, '2001:db8:1:2::1')).status, 200);
  assert.equal((await get(behind.send, '2001:db8:1:2:ffff::9')).status, 429);
  assert.equal((await get(behind.send, '2001:db8:1:3::1')).status, 200);
});

test('five wrong passwords for one user name are enough, however they are written', async (t) => {
  const { send, owner } = await running(t);
  const signIn = (username: string, password: string) =>
    send('POST', '/api/v1/fetch_api_key', { auth: null, form: { username, password } });
  const right = 'a long password';
  assert.equal((await signIn(owner.email, right)).body.api_key, owner.api_key);
  for (const name of [owner.email, owner.email.toUpperCase(), ` ${owner.email} `, owner.email]) {
    assert.equal((await signIn(name, 'wrong')).body.code, 'AUTHENTICATION_FAILED');
  }
  assert.equal((await signIn(owner.email, right)).status, 200);
  assert.equal((await signIn(owner.email, 'wrong')).status, 401);
  const refused = await signIn(owner.email, right);
  assert.equal(refused.status, 429);
  assert.equal(refused.body.code, 'RATE_LIMIT_HIT');
  assert.ok(refused.body['retry-after'] > 60);
  assert.equal((await signIn('somebody@example.com', 'wrong')).status, 401);
});

test('many passwords tried at once count like one after the other', async (t) => {
  const { send, owner } = await running(t, { rateLimits: { authenticate_by_username: rule(3) } });
  const attempts = Array.from({ length: 12 }, (_, i) =>
    send('POST', '/api/v1/fetch_api_key', { auth: null, form: { username: owner.email, password: `guess ${i}` } }),
  );
  const statuses = (await Promise.all(attempts)).map((answer) => answer.status).sort();
  assert.deepEqual(statuses, [...Array(3).fill(401), ...Array(9).fill(429)]);
});

test('an operation is counted as what it is declared to be, whatever its name', async (t) => {
  const common = { summary: 'Anything', result: v.object({}) } as const;
  const signIn = defineOperation({
    ...common,
    name: 'doors.open',
    http: 'POST /doors',
    access: 'anyone',
    effect: 'read',
    limitedBy: { rule: 'sign-in', account: 'guest' },
    params: v.object({ guest: v.string() }),
    errors: [AuthenticationFailed],
    run: async () => {
      throw new AuthenticationFailed();
    },
  });
  const poll = defineOperation({
    ...common,
    name: 'tides.await',
    http: 'GET /tides',
    access: 'user',
    effect: 'manual',
    longPoll: true,
    params: v.object({}),
    errors: [],
    run: async () => ({}),
  });
  const { send } = await runningOperations(t, [signIn, poll], {
    rateLimits: { api_by_user: rule(1), authenticate_by_username: rule(1) },
  });
  const open = (guest: string) => send('POST', '/api/v1/doors', { auth: null, form: { guest } });
  assert.deepEqual(
    [(await open('Ada')).status, (await open('ada ')).status, (await open('Mo')).status],
    [401, 429, 401],
  );
  assert.equal((await send('GET', '/api/v1/tides')).headers['x-ratelimit-remaining'], '0');
  assert.equal((await send('GET', '/api/v1/tides')).status, 429);
});

test('limits can be switched off altogether', async (t) => {
  const { send } = await running(t, { rateLimits: false });
  for (let i = 0; i < 205; i++) {
    const { status, headers } = await send('GET', '/api/v1/users/me');
    assert.equal(status, 200);
    assert.equal(headers['x-ratelimit-limit'], undefined);
  }
});
