import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import { Unauthorized } from '../../lib/index.ts';
import { Authentication } from '../../server/authentication.ts';
import { requestListener } from '../../server/index.ts';
import { basic, listening, running } from './running.ts';

const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64');
const KEY = 'A'.repeat(32);

test('a request without credentials returns 401 UNAUTHORIZED with WWW-Authenticate', async (t) => {
  const { send, state } = await running(t);
  const before = await state();
  for (const [method, path] of [
    ['GET', '/users/me'],
    ['POST', '/channels/create'],
    ['DELETE', '/users/me'],
  ] as const) {
    const answer = await send(method, `/api/v1${path}`, { auth: null });
    assert.equal(answer.status, 401);
    assert.equal(answer.body.code, 'UNAUTHORIZED');
    assert.equal(answer.headers['www-authenticate'], 'Basic realm="zulip"');
  }
  assert.deepEqual(await state(), before);
});

test('with the login of the host, a 401 response does not make browsers show a password dialog', async (t) => {
  const { chat } = await running(t);
  const port = await listening(t, createServer(requestListener(chat, { authenticate: () => undefined })));
  const ask = (headers = {}) => fetch(`http://127.0.0.1:${port}/api/v1/users/me`, { headers });
  const challenges = [await ask(), await ask({ authorization: 'Basic nonsense' })].map(
    ({ status, headers }) => `${status} ${headers.get('www-authenticate')}`,
  );
  assert.deepEqual(challenges, ['401 Session realm="zulip"', '401 Basic realm="zulip"']);
});

test('an Authorization header of an unknown scheme returns 400 BAD_REQUEST', async (t) => {
  const { send } = await running(t);
  for (const auth of ['Digest username="a", realm="b"', 'zulip x']) {
    const answer = await send('GET', '/api/v1/users/me', { auth });
    assert.equal(answer.status, 400, auth);
    assert.equal(answer.body.code, 'BAD_REQUEST');
    assert.equal(answer.headers['www-authenticate'], undefined);
  }
});

test('incomplete and malformed credentials return 401 UNAUTHORIZED', async (t) => {
  const { send, owner } = await running(t);
  const headers = [
    'Basic',
    'nonsense',
    'Basic two words',
    'Basic !!!!',
    `Basic ${base64('a:b').replace(/=+$/, '')}`,
    `Basic ${base64('no colon')}`,
    `Basic ${base64('one:two:three')}`,
    `Basic ${base64(`${owner.email}:`)}`,
    `Basic ${base64(`:${owner.api_key}`)}`,
    `Basic ${base64(Buffer.from([0xff, 0x3a, 0xff]))}`,
    basic(owner.email, 'short'),
    basic(owner.email, `${owner.api_key}x`),
    basic(owner.email, KEY),
    basic('nobody@example.com', owner.api_key),
    basic('welcome-bot@zulip.com', KEY),
  ];
  for (const auth of headers) {
    const answer = await send('GET', '/api/v1/users/me', { auth });
    assert.equal(answer.status, 401, auth);
    assert.equal(answer.body.code, 'UNAUTHORIZED');
  }
});

test('credentials work whatever the case of scheme and address, and with extra spaces', async (t) => {
  const { send, owner } = await running(t);
  for (const auth of [
    basic(owner.email, owner.api_key).replace('Basic', 'bAsIc'),
    basic(owner.email.toUpperCase(), owner.api_key),
    basic(` ${owner.email} `, ` ${owner.api_key} `),
    basic(owner.email, owner.api_key).replace(' ', '   '),
  ]) {
    const answer = await send('GET', '/api/v1/users/me', { auth });
    assert.equal(answer.body.user_id, owner.user_id, auth);
  }
});

test('operations open to anyone ignore credentials, even wrong ones', async (t) => {
  const { send, owner } = await running(t);
  for (const auth of [null, 'Bearer x', 'Basic !!!', basic(owner.email, KEY)]) {
    assert.equal((await send('GET', '/api/v1/server_settings', { auth })).status, 200, String(auth));
  }
});

test('a deactivated account and a rotated key are refused at once', async (t) => {
  const { send, chat, owner } = await running(t);
  const { user_id } = await chat
    .as(owner.user_id)
    .users.create({ email: 'mo@example.com', full_name: 'Mo', password: 'another long one' });
  const old = basic('mo@example.com', await chat.apiKeyOf(user_id));
  assert.equal((await send('GET', '/api/v1/users/me', { auth: old })).status, 200);
  const { api_key } = await chat.as(user_id).users.regenerateApiKey();
  assert.equal((await send('GET', '/api/v1/users/me', { auth: old })).status, 401);
  const fresh = basic('mo@example.com', api_key);
  assert.equal((await send('GET', '/api/v1/users/me', { auth: fresh })).status, 200);
  await chat.as(owner.user_id).users.deactivate({ user_id });
  const answer = await send('GET', '/api/v1/users/me', { auth: fresh });
  assert.equal(answer.status, 401);
  assert.equal(answer.body.code, 'UNAUTHORIZED');
  assert.equal(answer.body.reason, 'deactivated');
});

test('wrong credentials are refused by an operation that needs none', async (t) => {
  const { send, owner } = await running(t);
  const answer = await send('GET', '/api/v1/users', { auth: basic(owner.email, KEY) });
  assert.equal(answer.status, 401);
});

test('a request without an Authorization header uses the login of the host', async (t) => {
  const asked: (string | undefined)[] = [];
  const { send, owner, chat } = await running(t, {
    authenticate: async (req) => {
      asked.push(req.url);
      const name = req.headers['x-host-user'];
      if (name === 'u7' || name === 'u8') return { external_id: name };
      return typeof name === 'string' ? (name === 'me' ? 'olga@example.com' : name) : null;
    },
  });
  await chat.sync({ users: [{ external_id: 'u7', name: 'Uma' }] });
  const { bots } = await chat
    .as(owner)
    .bots.create({ short_name: 'mallory', full_name: 'Mallory' })
    .then(() => chat.as(owner).bots.list());
  const [bot] = bots;
  assert.ok(bot);
  const as = (name: string) => ({ auth: null, headers: { 'x-host-user': name } });
  assert.equal((await send('GET', '/api/v1/users/me', as('me'))).body.user_id, owner.user_id);
  assert.equal((await send('GET', '/api/v1/users/me', as('stranger@example.com'))).status, 401);
  assert.equal((await send('GET', '/api/v1/users/me', as('u7'))).body.full_name, 'Uma');
  assert.equal((await send('GET', '/api/v1/users/me', as('u8'))).status, 401);
  // Members choose the addresses of their bots.
  assert.equal((await send('GET', '/api/v1/users/me', as(bot.email))).status, 401);
  assert.equal((await send('GET', '/api/v1/users/me', { auth: null })).status, 401);
  assert.equal(asked.length, 6);
  assert.equal(
    (await send('GET', '/api/v1/users/me', { headers: { 'x-host-user': 'stranger@example.com' } })).status,
    200,
  );
  assert.equal((await send('GET', '/api/v1/server_settings', as('me'))).status, 200);
  assert.equal(asked.length, 6);
});

test('with the login of the host, the host receives Authorization headers of its own scheme, but not Basic', async (t) => {
  const seen: (string | undefined)[] = [];
  const { send, owner } = await running(t, {
    authenticate: (req) => {
      seen.push(req.headers.authorization);
      return req.headers.authorization?.endsWith(' good') ? owner.email : null;
    },
  });
  const me = async (auth: string) => (await send('GET', '/api/v1/users/me', { auth })).body;
  for (const auth of ['Bearer good', 'Digest good', 'zulip good'])
    assert.equal((await me(auth)).user_id, owner.user_id);
  // The host does not know this user.
  assert.equal((await me('Bearer bad')).code, 'TOKEN_INVALID');
  assert.deepEqual(seen, ['Bearer good', 'Digest good', 'zulip good', 'Bearer bad']);
  assert.equal((await me('Basic good')).code, 'UNAUTHORIZED');
  assert.equal((await me(basic(owner.email, owner.api_key))).user_id, owner.user_id);
  assert.equal(seen.length, 4);
});

test('a page of another site cannot use the login of the host to change anything', async (t) => {
  const { send, state, port } = await running(t, {
    authenticate: () => ({ user_id: 4 }),
    trustedOrigins: ['https://app.example.com'],
  });
  const create = (name: string, headers: Record<string, string>) =>
    send('POST', '/api/v1/channels/create', { auth: null, headers, form: { name, subscribers: '[]' } });
  const before = await state();
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ]) {
    const answer = await create('taken', headers as unknown as Record<string, string>);
    assert.equal(answer.status, 403);
    assert.equal(answer.body.code, 'CSRF_FAILED');
  }
  assert.deepEqual(await state(), before);
  assert.equal((await create('one', { 'sec-fetch-site': 'same-origin' })).status, 200);
  assert.equal((await create('two', { origin: `http://127.0.0.1:${port}` })).status, 200);
  assert.equal(
    (await create('three', { origin: 'https://app.example.com', 'sec-fetch-site': 'cross-site' })).status,
    200,
  );
  assert.equal((await create('four', {})).status, 200);
});

test('behind a proxy, a page whose address is not the base URL is told both addresses and the option, and the log once', async (t) => {
  const warnings: object[] = [];
  const logger = { debug() {}, info() {}, warn: (facts: object) => void warnings.push(facts), error() {} };
  const { send } = await running(t, {}, { baseUrl: 'https://wrong.example.com', logger });
  const headers = { origin: 'http://chat.example.com' };
  const form = { username: 'olga@example.com', password: 'a long password' };
  for (const path of ['/login', '/login']) {
    const { status, text } = await send('POST', path, { auth: null, headers, form });
    assert.equal(status, 403);
    for (const part of ['http://chat.example.com', 'https://wrong.example.com', '--base-url'])
      assert.ok(text.includes(part), `${part} in ${text}`);
  }
  assert.deepEqual(warnings, [{ page: 'http://chat.example.com', base_url: 'https://wrong.example.com' }]);
});

test('G1: a form of another site cannot use the Basic credentials that a browser remembers', async (t) => {
  const { send, state } = await running(t, { trustedOrigins: ['https://app.example.com'] });
  const before = await state();
  const form = { stream_id: '1', name: 'taken', subscribers: '[]' };
  const post = (headers: Record<string, string>) => send('POST', '/api/v1/channels/create', { headers, form });
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ] as unknown as Record<string, string>[]) {
    const { status, body } = await post(headers);
    assert.deepEqual([status, body.code], [403, 'CSRF_FAILED']);
  }
  // Twice, because the second request finds its credentials in a cache.
  for (const [method, path] of [
    ['PATCH', '/api/v1/settings'],
    ['DELETE', '/api/v1/users/me'],
    ['PATCH', '/api/v1/settings'],
  ] as const) {
    const { status } = await send(method, path, { headers: { 'sec-fetch-site': 'cross-site' } });
    assert.equal(status, 403, path);
  }
  assert.deepEqual(await state(), before);
  assert.equal((await send('GET', '/api/v1/users/me', { headers: { 'sec-fetch-site': 'cross-site' } })).status, 200);
  for (const headers of [{}, { 'sec-fetch-site': 'same-origin' }, { origin: 'https://app.example.com' }])
    assert.notEqual((await post(headers as Record<string, string>)).status, 403);
});

test('G1: only programs receive the Basic challenge, so that browsers open no password dialog', async (t) => {
  const { send } = await running(t);
  const scheme = async (headers: Record<string, string>) =>
    (await send('GET', '/api/v1/users/me', { auth: null, headers })).headers['www-authenticate'];
  assert.equal(await scheme({}), 'Basic realm="zulip"');
  assert.equal(await scheme({ 'sec-fetch-site': 'none' }), 'Session realm="zulip"');
  assert.equal(await scheme({ origin: 'https://elsewhere.example' }), 'Session realm="zulip"');
  // fetch of Node sends these.
  assert.equal(await scheme({ 'sec-fetch-mode': 'cors', 'accept-language': '*' }), 'Basic realm="zulip"');
  // Sites without TLS receive no Sec-Fetch headers.
  const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  assert.equal(await scheme({ 'user-agent': browser, 'accept-language': 'de' }), 'Session realm="zulip"');
  const powerShell = 'Mozilla/5.0 (Windows NT; Windows NT 10.0; en-US) WindowsPowerShell/5.1.19041.4522';
  assert.equal(await scheme({ 'user-agent': powerShell }), 'Basic realm="zulip"');
  assert.equal(await scheme({ 'accept-language': 'de', 'user-agent': 'curl/8.5.0' }), 'Basic realm="zulip"');
});

test('G1: pages at the address of the site may change things, also behind a proxy that replaces the Host', async (t) => {
  const { send, port } = await running(t, {}, { baseUrl: 'https://chat.example.com/team' });
  const status = async (headers: Record<string, string>) =>
    (await send('PATCH', '/api/v1/settings', { headers, form: { twenty_four_hour_time: 'true' } })).status;
  assert.equal(await status({ origin: 'https://chat.example.com', host: 'backend:9991' }), 200);
  assert.equal(await status({ origin: `http://127.0.0.1:${port}` }), 200);
  // The referrer policy of this page hides its origin.
  assert.equal(await status({ origin: 'null', 'sec-fetch-site': 'same-origin' }), 200);
  assert.equal(await status({ 'sec-fetch-site': 'none' }), 200);
  for (const origin of [
    'http://chat.example.com',
    'https://chat.example.com:444',
    'https://chat.example.com.evil.example',
    'https://other.chat.example.com',
    'https://chat.example.com@evil.example',
    'file://',
    'null',
    '',
  ]) {
    assert.equal(await status({ origin, host: 'backend:9991' }), 403, origin);
    assert.equal(await status({ origin, 'sec-fetch-site': 'cross-site' }), 403, origin);
  }
});

test('G1: a page of another site can neither upload files nor name a method in a form', async (t) => {
  const { send, auth } = await running(t);
  const headers = { 'sec-fetch-site': 'same-site', 'content-type': 'multipart/form-data; boundary=x' };
  const body = '--x\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\n\r\na\r\n--x--\r\n';
  assert.equal((await send('POST', '/api/v1/user_uploads', { headers, body })).status, 403);
  const tus = { 'sec-fetch-site': 'cross-site', 'tus-resumable': '1.0.0', 'upload-length': '5' };
  assert.equal((await send('POST', '/api/v1/tus', { headers: tus })).status, 403);
  const form = { method: 'DELETE' };
  assert.equal((await send('POST', '/api/v1/users/me', { headers: { origin: 'http://a.example' }, form })).status, 403);
  assert.equal((await send('GET', '/api/v1/users/me', { auth })).status, 200);
});

test('an error in the login of the host returns 500 without its message and is logged', async (t) => {
  const { send, logged } = await running(t, {
    authenticate: () => {
      throw new Error('the session store of the host is down');
    },
  });
  const answer = await send('GET', '/api/v1/users/me', { auth: null });
  assert.equal(answer.status, 500);
  assert.doesNotMatch(answer.text, /session store/);
  assert.equal(logged.length, 1);
});

test('a request without credentials is refused before its body arrives', async (t) => {
  const { port } = await running(t);
  const head = [
    'POST /api/v1/messages HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/x-www-form-urlencoded',
    'Content-Length: 1000000',
  ];
  const socket = connect(port, '127.0.0.1');
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  // Without this, the server waits for the body while it closes.
  socket.destroy();
  assert.match(answer.toString(), /^HTTP\/1\.1 401 /);
});

test('a request is refused and changes nothing if it names another account than its login', async (t) => {
  const { send, auth, chat, owner, state } = await running(t, { trustedOrigins: ['https://app.example.com'] });
  const { user_id } = await chat.as(owner).users.create({ email: 'ben@example.com', full_name: 'Ben' });
  const { token } = await chat.tokens.create({ user: user_id, ttlSeconds: 60 });
  const form = { type: 'direct', to: `[${owner.user_id}]`, content: 'x' };
  const naming = (account: number | string, more: object = {}) => ({
    headers: { 'parlance-account': String(account), origin: 'https://app.example.com', ...more },
  });
  const before = await state();
  for (const [method, path, options] of [
    ['POST', '/messages', { form }],
    ['GET', '/messages?anchor=newest&num_before=1&num_after=0', {}],
    ['POST', '/register', { form: {} }],
    ['GET', '/events/stream?queue_id=x', {}],
    ['POST', '/tus', { headers: { 'tus-resumable': '1.0.0', 'upload-length': '0' } }],
    ['POST', '/dry_run/messages', { form }],
  ] as const) {
    const given = 'headers' in options ? options.headers : {};
    const answer = await send(method, `/api/v1${path}`, { auth, ...options, ...naming(user_id, given) });
    assert.equal(answer.status, 409, path);
    if (path !== '/tus') assert.equal(answer.body.code, 'ACCOUNT_CHANGED', path);
    assert.equal(answer.headers['parlance-account'], String(owner.user_id), path);
    assert.match(String(answer.headers['access-control-expose-headers']), /Parlance-Account/);
  }
  assert.equal((await send('GET', '/api/v1/users/me', { ...naming('x') })).body.code, 'ACCOUNT_CHANGED');
  assert.deepEqual(await state(), before);
  const own = await send('GET', '/api/v1/users/me', { auth: `Bearer ${token}`, ...naming(user_id) });
  assert.deepEqual([own.status, own.headers['parlance-account']], [200, String(user_id)]);
});

test('a request that names an account is refused without a login, even if the operation needs none', async (t) => {
  const { send, chat, owner } = await running(t);
  await chat.as(owner).organization.edit({ enable_spectator_access: true });
  const path = '/api/v1/users';
  assert.equal((await send('GET', path, { auth: null })).status, 200);
  const headers = { 'parlance-account': String(owner.user_id) };
  assert.equal((await send('GET', path, { auth: null, headers })).body.code, 'UNAUTHORIZED');
});

test('concurrent requests with the same credentials are checked once, and again after a failure', async () => {
  const checks: { resolve(caller: object): void; reject(error: Error): void }[] = [];
  const transport = {
    authenticate: () => new Promise((resolve, reject) => checks.push({ resolve, reject })),
    noteWrongKey: () => undefined,
  };
  const authentication = new Authentication(transport as never, {}, undefined, undefined);
  const ask = () =>
    authentication.identify(
      { method: 'GET', headers: { authorization: basic('a@example.com', KEY) } } as never,
      'user',
    );
  const refused = Promise.allSettled([ask(), ask()]);
  assert.equal(checks.length, 1);
  checks[0]?.reject(new Unauthorized('The API key does not belong to this e-mail address.'));
  assert.deepEqual(
    (await refused).map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  const admitted = Promise.all([ask(), ask()]);
  assert.equal(checks.length, 2);
  checks[1]?.resolve({ userId: 7 });
  assert.deepEqual(await admitted, [{ userId: 7 }, { userId: 7 }]);
  assert.deepEqual(await ask(), { userId: 7 });
  assert.equal(checks.length, 2);
});
