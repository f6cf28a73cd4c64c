import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import { registered } from '../../lib/internal.ts';
import { namesOfCode } from '../../lib/markdown/inline/emoji.ts';
import { sendPage } from '../../server/pages/page.ts';
import { spoken } from '../../server/pages/reference/fields.ts';
import { UnsentAnswers } from '../../server/unsent-answers.ts';
import { until } from '../support/until.ts';
import { png } from '../world/pictures.ts';
import { listening, running, send } from './running.ts';

test('without the web app, the start page names the organization and leads to the API and its reference', async (t) => {
  const { send } = await running(t, { prefix: '/chat', web: false });
  const { status, headers, text } = await send('GET', '/chat/', { auth: null });
  assert.equal(status, 200);
  assert.equal(headers['content-type'], 'text/html; charset=utf-8');
  assert.match(text, /Harbour &#38; Sons/);
  assert.match(text, /href="\/chat\/api\/docs"/);
});

test('the pages of the reference have no scripts and load nothing', async (t) => {
  const { send } = await running(t, { prefix: '/chat' });
  for (const path of ['', '/messages', '/general', '/event-types', '/initial-state']) {
    const { status, headers, text } = await send('GET', `/chat/api/docs${path}`, { auth: null });
    assert.equal(status, 200);
    assert.match(String(headers['content-security-policy']), /^default-src 'none'; style-src 'sha256-/);
    assert.doesNotMatch(text, /<script|<img|src=/);
    for (const [, target] of text.matchAll(/href="([^"#]+)/g)) assert.match(String(target), /^(\/chat\/|data:,$)/);
  }
  assert.equal((await send('GET', '/chat/api/docs/nothing')).status, 404);
});

test('the reference shows each operation with its parameters, its refusals and a call in each way', async (t) => {
  const { send } = await running(t);
  const { text } = await send('GET', '/api/docs/channels', { auth: null });
  const [, section = ''] = /<section aria-labelledby="channels\.getId">([\s\S]*?)<\/section>/.exec(text) ?? [];
  for (const part of [
    '<h2 id="channels.getId">Get the ID of a channel by its name</h2>',
    '<code>GET /api/v1/get_stream_id</code>',
    '<dt><code>stream</code> <span class="quiet">text, required</span></dt>',
    'curl &#34;$ZULIP_SITE/api/v1/get_stream_id&#34; --get -u',
    'chatctl channels get-id general',
    'await session.channels.getId({ stream: &#39;general&#39; });',
    '<dt><code>stream_id</code>',
    '<li>400: <code>BAD_REQUEST, REQUEST_VARIABLE_MISSING</code></li>',
  ])
    assert.ok(section.includes(part), `${part} is missing in ${section}`);
});

test('the reference summarizes a list of alternatives', async (t) => {
  const { send } = await running(t);
  const { text } = await send('GET', '/api/docs/messages', { auth: null });
  assert.match(
    text,
    /<dt><code>narrow<\/code> <span class="quiet">list of objects or pairs or null, default \[\]<\/span>/,
  );
  assert.match(
    text,
    /Terms that must all match: objects, or pairs like <code>\[&#34;channel&#34;, &#34;general&#34;\]<\/code>/,
  );
});

test('the reference describes every type of event', async (t) => {
  const { send } = await running(t);
  const { text } = await send('GET', '/api/docs/event-types', { auth: null });
  for (const { eventName, summary } of registered.events) {
    assert.ok(text.includes(`id="event.${eventName.replace('/', '.')}"`), eventName);
    assert.ok(text.includes(spoken(summary).text), summary);
  }
});

test('the reference describes the state of every fetch type, and register leads to it', async (t) => {
  const { send } = await running(t, { prefix: '/chat' });
  const { text } = await send('GET', '/chat/api/docs/initial-state', { auth: null });
  for (const type of Object.keys(registered.initialState)) assert.ok(text.includes(`id="state.${type}"`), type);
  assert.match(text, /<dt><code>realm_users<\/code> <span class="quiet">list of objects<\/span>/);
  assert.match(text, /Real e-mail address; null if the caller cannot see it\./);
  const register = (await send('GET', '/chat/api/docs/general', { auth: null })).text;
  assert.match(register, /<code>queue_id[\s\S]*And the <a href="\/chat\/api\/docs\/initial-state">state<\/a>/);
  assert.doesNotMatch(register, /<code>realm_users/);
});

test('the OpenAPI description is served without credentials, can be cached and has its own address', async (t) => {
  const { send } = await running(t, { prefix: '/chat' });
  const { status, headers, body } = await send('GET', '/chat/api/v1/openapi.json', { auth: null });
  assert.equal(status, 200);
  assert.equal(headers['content-type'], 'application/json');
  assert.match(String(headers['cache-control']), /^public, max-age=\d+$/);
  assert.equal(body.openapi, '3.1.0');
  assert.deepEqual(body.servers, [{ url: '/chat/api/v1' }]);
  assert.ok(body.paths['/users/{user_id}'].get);
});

test('the OpenAPI description is generated once for each path', async (t) => {
  const { send } = await running(t);
  const stringify = t.mock.method(JSON, 'stringify');
  const tags = [];
  for (let times = 0; times < 3; times++) tags.push((await send('GET', '/api/v1/openapi.json')).headers.etag);
  const made = stringify.mock.calls.filter(({ result }) => typeof result === 'string' && result.length > 100_000);
  assert.deepEqual([made.length, new Set(tags).size], [1, 1]);
});

test('pages and public images have their own rate limit by address', async (t) => {
  const { send } = await running(t, { rateLimits: { pages_by_ip: { seconds: 60, max: 4 } }, web: false });
  const statuses = async (...paths: string[]) => {
    const got = [];
    for (const path of paths) got.push((await send('GET', path, { auth: null })).status);
    return got;
  };
  assert.deepEqual(await statuses('/', '/api/docs', '/custom_emoji/none', '/user_avatars/none'), [200, 200, 404, 404]);
  const others = ['/', '/api/v1/openapi.json', '/user_avatars/none', '/avatar/7'];
  assert.deepEqual(await statuses(...others), [429, 429, 429, 429]);
  assert.equal((await send('GET', '/api/v1/users/me')).status, 200);
});

test('a client that does not read a large page is disconnected, and receives no other page before', async (t) => {
  const unsent = new UnsentAnswers(2_000);
  const page = { bytes: Buffer.alloc(30 * 1024 * 1024), headers: { 'Content-Type': 'text/plain' } };
  const server = createServer((req, res) => {
    sendPage(req, res, page, (bytes) => unsent.add(res, 'ada', bytes)).catch((error) =>
      res.writeHead(error.status).end(),
    );
  });
  const port = await listening(t, server);
  const reader = connect(port, '127.0.0.1').on('error', () => undefined);
  t.after(() => reader.destroy());
  reader.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(reader, 'data');
  reader.pause();
  assert.equal((await send(port, 'GET', '/')).status, 429);
  await until('the client is disconnected', () => unsent.total === 0);
});

test('pages false turns off the pages and keeps the OpenAPI description', async (t) => {
  const { send } = await running(t, { pages: false });
  assert.equal((await send('GET', '/')).status, 404);
  assert.equal((await send('GET', '/api/docs')).status, 404);
  assert.equal((await send('GET', '/api/v1/openapi.json')).status, 200);
});

test('register names the file with all emoji, which never changes at its address', async (t) => {
  const { send, chat, owner } = await running(t, { prefix: '/chat' }, { baseUrl: 'https://example.com/chat' });
  const { server_emoji_data_url: url } = await chat.as(owner.user_id).register({ fetch_event_types: ['realm'] });
  const { pathname, search } = new URL(String(url));
  const { body, headers } = await send('GET', pathname + search, { auth: null });
  assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
  const names = body.code_to_names as Record<string, string[]>;
  assert.equal(Object.keys(names).length, 1_847);
  assert.deepEqual([names['1f44d'], names['1f389']], [namesOfCode('1f44d'), ['tada']]);
  // A client of another version, for example during an upgrade.
  const other = await send('GET', `${pathname}?v=0`, { auth: null });
  assert.deepEqual([other.status, other.headers['cache-control']], [200, 'public, max-age=86400']);
  assert.deepEqual(other.body, body);
});

test('images of custom emoji are served without login, with immutable caching', async (t) => {
  const { send, chat, owner } = await running(t, { prefix: '/chat' });
  await chat.as(owner.user_id).customEmoji.upload({ emoji_name: 'gruel', file: png });
  const { emoji } = await chat.as(owner.user_id).customEmoji.list();
  const address = emoji['1']?.source_url as string;
  const { status, headers } = await send('GET', address, { auth: null });
  assert.equal(status, 200);
  assert.equal(headers['content-type'], 'image/png');
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.match(String(headers['cache-control']), /immutable/);
  assert.match(String(headers['content-security-policy']), /sandbox/);
  for (const other of ['/chat/custom_emoji/', '/chat/custom_emoji/x.png', `${address}/..`, `${address}x`]) {
    assert.equal((await send('GET', other, { auth: null })).status, 404, other);
  }
});
