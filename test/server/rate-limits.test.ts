import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { type TestContext, test } from 'node:test';
import * as v from 'valibot';
import { smtp } from '../../lib/index.ts';
import { AuthenticationFailed } from '../../lib/internal.ts';
import { defineOperation } from '../../lib/operation/operation.ts';
import { type RateLimitRules, requestListener } from '../../server/index.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { until } from '../support/until.ts';
import { openStream } from './event-stream.ts';
import { basic, listening, type Running, running, runningOperations, send as sendTo } from './running.ts';

const rule = (max: number, seconds = 60) => ({ max, seconds });

test('each rate-limited response has the limit, the remaining requests and the reset time', async (t) => {
  const { send } = await running(t);
  const now = Date.now() / 1000;
  for (const [i, path] of ['/users/me', '/streams', '/users/999'].entries()) {
    const { headers } = await send('GET', `/api/v1${path}`);
    assert.equal(headers['x-ratelimit-limit'], '200');
    assert.equal(headers['x-ratelimit-remaining'], String(199 - i));
    const reset = Number(headers['x-ratelimit-reset']);
    assert.ok(Number.isInteger(reset) && reset > now && reset <= now + 65);
  }
  assert.equal((await send('GET', '/api/v1/server_settings', { auth: null })).headers['x-ratelimit-limit'], '1000');
});

test('a request beyond the rate limit returns 429 with retry-after and changes nothing', async (t) => {
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

test('requests are accepted again after the window of the rate limit', async (t) => {
  const { send } = await running(t, { rateLimits: { api_by_user: rule(1, 1) } });
  assert.equal((await send('GET', '/api/v1/users/me')).status, 200);
  assert.equal((await send('GET', '/api/v1/users/me')).status, 429);
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  assert.equal((await send('GET', '/api/v1/users/me')).status, 200);
});

test('rate limits count accounts, addresses and polls separately', async (t) => {
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

test('requests refused before the rate limit are not counted', async (t) => {
  const { send } = await running(t, { rateLimits: { api_by_ip: rule(1) } });
  for (const path of ['/nothing', '/users/me', '/users/me']) await send('GET', `/api/v1${path}`, { auth: null });
  await send('PUT', '/api/v1/server_settings', { auth: null });
  assert.equal((await send('GET', '/api/v1/server_settings', { auth: null })).status, 200);
});

test('wrong API keys are counted by address and do not block requests with the right key', async (t) => {
  const { send, owner } = await running(t, { rateLimits: { refused_by_ip: rule(2) }, trustProxy: true });
  const ask = (auth: string | null, from = HOME) =>
    send('GET', '/api/v1/users/me', { auth, headers: { 'x-forwarded-for': from } });
  const wrong = basic(owner.email, 'x'.repeat(32));
  assert.equal((await ask(wrong)).status, 401);
  assert.equal((await ask(null)).status, 401);
  const refused = await ask(wrong);
  assert.deepEqual([refused.status, refused.body.code], [429, 'RATE_LIMIT_HIT']);
  assert.equal((await ask(wrong, ELSEWHERE)).status, 401);
  assert.equal((await ask(basic(owner.email, owner.api_key))).status, 200);
});

test('rate limits trust as many forwarded addresses as trustProxy says', async (t) => {
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

test('rate limits use the first forwarded address if there are fewer than proxies', async (t) => {
  const { send } = await running(t, { rateLimits: { api_by_ip: rule(1) }, trustProxy: 2 });
  const statusFrom = async (from: string) =>
    (await send('GET', '/api/v1/server_settings', { auth: null, headers: { 'x-forwarded-for': from } })).status;
  assert.equal(await statusFrom('192.0.2.1'), 200);
  assert.equal(await statusFrom('192.0.2.2'), 200);
  assert.equal(await statusFrom('192.0.2.2, 198.51.100.7'), 429);
});

test('rate limits ignore the port of a forwarded address', async (t) => {
  const { send } = await running(t, { rateLimits: { api_by_ip: rule(1) }, trustProxy: true });
  const statusFrom = async (from: string) =>
    (await send('GET', '/api/v1/server_settings', { auth: null, headers: { 'x-forwarded-for': from } })).status;
  const FROM: [string, number][] = [
    ['192.0.2.1:51234', 200],
    ['192.0.2.1:51235', 429],
    ['192.0.2.1', 429],
    ['::ffff:192.0.2.1', 429],
    ['[2001:db8:1:2::1]:443', 200],
    ['[2001:db8:1:2::9]:444', 429],
    ['[2001:DB8:1:2::9]', 429],
    ['2001:db8:1:2::1', 429],
    ['2001:db8:1:3::1', 200],
    // If it is not an address, the proxy's address counts.
    ['unknown', 200],
    ['_hidden:17', 429],
    ['192.0.2.999:1', 429],
    ['', 429],
  ];
  for (const [from, status] of FROM) assert.equal(await statusFrom(from), status, from);
});

test('all spellings of an address share one limit of wrong passwords', async (t) => {
  const { send, owner } = await running(t);
  const signIn = (username: string, password: string) =>
    send('POST', '/api/v1/fetch_api_key', { auth: null, form: { username, password } });
  const spellings = [
    'olga@ example.com',
    'olga@\texample.com',
    'olga@ｅxample.com',
    'olga@EXAMPLE。com',
    'olga@example．com',
  ];
  for (const name of spellings) {
    const { body } = await signIn(name, 'a long password');
    assert.equal(body.user_id, owner.user_id, name);
  }
  for (const name of spellings) assert.equal((await signIn(name, 'wrong')).status, 401, name);
  for (const name of [...spellings, owner.email])
    assert.equal((await signIn(name, 'a long password')).status, 429, name);
});

test('all spellings that a directory takes for one name share one limit, and other names have their own', async (t) => {
  const guessed: string[] = [];
  const directory = { check: async (login: string) => void guessed.push(login) };
  const { send } = await running(t, {}, { directory });
  const guess = async (username: string) => {
    const form = { username, password: 'wrong' };
    return (await send('POST', '/api/v1/fetch_api_key', { auth: null, form })).status;
  };
  // Active Directory ignores accents and width, OpenLDAP width and repeated spaces.
  const spellings = [
    'Ada Lee@x.org',
    'áda Lee@x.org',
    'ａda  lee@x.org',
    'a\u034fda Lee@x.org',
    '\u{1d400}da lee@x.org',
  ];
  for (const name of spellings) assert.equal(await guess(name), 401, name);
  assert.equal(await guess('ada leë@x.org'), 429);
  assert.equal(guessed.length, 5);
  for (const name of ['josé müller', 'zoë müller', 'chloé müller']) {
    assert.equal(await guess(name), 401, name);
    assert.equal(await guess(name), 401, name);
  }
});

test('five wrong passwords for one user name lock it, whatever its case and spaces', async (t) => {
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

/** Logs in from a network address, behind a proxy that forwards it. */
const signingIn = (send: Running['send'], owner: Running['owner']) => async (from: string, password: string) => {
  const form = { username: owner.email, password };
  const answer = await send('POST', '/api/v1/fetch_api_key', {
    auth: null,
    form,
    headers: { 'x-forwarded-for': from },
  });
  return answer.status;
};

const HOME = '192.0.2.1';
const ELSEWHERE = '198.51.100.7';

test('wrong passwords from elsewhere do not lock the login from a known address', async (t) => {
  const { send, owner } = await running(t, { trustProxy: true });
  const signIn = signingIn(send, owner);
  const right = 'a long password';
  assert.equal(await signIn(HOME, right), 200);
  for (let at = 0; at < 5; at++) assert.equal(await signIn(ELSEWHERE, 'wrong'), 401);
  assert.equal(await signIn(ELSEWHERE, right), 429);
  assert.equal(await signIn('203.0.113.9', right), 429);
  assert.equal(await signIn(HOME, right), 200);
});

test('a known address has its own limit of wrong passwords', async (t) => {
  const { send, owner } = await running(t, { trustProxy: true });
  const signIn = signingIn(send, owner);
  const right = 'a long password';
  await signIn(HOME, right);
  for (let at = 0; at < 5; at++) assert.equal(await signIn(HOME, 'wrong'), 401);
  assert.equal(await signIn(HOME, right), 429);
  assert.equal(await signIn(ELSEWHERE, right), 200);
});

test('a known address of an account is known to other processes, and not for other accounts', async (t) => {
  const { send, owner, chat } = await running(t, { trustProxy: true });
  await chat.as(owner.user_id).users.create({ email: 'mo@example.com', full_name: 'Mo', password: 'another long one' });
  assert.equal(await signingIn(send, owner)(HOME, 'a long password'), 200);
  const port = await listening(t, createServer(requestListener(chat, { trustProxy: true })));
  const sendThere: Running['send'] = (method, path, options) => sendTo(port, method, path, options);
  const signIn = signingIn(sendThere, owner);
  const signInMo = signingIn(sendThere, { ...owner, email: 'mo@example.com' });
  for (let at = 0; at < 5; at++) {
    assert.equal(await signIn(ELSEWHERE, 'wrong'), 401);
    assert.equal(await signInMo(ELSEWHERE, 'wrong'), 401);
  }
  assert.equal(await signIn(HOME, 'a long password'), 200);
  assert.equal(await signInMo(HOME, 'another long one'), 429);
});

test('a known address is forgotten after half a year without a login and after twenty others', async (t) => {
  const clock = new ManualClock();
  const { send, owner } = await running(t, { trustProxy: true }, { clock });
  const signIn = signingIn(send, owner);
  const right = 'a long password';
  for (const from of ['192.0.2.2', HOME]) assert.equal(await signIn(from, right), 200);
  for (let at = 0; at < 19; at++) {
    clock.advance({ seconds: 1 });
    assert.equal(await signIn(`203.0.113.${at}`, right), 200);
  }
  for (let at = 0; at < 5; at++) assert.equal(await signIn(ELSEWHERE, 'wrong'), 401);
  const known = await Promise.all(['192.0.2.2', HOME].map((from) => signIn(from, right)));
  assert.deepEqual(known.sort(), [200, 429]);
  clock.advance({ days: 181 });
  assert.equal(await signIn('203.0.113.18', right), 429);
});

test('wrong passwords for accounts known at an address do not count for the address', async (t) => {
  const { send, owner } = await running(t, { rateLimits: { authenticate_by_ip: rule(1) } });
  const signIn = async (username: string, password: string) =>
    (await send('POST', '/api/v1/fetch_api_key', { auth: null, form: { username, password } })).status;
  assert.equal(await signIn(owner.email, 'a long password'), 200);
  for (let at = 0; at < 3; at++) assert.equal(await signIn(owner.email, 'wrong'), 401);
  assert.equal(await signIn('nobody@example.com', 'wrong'), 401);
  assert.equal(await signIn('nobody2@example.com', 'wrong'), 429);
  assert.equal(await signIn(owner.email, 'a long password'), 200);
});

test('other requests and pages of an address cannot block its logins', async (t) => {
  const once = rule(1);
  const { send, owner } = await running(t, { rateLimits: { api_by_ip: once } });
  const settings = async () => (await send('GET', '/api/v1/server_settings', { auth: null })).status;
  assert.deepEqual([await settings(), await settings()], [200, 429]);
  const password = 'a long password';
  const form = { username: owner.email, password };
  assert.equal((await send('POST', '/api/v1/fetch_api_key', { auth: null, form })).status, 200);
  assert.equal((await send('GET', '/login', { auth: null })).status, 200);
  assert.equal((await send('POST', '/login', { auth: null, form: { email: owner.email, password } })).status, 303);
});

test('an address creates a limited number of accounts, without counting refused attempts', async (t) => {
  const { send, chat, owner } = await running(t, { rateLimits: { joins_by_ip: rule(2) } });
  const { invite_link } = await chat.as(owner).invites.createMultiuse({});
  const key = invite_link.split('/').filter(Boolean).at(-1) as string;
  const join = async (name: string, password: string) => {
    const form = { key, email: `${name}@example.com`, full_name: name, password };
    return (await send('POST', '/api/v1/invites/accept', { auth: null, form })).status;
  };
  for (let at = 0; at < 3; at++) assert.equal(await join('mia', 'weak'), 400);
  assert.deepEqual([await join('mia', 'a long one here'), await join('noa', 'a long one here')], [200, 200]);
  assert.equal(await join('pia', 'a long one here'), 429);
  const dryRun = { key, email: 'pia@example.com', full_name: 'Pia', password: 'a long one here' };
  assert.equal((await send('POST', '/api/v1/dry_run/invites/accept', { auth: null, form: dryRun })).status, 429);
  const form = { email: 'pia@example.com', full_name: 'Pia', password: 'a long one here' };
  assert.equal((await send('POST', `/join/${key}/`, { auth: null, form })).status, 429);
});

test('a wrong number of trusted proxies is named once in the log', async (t) => {
  const warnings: object[] = [];
  const logger = { debug() {}, info() {}, warn: (facts: object) => void warnings.push(facts), error() {} };
  const visit = async ({ send }: Running, count: number, headers = {}) => {
    for (let at = 0; at < count; at++) await send('GET', '/api/v1/server_settings', { auth: null, headers });
  };
  const forwarded = { 'x-forwarded-for': HOME };
  const invented = { 'x-forwarded-for': `10.9.9.9, ${HOME}` };
  const direct = await running(t, {}, { logger });
  await visit(direct, 3);
  const right = await running(t, { trustProxy: 1 }, { logger });
  await visit(right, 3, forwarded);
  await visit(right, 3, invented);
  assert.deepEqual(warnings, []);
  // Also after a health check without the header.
  await visit(direct, 3, forwarded);
  assert.deepEqual(warnings.splice(0), [{ proxy: '127.0.0.1' }]);
  const tooMany = await running(t, { trustProxy: 3 }, { logger });
  await visit(tooMany, 3);
  assert.deepEqual(warnings, []);
  await visit(tooMany, 3, invented);
  assert.deepEqual(warnings, [{ addresses: 2, trusted: 3 }]);
});

test('wrong old passwords in settings are limited without blocking other settings or login', async (t) => {
  const { send, owner } = await running(t);
  const change = (old_password: string, more = {}) =>
    send('PATCH', '/api/v1/settings', { form: { old_password, new_password: 'a longer password', ...more } });
  for (let at = 0; at < 5; at++) assert.equal((await change('wrong')).status, 400);
  const refused = await change('a long password');
  assert.equal(refused.status, 429);
  assert.equal(refused.body.code, 'RATE_LIMIT_HIT');
  assert.equal((await send('PATCH', '/api/v1/settings', { form: { enter_sends: 'true' } })).status, 200);
  const form = { username: owner.email, password: 'a long password' };
  assert.equal((await send('POST', '/api/v1/fetch_api_key', { auth: null, form })).status, 200);
});

test('a weak new password does not count as a wrong one', async (t) => {
  const { send } = await running(t);
  const change = (new_password: string) =>
    send('PATCH', '/api/v1/settings', { form: { old_password: 'a long password', new_password } });
  for (let at = 0; at < 6; at++) assert.equal((await change('weak')).body.code, 'PASSWORD_TOO_WEAK');
  assert.equal((await change('a longer password')).status, 200);
});

test('one address can request five reset e-mails in a day', async (t) => {
  const mail = smtp({ url: 'smtp://127.0.0.1:9', from: 'chat@example.com' });
  const { send } = await running(t, { trustProxy: true }, { mail });
  const request = (from: string, name: string) =>
    send('POST', '/api/v1/password_reset', {
      auth: null,
      form: { email: `${name}@example.com` },
      headers: { 'x-forwarded-for': from },
    });
  for (const name of ['olga', 'mo', 'ada', 'ben', 'cleo']) assert.equal((await request(HOME, name)).status, 200);
  const refused = await request(HOME, 'dora');
  assert.equal(refused.status, 429);
  assert.ok(refused.body['retry-after'] > 3_600);
  assert.equal((await request(ELSEWHERE, 'dora')).status, 200);
});

test('parallel wrong passwords count like consecutive ones', async (t) => {
  const { send, owner } = await running(t, { rateLimits: { authenticate_by_username: rule(3) } });
  const attempts = Array.from({ length: 12 }, (_, i) =>
    send('POST', '/api/v1/fetch_api_key', { auth: null, form: { username: owner.email, password: `guess ${i}` } }),
  );
  const statuses = (await Promise.all(attempts)).map((answer) => answer.status).sort();
  assert.deepEqual(statuses, [...Array(3).fill(401), ...Array(9).fill(429)]);
});

test('the rate limit of an operation follows its declaration, not its name', async (t) => {
  const common = { summary: 'Anything', result: v.object({}) } as const;
  const signIn = defineOperation({
    ...common,
    name: 'doors.open',
    http: 'POST /doors',
    access: 'anyone',
    effect: 'read',
    limitedBy: { rule: 'sign-in', account: 'guest' },
    params: { guest: v.string() },
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
    effect: 'poll',
    params: {},
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

/** Streams and polls of queues of a server with low limits. */
async function waiting(t: TestContext, rateLimits: RateLimitRules) {
  const server = await running(t, { rateLimits, trustProxy: true });
  const account = async (name: string) => {
    const email = `${name}@example.com`;
    const { user_id } = await server.chat.as(server.owner).users.ensure({ email, full_name: name });
    return listenerOf(user_id, email);
  };
  const listenerOf = async (user_id: number, email: string) => {
    const authorization = basic(email, await server.chat.apiKeyOf(user_id));
    const register = async () => (await server.chat.as(user_id).register({ event_types: ['message'] })).queue_id;
    const ask = (queue: string | null, from = HOME, path = '/stream') => {
      const address = `/api/v1/events${path}?queue_id=${queue}&last_event_id=-1`;
      return openStream(t, { port: server.port, path: address, headers: { authorization, 'x-forwarded-for': from } });
    };
    return { register, ask };
  };
  return { account };
}

test('the number of waiting queues of an account is limited, for streams and polls', async (t) => {
  const { account } = await waiting(t, { waiting_queues_by_user: 2 });
  const [ada, ben] = [await account('ada'), await account('ben')];
  const queues = [await ada.register(), await ada.register(), await ada.register()];
  const [first = null, second = null, third = null] = queues;
  const open = await ada.ask(first);
  assert.equal(open.status, 200);
  assert.equal((await ada.ask(second)).status, 200);
  for (const path of ['/stream', '']) {
    const refused = await ada.ask(third, ELSEWHERE, path);
    assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '10']);
  }
  const again = await ada.ask(first);
  assert.equal(again.status, 200, 'a client that connects again reuses the place of its old stream');
  await until('the old stream ends', open.isEnded);
  assert.equal((await ada.ask(third)).status, 429);
  assert.equal((await ben.ask(await ben.register())).status, 200);
  again.req.destroy();
  await until('the place is free', async () => (await ada.ask(third)).status === 200);
});

test('a full network address admits three waiting queues of each account and refuses more', async (t) => {
  const { account } = await waiting(t, { waiting_queues_by_ip: 4 });
  const [ada, ben] = [await account('ada'), await account('ben')];
  const open = async (one: typeof ada, from?: string) => (await one.ask(await one.register(), from)).status;
  for (let at = 0; at < 4; at++) assert.equal(await open(ada), 200);
  assert.equal(await open(ada), 429);
  for (let at = 0; at < 3; at++) assert.equal(await open(ben), 200);
  assert.equal(await open(ben), 429);
  assert.equal(await open(ben, ELSEWHERE), 200);
});

test('rateLimits false turns off all rate limits', async (t) => {
  const { send } = await running(t, { rateLimits: false });
  for (let i = 0; i < 205; i++) {
    const { status, headers } = await send('GET', '/api/v1/users/me');
    assert.equal(status, 200);
    assert.equal(headers['x-ratelimit-limit'], undefined);
  }
});
