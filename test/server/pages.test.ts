import assert from 'node:assert/strict';
import { test } from 'node:test';
import { png } from '../world/pictures.ts';
import { running } from './running.ts';

test('the start page names the organization and leads to the API and its reference', async (t) => {
  const { send } = await running(t, { prefix: '/chat' });
  const { status, headers, text } = await send('GET', '/chat/', { auth: null });
  assert.equal(status, 200);
  assert.equal(headers['content-type'], 'text/html; charset=utf-8');
  assert.match(text, /Harbour &#38; Sons/);
  assert.match(text, /href="\/chat\/api\/docs"/);
});

test('the reference page loads nothing but what the server itself has', async (t) => {
  const { send } = await running(t);
  const page = await send('GET', '/api/docs', { auth: null });
  assert.equal(page.status, 200);
  assert.match(String(page.headers['content-security-policy']), /default-src 'none'; script-src 'self'/);
  assert.doesNotMatch(page.text, /https?:/);
  assert.match(page.text, /load-fonts="false"/);
  const script = await send('GET', '/api/docs/rapidoc-min.js', { auth: null });
  assert.equal(script.status, 200);
  assert.match(String(script.headers['content-type']), /^text\/javascript/);
  assert.ok(script.text.length > 500_000);
});

test('the description is served without credentials, may be cached, and names its own address', async (t) => {
  const { send } = await running(t, { prefix: '/chat' });
  const { status, headers, body } = await send('GET', '/chat/api/v1/openapi.json', { auth: null });
  assert.equal(status, 200);
  assert.equal(headers['content-type'], 'application/json');
  assert.match(String(headers['cache-control']), /^public, max-age=\d+$/);
  assert.equal(body.openapi, '3.1.0');
  assert.deepEqual(body.servers, [{ url: '/chat/api/v1' }]);
  assert.ok(body.paths['/users/{user_id}'].get);
});

test('without pages there is still the description for programs', async (t) => {
  const { send } = await running(t, { pages: false });
  assert.equal((await send('GET', '/')).status, 404);
  assert.equal((await send('GET', '/api/docs')).status, 404);
  assert.equal((await send('GET', '/api/v1/openapi.json')).status, 200);
});

test('pictures of custom emoji are served to anybody, may be kept for ever, and are only ever pictures', async (t) => {
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
