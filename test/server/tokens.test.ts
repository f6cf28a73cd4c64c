import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type ChatOptions, localFiles, openChat, sqlite } from '../../lib/index.ts';
import { migrations } from '../../lib/storage/migrations/index.ts';
import { type ServeOptions, serve } from '../../server/index.ts';
import { type MigrationPlace, places } from '../storage/migration-places.ts';
import { testOn } from '../support/engines.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { openStream } from './event-stream.ts';
import { type Running, running } from './running.ts';

const ELSEWHERE = 'https://elsewhere.example';

async function withToken(t: TestContext, options: ServeOptions = {}, chatOptions: Partial<ChatOptions> = {}) {
  const server = await running(t, options, chatOptions);
  const { body } = await server.send('POST', '/api/v1/tokens');
  return { ...server, token: body.token as string, expires_at: body.expires_at as number };
}

const use = ({ send }: Pick<Running, 'send'>, token: string, method = 'GET', path = '/users/me', more: object = {}) =>
  send(method, `/api/v1${path}`, { auth: `Bearer ${token}`, ...more });

test('a token logs in to every route: operations, uploads in one request and in parts, files and events', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tokens-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const server = await withToken(t, {}, { files: localFiles(folder) });
  const { token, owner, send, port } = server;
  assert.equal((await use(server, token)).body.user_id, owner.user_id);
  assert.equal((await use(server, token, 'POST', '/messages/render', { form: { content: 'x' } })).status, 200);

  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  const body = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nwhole\r\n--x--\r\n';
  const { url } = (await use(server, token, 'POST', '/user_uploads', { headers, body })).body;
  assert.equal((await send('GET', url, { auth: `bearer ${token}` })).text, 'whole');

  const tus = { 'tus-resumable': '1.0.0', 'upload-length': '0' };
  assert.equal((await use(server, token, 'POST', '/tus', { headers: tus })).status, 200);

  const { queue_id } = (await use(server, token, 'POST', '/register', { form: { event_types: '["message"]' } })).body;
  const events = `/api/v1/events/stream?queue_id=${queue_id}`;
  const stream = await openStream(t, { port, path: events, headers: { authorization: `Bearer ${token}` } });
  assert.equal(stream.status, 200);
  stream.req.destroy();
});

test('a token is issued for an API key and a login of the host, but not for a token', async (t) => {
  const server = await withToken(t);
  const refused = await use(server, server.token, 'POST', '/tokens');
  assert.deepEqual([refused.status, refused.body.code], [403, 'TOKEN_NOT_ALLOWED']);
  const host = await running(t, { authenticate: () => 'olga@example.com' });
  const { body } = await host.send('POST', '/api/v1/tokens', { auth: null, form: { ttl_seconds: '60' } });
  assert.equal((await use(host, body.token)).status, 200);
  assert.ok(Math.abs(body.expires_at - (Date.now() / 1000 + 60)) < 30);
});

test('a token neither reads nor replaces API keys and passwords', async (t) => {
  const server = await withToken(t);
  const { user_id } = await server.chat.as(server.owner).users.create({ email: 'ben@example.com', full_name: 'Ben' });
  for (const [method, path, form] of [
    ['POST', '/users/me/api_key/regenerate', {}],
    ['GET', `/users/${user_id}/api_key`, undefined],
    ['POST', `/users/${user_id}/password`, { password: 'a good long password' }],
    ['POST', `/users/${user_id}/reset_link`, {}],
  ] as const) {
    const { status, body } = await use(server, server.token, method, path, form ? { form } : {});
    assert.deepEqual([status, body.code], [403, 'TOKEN_NOT_ALLOWED'], path);
  }
});

test('a read-only token receives events and files, and changes nothing', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tokens-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const server = await running(t, {}, { files: localFiles(folder) });
  const { token } = await server.chat.tokens.create({ user: server.owner, ttlSeconds: 60, scopes: ['read'] });
  const queue = await use(server, token, 'POST', '/register', { form: { event_types: '["message"]' } });
  assert.equal(queue.status, 200);
  const { queue_id } = queue.body;
  const poll = `/events?queue_id=${queue_id}&last_event_id=-1&dont_block=true`;
  assert.equal((await use(server, token, 'GET', poll)).status, 200);
  assert.equal((await use(server, token, 'DELETE', `/events?queue_id=${queue_id}`)).status, 200);
  const before = await server.state();
  const form = { type: 'direct', to: `[${server.owner.user_id}]`, content: 'x' };
  assert.equal((await use(server, token, 'POST', '/messages', { form })).body.code, 'TOKEN_NOT_ALLOWED');
  const tus = { 'tus-resumable': '1.0.0', 'upload-length': '1' };
  assert.equal((await use(server, token, 'POST', '/tus', { headers: tus })).status, 403);
  assert.equal((await use(server, token, 'POST', '/dry_run/messages', { form })).body.code, 'TOKEN_NOT_ALLOWED');
  assert.deepEqual(await server.state(), before);
});

const waiting = () => new Promise((resolve) => setTimeout(resolve, 100));

/** A chat on a database of its own. */
async function runningAt(t: TestContext, make: () => Promise<MigrationPlace>, chatOptions: Partial<ChatOptions> = {}) {
  const place = await make();
  const server = await running(t, {}, { storage: place.storage(migrations), ...chatOptions });
  t.after(() => place.remove());
  return server;
}

for (const { name, skip, make } of places) {
  const test = testOn({ skip });

  test(`a write token sets no password, which would give access to the API key (${name})`, async (t) => {
    const { chat, owner, send } = await runningAt(t, make);
    const mirrored = { email: 'ben@example.com', full_name: 'Ben' };
    const { user_id } = await chat.as(owner).users.create(mirrored);
    const { token } = await chat.tokens.create({ user: user_id, ttlSeconds: 60 });
    const password = 'correct horse battery staple';
    const set = await send('PATCH', '/api/v1/settings', { auth: `Bearer ${token}`, form: { new_password: password } });
    assert.deepEqual([set.status, set.body.code], [403, 'TOKEN_NOT_ALLOWED']);
    const form = { username: mirrored.email, password };
    assert.equal((await send('POST', '/api/v1/fetch_api_key', { auth: null, form })).status, 401);
  });

  test(`a read token of an owner receives neither API keys of bots nor links of invitations (${name})`, async (t) => {
    const server = await runningAt(t, make);
    const { chat, owner } = server;
    const webhook = { bot_type: 3, payload_url: 'https://example.com/' } as const;
    const { user_id } = await chat.as(owner).bots.create({ full_name: 'Oracle', short_name: 'oracle', ...webhook });
    await chat.as(owner).invites.createMultiuse({ invite_as: 100 });
    await chat.as(owner).invites.send({ invitee_emails: 'ben@example.com', stream_ids: [], invite_as: 100 });
    const { token } = await chat.tokens.create({ user: owner, scopes: ['read'] });
    const [bot] = (await use(server, token, 'GET', '/bots')).body.bots;
    assert.deepEqual([bot.user_id, bot.services], [user_id, [{ base_url: 'https://example.com/', interface: 1 }]]);
    assert.equal('api_key' in bot, false);
    for (const path of [`/bots/${user_id}/api_key`, `/dry_run/bots/${user_id}/api_key`])
      assert.equal((await use(server, token, 'GET', path)).body.code, 'TOKEN_NOT_ALLOWED');
    const { invites } = (await use(server, token, 'GET', '/invites?include_links=true')).body;
    assert.deepEqual(
      invites.map((invite: object) => 'link_url' in invite),
      [false, false],
    );
    const byKey = await server.send('GET', '/api/v1/invites?include_links=true');
    assert.ok(byKey.body.invites.every((invite: { link_url?: string }) => invite.link_url));
  });

  test(`a waiting poll and stream receive TOKEN_EXPIRED instead of events from after the expiry (${name})`, async (t) => {
    const clock = new ManualClock();
    const server = await runningAt(t, make, { clock });
    const { chat, owner, port } = server;
    const say = (content: string) => chat.as(owner).messages.send({ type: 'direct', to: [owner.user_id], content });
    for (const isResumed of [false, true]) {
      const { token } = await chat.tokens.create({ user: owner, ttlSeconds: 60 });
      const queues = await Promise.all(
        [1, 2].map(() => use(server, token, 'POST', '/register', { form: { event_types: '["message"]' } })),
      );
      const [first, second] = queues.map(({ body }) => body.queue_id);
      const events = `queue_id=${second}`;
      const headers = { authorization: `Bearer ${token}` };
      const stream = await openStream(t, { port, path: `/api/v1/events/stream?${events}`, headers });
      let last = -1;
      if (isResumed) {
        await say('before');
        const { body } = await use(server, token, 'GET', `/events?queue_id=${first}&last_event_id=-1`);
        last = body.events.at(-1).id;
        await stream.next(1);
      }
      const poll = use(server, token, 'GET', `/events?queue_id=${first}&last_event_id=${last}`);
      await waiting();
      clock.advance({ seconds: 60 });
      await say('secret');
      const { status, body } = await poll;
      assert.deepEqual([status, body.code, body.events], [401, 'TOKEN_EXPIRED', undefined]);
      const frames = await stream.next(isResumed ? 2 : 1);
      assert.equal(frames.at(-1)?.data.code, 'TOKEN_EXPIRED');
    }
  });
}

test('why explains to a token only calls that it may make', async (t) => {
  const server = await running(t);
  const form = { type: 'direct', to: `[${server.owner.user_id}]`, content: 'x' };
  const codes = async (scope: 'read' | 'write') => {
    const { token } = await server.chat.tokens.create({ user: server.owner, scopes: [scope] });
    const about = `/why/${server.owner.user_id}`;
    return Promise.all(
      [
        use(server, token, 'POST', `${about}/messages`, { form }),
        use(server, token, 'POST', `${about}/users/me/api_key/regenerate`),
        use(server, token, 'PATCH', `${about}/settings`, { form: { new_password: 'the play is the thing' } }),
      ].map(async (answer) => (await answer).body.code),
    );
  };
  assert.deepEqual(await codes('read'), ['TOKEN_NOT_ALLOWED', 'TOKEN_NOT_ALLOWED', 'TOKEN_NOT_ALLOWED']);
  assert.deepEqual(await codes('write'), [undefined, 'TOKEN_NOT_ALLOWED', 'TOKEN_NOT_ALLOWED']);
});

test('the login pages set no cookie for a token, and do not log a token out', async (t) => {
  const server = await withToken(t);
  const auth = `Bearer ${server.token}`;
  for (const [method, path] of [
    ['GET', '/login'],
    ['GET', '/'],
    ['POST', '/login'],
    ['POST', '/logout'],
  ] as const) {
    const { headers } = await server.send(method, path, { auth, ...(method === 'POST' ? { form: {} } : {}) });
    assert.ok(!/=parlance\./.test(String(headers['set-cookie'])), `${method} ${path}`);
  }
  assert.equal((await use(server, server.token)).status, 200);
});

test('a temporary address of a file ends with the token that requested it', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tokens-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const clock = new ManualClock();
  const server = await running(t, {}, { files: localFiles(folder), clock });
  const { chat, owner, send } = server;
  const { url } = await chat.as(owner).uploads.send({ file: new File(['text'], 'a.txt') });
  const { token } = await chat.tokens.create({ user: owner, ttlSeconds: 20, scopes: ['read'] });
  const byToken = (await use(server, token, 'GET', url)).body.url;
  const byKey = (await send('GET', `/api/v1${url}`)).body.url;
  const statuses = () =>
    Promise.all([byToken, byKey].map(async (path) => (await send('GET', path, { auth: null })).status));
  assert.deepEqual(await statuses(), [200, 200]);
  clock.advance({ seconds: 20 });
  assert.deepEqual(await statuses(), [403, 200]);
});

test('a waiting poll ends when its token expires', async (t) => {
  const server = await running(t);
  const { token } = await server.chat.tokens.create({ user: server.owner, ttlSeconds: 2 });
  const { queue_id } = (await use(server, token, 'POST', '/register', { form: { event_types: '["message"]' } })).body;
  const start = performance.now();
  let answer = await use(server, token, 'GET', `/events?queue_id=${queue_id}&last_event_id=-1`);
  // A timer may be early by a millisecond. The poll then ends with a heartbeat.
  if (answer.status === 200) answer = await use(server, token, 'GET', `/events?queue_id=${queue_id}&last_event_id=-1`);
  assert.equal(answer.body.code, 'TOKEN_EXPIRED');
  assert.ok(performance.now() - start < 20_000);
});

test('a waiting poll receives no events after the login of the host has ended', async (t) => {
  let isLoggedIn = true;
  const { chat, owner, send } = await running(t, { authenticate: () => (isLoggedIn ? 'olga@example.com' : null) });
  const form = { event_types: '["message"]' };
  const { queue_id } = (await send('POST', '/api/v1/register', { auth: null, form })).body;
  const poll = send('GET', `/api/v1/events?queue_id=${queue_id}&last_event_id=-1`, { auth: null });
  await waiting();
  isLoggedIn = false;
  await chat.as(owner).messages.send({ type: 'direct', to: [owner.user_id], content: 'secret' });
  const { status, body } = await poll;
  assert.deepEqual([status, body.events], [401, undefined]);
});

test('a token is refused with its own code if expired, changed, revoked or of another organization', async (t) => {
  const clock = new ManualClock();
  const server = await withToken(t, {}, { clock });
  const { token, chat, owner } = server;
  const codeOf = async (text: string) => {
    const { status, body, headers } = await use(server, text);
    assert.equal(status, 401);
    assert.equal(headers['www-authenticate'], 'Bearer realm="zulip", error="invalid_token"');
    return body.code;
  };
  const { token: foreign } = await withToken(t);
  assert.equal(await codeOf(foreign), 'TOKEN_FROM_OTHER_ORGANIZATION');
  const longer = token.replace(/\.([0-9]+)\.w\./, (_, until) => `.${Number(until) + 1}.w.`);
  for (const text of [longer, `${token}x`, token.slice(0, -1), token.replace('.t.', '.c.'), 'x', 'x'.repeat(10_000)])
    assert.equal(await codeOf(text), 'TOKEN_INVALID');

  assert.equal((await use(server, token)).status, 200);
  clock.advance({ seconds: 3599 });
  assert.equal((await use(server, token)).status, 200);
  clock.advance({ seconds: 1 });
  assert.equal(await codeOf(token), 'TOKEN_EXPIRED');

  const { token: next } = await chat.tokens.create({ user: owner });
  assert.equal((await use(server, next)).status, 200);
  await chat.as(owner).users.regenerateApiKey();
  assert.equal(await codeOf(next), 'TOKEN_REVOKED');
});

test('deactivation and a new API key end requests and streams of a token', async (t) => {
  const server = await running(t);
  const { chat, owner, port } = server;
  const { user_id } = await chat.as(owner).users.create({ email: 'ben@example.com', full_name: 'Ben' });
  for (const end of [
    () => chat.as(user_id).users.regenerateApiKey(),
    () => chat.as(owner).users.deactivate({ user_id }),
  ]) {
    const { token } = await chat.tokens.create({ user: user_id });
    const { queue_id } = (await use(server, token, 'POST', '/register', { form: { event_types: '["message"]' } })).body;
    const path = `/api/v1/events/stream?queue_id=${queue_id}`;
    const stream = await openStream(t, { port, path, headers: { authorization: `Bearer ${token}` } });
    await end();
    await chat.as(owner).messages.send({ type: 'direct', to: [owner.user_id], content: 'wakes the stream' });
    const [last] = await stream.next(1);
    assert.equal(last?.data.result, 'error');
    assert.equal((await use(server, token)).status, 401);
  }
  await assert.rejects(chat.tokens.create({ user: user_id }), { code: 'UNAUTHORIZED' });
});

test('a token is revoked by its ID, and all tokens and browser logins together', async (t) => {
  const server = await running(t);
  const { chat, owner, port } = server;
  const [first, second, third] = await Promise.all([1, 2, 3].map(() => chat.tokens.create({ user: owner })));
  assert.ok(first && second && third);
  const { queue_id } = (await use(server, first.token, 'POST', '/register', { form: { event_types: '["message"]' } }))
    .body;
  const path = `/api/v1/events/stream?queue_id=${queue_id}`;
  const stream = await openStream(t, { port, path, headers: { authorization: `Bearer ${first.token}` } });
  assert.equal((await use(server, second.token)).status, 200);

  await chat.tokens.revoke({ user: owner, id: first.token_id });
  const [last] = await stream.next(1);
  assert.equal(last?.data.code, 'TOKEN_REVOKED');
  const codes = async () =>
    Promise.all([first, second, third].map(async ({ token }) => (await use(server, token)).body.code));
  assert.deepEqual(await codes(), ['TOKEN_REVOKED', undefined, undefined]);

  const ended = await use(server, second.token, 'DELETE', `/tokens?token_id=${third.token_id}`);
  assert.equal(ended.body.code, 'TOKEN_NOT_ALLOWED');
  const byKey = await server.send('DELETE', `/api/v1/tokens?token_id=${second.token_id}`);
  assert.equal(byKey.status, 200);
  assert.deepEqual(await codes(), ['TOKEN_REVOKED', 'TOKEN_REVOKED', undefined]);
  await chat.tokens.revoke({ user: owner });
  assert.deepEqual(await codes(), ['TOKEN_REVOKED', 'TOKEN_REVOKED', 'TOKEN_REVOKED']);
  assert.equal((await server.send('GET', '/api/v1/users/me')).status, 200);
  assert.equal((await use(server, (await chat.tokens.create({ user: owner })).token)).status, 200);
});

test('the hundred-and-first revoked token revokes all', async (t) => {
  const clock = new ManualClock();
  const server = await running(t, {}, { clock });
  const { chat, owner } = server;
  const { token } = await chat.tokens.create({ user: owner, ttlSeconds: 86_400 });
  const end = async (count: number) => {
    for (let ended = 0; ended < count; ended++) {
      const { token_id } = await chat.tokens.create({ user: owner, ttlSeconds: 60 });
      await chat.tokens.revoke({ user: owner, id: token_id });
    }
  };
  await end(99);
  clock.advance({ seconds: 60 });
  await end(100);
  assert.equal((await use(server, token)).status, 200);
  await end(1);
  assert.equal((await use(server, token)).body.code, 'TOKEN_REVOKED');
});

test('the secrets of the host sign tokens, and can be rotated', async (t) => {
  const [old, next] = ['o'.repeat(32), 'n'.repeat(32)] as const;
  const folder = await mkdtemp(join(tmpdir(), 'tokens-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const storage = () => sqlite(join(folder, 'chat.db'));
  const tokens: string[] = [];
  for (const [loginSecrets, expected] of [
    [[old], []],
    [[next, old], [200]],
    [[next], [401, 200]],
    [[], [401, 401, 401]],
  ] as const) {
    const chat = await openChat({ storage: storage(), loginSecrets });
    const user = { email: 'ada@example.com', full_name: 'Ada' };
    if (!(await chat.hasOrganization())) await chat.createOrganization({ name: 'Docs', owner: user });
    const { url, close } = await serve(chat, { port: 0 });
    const site = `${url}/api/v1/users/me`;
    const ask = async (token: string) => (await fetch(site, { headers: { authorization: `Bearer ${token}` } })).status;
    assert.deepEqual(await Promise.all(tokens.map(ask)), expected);
    tokens.push((await chat.tokens.create({ user: user.email })).token);
    assert.equal(await ask(tokens.at(-1) ?? ''), 200);
    await close();
    await chat.close();
  }
  for (const loginSecrets of [['short'], Array(11).fill(old)])
    await assert.rejects(openChat({ storage: storage(), loginSecrets }), {
      name: 'TypeError',
      message: /loginSecrets/,
    });
});

test('a page of any site uses a token, but neither a cookie nor an API key', async (t) => {
  const server = await withToken(t, { trustedOrigins: ['https://app.example.com'] });
  const { send, token } = server;
  const asked = await send('OPTIONS', '/api/v1/messages', {
    auth: null,
    headers: {
      origin: ELSEWHERE,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    },
  });
  assert.equal(asked.status, 204);
  assert.equal(asked.headers['access-control-allow-origin'], '*');
  assert.equal(asked.headers['access-control-allow-credentials'], undefined);
  const page = { origin: ELSEWHERE, 'sec-fetch-site': 'cross-site' };
  const used = await use(server, token, 'POST', '/messages/render', { headers: page, form: { content: 'x' } });
  assert.equal(used.status, 200);
  assert.equal(used.headers['access-control-allow-origin'], '*');
  assert.equal(used.headers['access-control-allow-credentials'], undefined);
  assert.match(String(used.headers['access-control-expose-headers']), /Retry-After/);
  const expired = await use(server, `${token}x`, 'GET', '/users/me', { headers: page });
  assert.deepEqual([expired.body.code, expired.headers['access-control-allow-origin']], ['TOKEN_INVALID', '*']);
  const byKey = await send('POST', '/api/v1/messages/render', { headers: page, form: { content: 'x' } });
  assert.deepEqual([byKey.body.code, byKey.headers['access-control-allow-origin']], ['CSRF_FAILED', undefined]);
  const anonymous = await send('GET', '/api/v1/server_settings', { auth: null, headers: page });
  assert.equal(anonymous.headers['access-control-allow-origin'], undefined);
  // An address with a secret works without a login.
  const file = await send('GET', '/user_uploads/temporary/secret/a.txt', { auth: null, headers: page });
  assert.deepEqual([file.status, file.headers['access-control-allow-origin']], [403, '*']);
  const trusted = await use(server, token, 'GET', '/users/me', { headers: { origin: 'https://app.example.com' } });
  assert.equal(trusted.headers['access-control-allow-origin'], 'https://app.example.com');
});
