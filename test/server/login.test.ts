import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type ChatOptions, localFiles, openChat, sqlite } from '../../lib/index.ts';
import { transportOf } from '../../lib/internal.ts';
import {
  createServer as createChatServer,
  fetchHandler,
  requestListener,
  type ServeOptions,
} from '../../server/index.ts';
import type { DemoLogin, ListenerOptions } from '../../server/options.ts';
import { databasePath } from '../examples/folder.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { png } from '../world/pictures.ts';
import { type Answer, listening, type Running, running, send as sendTo } from './running.ts';

const PASSWORD = 'a long password';
const CREDENTIALS = { email: 'olga@example.com', password: PASSWORD };
const APP_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
  "media-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; " +
  "require-trusted-types-for 'script'; trusted-types parlance";

type Send = Running['send'];

/** Name and value of the cookie that a response sets. */
function cookieOf({ headers }: Answer): string {
  const [cookie = ''] = (headers['set-cookie']?.[0] ?? '').split(';');
  return cookie;
}

const logIn = (send: Send, form: Record<string, string> = CREDENTIALS, headers = {}, path = '/login') =>
  send('POST', path, { auth: null, form, headers });

async function loggedIn(t: TestContext, options: ServeOptions = {}, chatOptions: Partial<ChatOptions> = {}) {
  const server = await running(t, options, chatOptions);
  const cookie = cookieOf(await logIn(server.send, CREDENTIALS, {}, `${options.prefix ?? ''}/login`));
  return { ...server, cookie, me: () => meOf(server.send, cookie) };
}

const meOf = async (send: Send, cookie: string, path = '/api/v1/users/me') =>
  (await send('GET', path, { auth: null, headers: { cookie } })).status;

test('browsers can install the web app, whose manifest and icons need no login', async (t) => {
  const { send, chat } = await running(t, { prefix: '/chat' });
  await chat.system().organization.edit({ name: 'Elsinore' });
  const { body, headers } = await send('GET', '/chat/manifest.webmanifest', { auth: null });
  assert.equal(headers['content-type'], 'application/manifest+json');
  assert.deepEqual([body.name, body.start_url, body.scope, body.display], ['Elsinore', './', './', 'standalone']);
  for (const { src, sizes } of body.icons) {
    const icon = await send('GET', `/chat/${src.slice(2)}`, { auth: null });
    assert.deepEqual([icon.status, icon.headers['content-type']], [200, 'image/png'], sizes);
  }
  const without = await running(t, { web: false });
  assert.equal((await without.send('GET', '/manifest.webmanifest', { auth: null })).status, 404);
});

test('the login page, the page of the app and its manifest show the icon of the organization', async (t) => {
  const { send, chat, owner, cookie } = await loggedIn(t, { prefix: '/chat' });
  const { icon_url } = await chat.as(owner.user_id).organization.uploadIcon({ file: png });
  const medium = icon_url.replace('.png', '-medium.png');
  const served = await send('GET', icon_url, { auth: null });
  assert.deepEqual([served.status, served.headers['content-type']], [200, 'image/png']);
  assert.match(String(served.headers['cache-control']), /immutable/);
  assert.match(String(served.headers['content-security-policy']), /sandbox/);
  const login = await send('GET', '/chat/login', { auth: null });
  assert.ok(login.text.includes(`<img class="icon" src="${icon_url}" alt=""`));
  assert.match(String(login.headers['content-security-policy']), /img-src data: 'self';/);
  const app = await send('GET', '/chat/', { auth: null, headers: { cookie } });
  assert.ok(app.text.includes(`<link rel="icon" href="${icon_url}">`));
  assert.ok(app.text.includes(`<link rel="apple-touch-icon" href="${medium}">`));
  const manifest = await send('GET', '/chat/manifest.webmanifest', { auth: null });
  assert.deepEqual(
    manifest.body.icons.map(({ src }: { src: string }) => src),
    [icon_url, medium],
  );
  await chat.as(owner.user_id).organization.removeIcon();
  assert.equal((await send('GET', icon_url, { auth: null })).status, 404);
  assert.doesNotMatch((await send('GET', '/chat/login', { auth: null })).text, /<img/);
});

test('the right password logs in: the cookie opens the app and is a login for the API', async (t) => {
  const { send, owner } = await running(t);
  const before = await send('GET', '/', { auth: null });
  assert.deepEqual([before.status, before.headers.location], [302, 'login']);
  const page = await send('GET', '/login', { auth: null });
  assert.equal(page.status, 200);
  assert.match(page.text, /Log in to Harbour &#38; Sons/);
  assert.doesNotMatch(page.text, /<script|demo/);

  const answer = await logIn(send);
  assert.deepEqual([answer.status, answer.headers.location], [303, 'login?entered']);
  assert.match(
    String(answer.headers['set-cookie']),
    /^parlance=[\w.-]+; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/,
  );
  const headers = { cookie: `other=1; ${cookieOf(answer)}` };
  const app = await send('GET', '/', { auth: null, headers });
  assert.equal(app.status, 200);
  assert.equal(app.headers['content-security-policy'], APP_POLICY);
  assert.equal(app.headers['cache-control'], 'no-store');
  assert.match(app.text, /<parlance-panel view="app" site="\." push="\.\/service-worker\.js\?app"><\/parlance-panel>/);
  const [, script = ''] = /src="\.(\/static\/panel-[a-z-]+\.\w{8}\.js)"/.exec(app.text) ?? [];
  assert.equal((await send('GET', script, { auth: null })).headers['content-type'], 'text/javascript; charset=utf-8');

  assert.equal((await send('GET', '/api/v1/users/me', { auth: null, headers })).body.user_id, owner.user_id);
  const sent = { type: 'direct', to: `[${owner.user_id}]`, content: 'Hello' };
  const own = { ...headers, 'sec-fetch-site': 'same-origin' };
  assert.equal((await send('POST', '/api/v1/messages', { auth: null, headers: own, form: sent })).status, 200);
  for (const path of ['/login', '/login?entered']) {
    assert.equal((await send('GET', path, { auth: null, headers })).headers.location, './');
  }
});

test('the login page says so when the browser has not kept the cookie', async (t) => {
  const { send } = await running(t);
  const { status, text } = await send('GET', '/login?entered', { auth: null });
  assert.equal(status, 400);
  assert.match(text, /This browser blocks cookies/);
});

test('a wrong password is refused and counted, like fetch_api_key', async (t) => {
  const { send, chat, owner } = await running(t);
  for (let attempt = 0; attempt < 3; attempt++) {
    const { status, text, headers } = await logIn(send, { ...CREDENTIALS, password: 'wrong' });
    assert.equal(status, 400);
    assert.match(text, /The user name or the password is wrong\./);
    assert.match(text, /value="olga@example\.com"/);
    assert.doesNotMatch(text, /value="wrong"/);
    assert.equal(headers['set-cookie'], undefined);
  }
  const form = { username: owner.email, password: 'wrong' };
  for (let attempt = 0; attempt < 2; attempt++) await send('POST', '/api/v1/fetch_api_key', { auth: null, form });
  const { status, text, headers } = await logIn(send);
  assert.equal(status, 429);
  assert.match(text, /Too many attempts/);
  assert.ok(Number(headers['retry-after']) > 0);
  const refused = (await chat.auditLog({ action: 'fetchApiKey' })).filter((entry) => entry.status === 401);
  assert.equal(
    refused.reduce((sum, { times }) => sum + times, 0),
    5,
  );
  assert.deepEqual([refused[0]?.user_id, refused[0]?.client], [owner.user_id, 'website']);
});

test('an API key logs in; a wrong one is refused and counted', async (t) => {
  const { send, chat, owner } = await running(t, { rateLimits: { refused_by_ip: { seconds: 60, max: 1 } } });
  const byKey = (api_key: string) => logIn(send, { key_email: owner.email, api_key });
  const answer = await byKey(owner.api_key);
  assert.equal(answer.status, 303);
  assert.equal(await meOf(send, cookieOf(answer)), 200);
  const wrong = await byKey('A'.repeat(32));
  assert.equal(wrong.status, 400);
  assert.match(wrong.text, /does not belong to this e-mail address/);
  assert.match(wrong.text, /<details open>/);
  assert.equal((await byKey('A'.repeat(32))).status, 429);
  assert.equal((await byKey(owner.api_key)).status, 303);
  assert.ok((await chat.auditLog({ action: 'authenticate' })).length > 0);
});

test('logging out removes the cookie, and invalidates copies of it', async (t) => {
  const { send, cookie, chat, owner } = await loggedIn(t, { prefix: '/chat' });
  assert.match((await send('GET', '/chat/logout', { auth: null })).text, /<form method="post"/);
  const { status, headers } = await send('POST', '/chat/logout', { auth: null, headers: { cookie }, form: {} });
  assert.deepEqual([status, headers.location], [303, 'login']);
  assert.equal(String(headers['set-cookie']), 'parlance=; Path=/chat; Max-Age=0; HttpOnly; SameSite=Lax');
  const copied = await send('GET', '/chat/api/v1/users/me', { auth: null, headers: { cookie } });
  assert.equal(copied.status, 401);
  const again = await send('POST', '/chat/logout', { auth: null, headers: { cookie }, form: {} });
  assert.equal(again.status, 303);
  assert.equal((await chat.as(owner).users.me()).user_id, owner.user_id);
});

test('a new login in a browser ends the previous one, from the login page and from an invitation', async (t) => {
  const { send, chat, owner, cookie, me } = await loggedIn(t);
  const other = cookieOf(await logIn(send));
  assert.equal(await me(), 200, 'another browser');
  const { invite_link = '' } = await chat.as(owner).invites.createMultiuse();
  const join = new URL(invite_link).pathname;
  const values = { email: 'ben@example.com', full_name: 'Ben', password: 'another long password' };
  const joined = await send('POST', join, { auth: null, headers: { cookie: other }, form: values });
  assert.equal(await meOf(send, cookieOf(joined)), 200, joined.text);
  assert.equal(await meOf(send, other), 401);
  assert.equal(await me(), 200);
  assert.equal(await meOf(send, cookieOf(await logIn(send, CREDENTIALS, { cookie }))), 200);
  assert.equal(await me(), 401);
});

test('a new API key, a new password and deactivation end the cookie at once', async (t) => {
  const ends = {
    'a new API key': ({ chat, owner }: Running) => chat.as(owner).users.regenerateApiKey(),
    'a new password': ({ chat, owner }: Running) =>
      chat.as(owner).settings.edit({ old_password: PASSWORD, new_password: 'another long password' }),
    'a password set by an owner, who keeps the API key': ({ chat, owner }: Running) =>
      chat.as(owner).users.setPassword({ user_id: owner.user_id, password: 'the third password', keep_api_key: true }),
    deactivation: async ({ chat, owner }: Running) => {
      const { user_id } = await chat
        .as(owner)
        .users.create({ email: 'ben@example.com', full_name: 'Ben', password: PASSWORD });
      await chat.as(owner).users.edit({ user_id, role: 100 });
      await chat.as(user_id).users.deactivate({ user_id: owner.user_id });
    },
  };
  for (const [name, end] of Object.entries(ends)) {
    const server = await loggedIn(t);
    assert.equal(await server.me(), 200, name);
    await end(server);
    assert.equal(await server.me(), 401, name);
    const { body } = await server.send('GET', '/api/v1/users/me', { auth: null, headers: { cookie: server.cookie } });
    assert.equal(body.reason, name === 'deactivation' ? 'deactivated' : undefined, name);
    const { headers } = await server.send('GET', '/', { auth: null, headers: { cookie: server.cookie } });
    assert.equal(headers.location, 'login', name);
    assert.equal((await server.send('GET', '/login', { auth: null, headers: { cookie: server.cookie } })).status, 200);
  }
});

test('a cookie is no login if expired, changed, of another organization, or a token', async (t) => {
  const clock = new ManualClock();
  const { send, cookie, me, owner, chat } = await loggedIn(t, {}, { clock });
  const other = await loggedIn(t);
  const { token } = await chat.tokens.create({ user: owner });
  const changed = cookie.replace(/\.([0-9]+)\.w\./, (_, until) => `.${Number(until) + 1}.w.`);
  for (const wrong of [changed, other.cookie, `parlance=${token}`, `${cookie}x`, 'parlance=', 'parlance=x', '=;;'])
    assert.equal(await meOf(send, wrong), 401, wrong);
  assert.equal(await me(), 200);
  clock.advance({ days: 30, seconds: -1 });
  assert.equal(await me(), 200);
  clock.advance({ seconds: 1 });
  assert.equal(await me(), 401);
});

test('over TLS the cookie is __Host-, below a prefix __Secure- with the path of the prefix', async (t) => {
  const setBy = async (serving: ListenerOptions, baseUrl: string, headers = {}) => {
    const { send } = await running(t, serving, { baseUrl });
    const { headers: got } = await logIn(send, CREDENTIALS, headers, `${serving.prefix ?? ''}/login`);
    const cookie = String(got['set-cookie']);
    const status = await send('GET', `${serving.prefix ?? ''}/api/v1/users/me`, {
      auth: null,
      headers: { ...headers, cookie: cookie.split(';')[0] as string },
    });
    return [cookie.replace(/=parlance[\w.-]+/, ''), status.status];
  };
  const rest = 'Max-Age=2592000; HttpOnly; SameSite=Lax';
  assert.deepEqual(await setBy({}, 'https://chat.example.com'), [`__Host-parlance; Path=/; ${rest}; Secure`, 200]);
  assert.deepEqual(await setBy({ prefix: '/chat' }, 'https://example.com/chat'), [
    `__Secure-parlance; Path=/chat; ${rest}; Secure`,
    200,
  ]);
  assert.deepEqual(await setBy({ prefix: '/chat' }, 'http://example.com/chat'), [`parlance; Path=/chat; ${rest}`, 200]);
  const forwarded = { 'x-forwarded-proto': 'https' };
  assert.deepEqual(await setBy({ trustProxy: 1 }, 'http://x.example', forwarded), [
    `__Host-parlance; Path=/; ${rest}; Secure`,
    200,
  ]);
  assert.deepEqual(await setBy({}, 'http://x.example', forwarded), [`parlance; Path=/; ${rest}`, 200]);
});

test('the cookie has the path where Express has mounted the listener', async (t) => {
  const { chat } = await running(t);
  const listener = requestListener(chat);
  const port = await listening(
    t,
    createServer((req, res) => {
      const [, baseUrl, url] = /^(\/chat)(\/.*)$/.exec(req.url ?? '') ?? [];
      listener(Object.assign(req, { baseUrl, url }), res);
    }),
  );
  const { headers } = await logIn((...given) => sendTo(port, ...given), CREDENTIALS, {}, '/chat/login');
  assert.match(String(headers['set-cookie']), /^parlance=[\w.-]+; Path=\/chat; /);
});

test('a form of another site changes nothing with the cookie, and cannot log in or out', async (t) => {
  const { send, cookie, state, owner } = await loggedIn(t);
  const before = await state();
  const message = { type: 'direct', to: `[${owner.user_id}]`, content: 'forged' };
  const foreign: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    { 'sec-fetch-site': 'same-site', origin: 'https://evil.example.com' },
    { origin: 'null' },
  ];
  for (const from of foreign) {
    const headers = { cookie, ...from };
    const post = (path: string, more: object) => send('POST', path, { auth: null, headers, ...more });
    assert.equal((await post('/api/v1/messages', { form: message })).body.code, 'CSRF_FAILED');
    const multipart = { ...headers, 'content-type': 'multipart/form-data; boundary=x' };
    const body = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nx\r\n--x--\r\n';
    assert.equal((await post('/api/v1/user_uploads', { headers: multipart, body })).body.code, 'CSRF_FAILED');
    const tus = { ...headers, 'tus-resumable': '1.0.0', 'upload-length': '1' };
    assert.equal((await post('/api/v1/tus', { headers: tus })).status, 403);
    assert.equal((await post('/login', { form: CREDENTIALS })).status, 403);
    const out = await post('/logout', { form: {} });
    assert.deepEqual([out.status, out.headers['set-cookie']], [403, undefined]);
  }
  assert.deepEqual(await state(), before);
  const read = await send('GET', '/api/v1/users/me', {
    auth: null,
    headers: { cookie, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
  });
  assert.equal(read.headers['access-control-allow-origin'], undefined);
});

test('the cookie uploads a file, also in parts, and reads it', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'login-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const { send, cookie } = await loggedIn(t, {}, { files: localFiles(folder) });
  const own = { cookie, 'sec-fetch-site': 'same-origin' };
  const body = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nwhole\r\n--x--\r\n';
  const headers = { ...own, 'content-type': 'multipart/form-data; boundary=x' };
  const { url } = (await send('POST', '/api/v1/user_uploads', { auth: null, headers, body })).body;
  assert.equal((await send('GET', url, { auth: null, headers: { cookie } })).text, 'whole');
  assert.equal((await send('GET', url, { auth: null })).status, 401);

  const tus = { ...own, 'tus-resumable': '1.0.0' };
  const begun = await send('POST', '/api/v1/tus', { auth: null, headers: { ...tus, 'upload-length': '5' } });
  const place = new URL(String(begun.headers.location)).pathname;
  const part = { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
  const ended = await send('PATCH', place, { auth: null, headers: part, body: 'parts' });
  assert.equal(ended.status, 200);
  assert.equal((await send('GET', ended.body.url, { auth: null, headers: { cookie } })).text, 'parts');
});

test('with the login of the host, there is no login page, and no cookie of it counts', async (t) => {
  const { cookie } = await loggedIn(t);
  let user: string | null = null;
  const { send } = await running(t, { authenticate: () => user, loginUrl: 'https://example.com/login' });
  assert.equal((await send('GET', '/login', { auth: null })).status, 404);
  assert.equal((await logIn(send)).status, 404);
  assert.equal(await meOf(send, cookie), 401);
  const sent = await send('GET', '/', { auth: null });
  assert.deepEqual([sent.status, sent.headers.location], [302, 'https://example.com/login']);
  user = 'olga@example.com';
  assert.equal((await send('GET', '/', { auth: null })).status, 200);
  user = 'stranger@example.com';
  assert.equal((await send('GET', '/', { auth: null })).status, 302);

  const without = await running(t, { authenticate: () => null });
  const page = await without.send('GET', '/', { auth: null });
  assert.equal(page.status, 401);
  assert.match(page.text, /You are not logged in/);
});

test('the link of a demo logs in once, within an hour, and its login page offers its accounts', async (t) => {
  const clock = new ManualClock();
  const lines: object[] = [];
  const logger = { debug() {}, info: (data: object) => void lines.push(data), warn() {}, error() {} };
  const chat = await openChat({ storage: sqlite(':memory:'), clock });
  t.after(() => chat.close());
  const olga = await chat.createOrganization({ name: 'Demo', owner: { email: 'olga@example.com', full_name: 'Olga' } });
  const demoAccounts = [{ user_id: olga.user_id, full_name: 'Olga', role: 'owner' }];
  const server = createChatServer(chat, { demoAccounts, logger });
  const port = await listening(t, server);
  const send: Send = (method, path, options) => sendTo(port, method, path, { auth: null, ...options });

  const link = server.makeDemoLink() ?? '';
  assert.match(link, /^\/login\/[\w-]{24}$/);
  const head = await send('HEAD', link);
  assert.deepEqual(
    [head.status, head.headers.location, head.headers['set-cookie']],
    [303, '../login?entered', undefined],
  );
  const answer = await send('GET', link);
  assert.deepEqual([answer.status, answer.headers.location], [303, '../login?entered']);
  assert.equal(await meOf(send, cookieOf(answer)), 200);
  const again = await send('GET', link);
  assert.equal(again.status, 404);
  assert.match(again.text, /This link does not work/);
  assert.doesNotMatch(JSON.stringify(lines), new RegExp(link.slice(7)));

  const late = server.makeDemoLink() ?? '';
  clock.advance({ hours: 1 });
  assert.equal((await send('GET', late)).status, 404);

  assert.match((await send('GET', '/login')).text, new RegExp(`<button name="demo" value="${olga.user_id}">Olga`));
  const button = await logIn(send, { demo: String(olga.user_id) });
  assert.equal(await meOf(send, cookieOf(button)), 200);
  assert.equal((await logIn(send, { demo: '2' })).status, 400);
});

test('the login page of a demo offers no deactivated account', async (t) => {
  const demoAccounts: DemoLogin[] = [];
  const { send, chat, owner } = await running(t, { demoAccounts });
  const { user_id } = await chat.as(owner).users.create({ email: 'ben@example.com', full_name: 'Ben' });
  demoAccounts.push({ user_id: owner.user_id, full_name: 'Olga', role: 'owner' });
  demoAccounts.push({ user_id, full_name: 'Ben', role: 'member' });
  const offered = async () => [
    ...(await send('GET', '/login', { auth: null })).text.matchAll(/name="demo" value="(\d+)"/g),
  ];
  assert.equal((await offered()).length, 2);
  await chat.as(owner).users.deactivate({ user_id });
  assert.deepEqual(
    (await offered()).map(([, id]) => Number(id)),
    [owner.user_id],
  );
});

test('without demo accounts, no account logs in without a password', async (t) => {
  const { send, owner } = await running(t);
  assert.equal((await logIn(send, { demo: String(owner.user_id) })).status, 400);
  assert.equal((await send('GET', '/login/0123456789abcdefghijklmn', { auth: null })).status, 404);
});

test('web false turns off the app, the login page and its cookie', async (t) => {
  const { cookie } = await loggedIn(t);
  const { send } = await running(t, { web: false });
  assert.match((await send('GET', '/', { auth: null })).text, /This is a team chat server/);
  for (const path of ['/login', '/logout', '/static/panel.js', '/static/content.css'])
    assert.equal((await send('GET', path, { auth: null })).status, 404, path);
  assert.equal(await meOf(send, cookie), 401);
  assert.equal((await send('GET', '/static/emoji.json', { auth: null })).status, 200);
});

test('the cookie of one process is a login in another', async (t) => {
  const path = await databasePath(t);
  const [one, other] = [await openChat({ storage: sqlite(path) }), await openChat({ storage: sqlite(path) })];
  t.after(() => Promise.all([one.close(), other.close()]));
  const olga = { email: CREDENTIALS.email, full_name: 'Olga', password: PASSWORD };
  const { user_id } = await one.createOrganization({ name: 'Two', owner: olga });
  const ports = [];
  for (const chat of [one, other]) ports.push(await listening(t, createServer(requestListener(chat))));
  const [first, second] = ports.map(
    (port): Send =>
      (method, path, options) =>
        sendTo(port, method, path, { auth: null, ...options }),
  ) as [Send, Send];
  const cookie = cookieOf(await logIn(first));
  assert.equal(await meOf(second, cookie), 200);
  await one.as(user_id).users.regenerateApiKey();
  assert.equal(await meOf(second, cookie), 401);
});

test('fetchHandler logs in with the cookie, below its prefix', async (t) => {
  const chat = await openChat({ storage: sqlite(':memory:') });
  t.after(() => chat.close());
  const olga = { email: CREDENTIALS.email, full_name: 'Olga', password: PASSWORD };
  await chat.createOrganization({ name: 'Fetch', owner: olga });
  const handler = fetchHandler(chat, { prefix: '/chat' });
  const site = 'https://app.example.com/chat';
  const answer = await handler(
    new Request(`${site}/login`, { method: 'POST', body: new URLSearchParams(CREDENTIALS), redirect: 'manual' }),
  );
  assert.equal(answer.status, 303);
  const [cookie = ''] = String(answer.headers.get('set-cookie')).split(';');
  assert.match(cookie, /^__Secure-parlance=/);
  const ask = (path: string) => handler(new Request(site + path, { headers: { cookie } }));
  assert.equal((await ask('/api/v1/users/me')).status, 200);
  assert.equal((await ask('/')).status, 200);
  const moved = await ask('');
  assert.deepEqual([moved.status, moved.headers.get('location')], [302, 'chat/']);
});

test('a token of 100,000 characters is refused with TOKEN_INVALID', async (t) => {
  const { chat } = await running(t);
  await assert.rejects(transportOf(chat).checkLogin('token', 'x'.repeat(100_000)), { code: 'TOKEN_INVALID' });
});
