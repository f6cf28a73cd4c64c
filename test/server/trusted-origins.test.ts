import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openChat, sqlite } from '../../lib/index.ts';
import { fetchHandler, requestListener } from '../../server/index.ts';
import { running } from './running.ts';

const APP = 'https://app.example.com';
const PREFLIGHT = {
  'access-control-request-method': 'PATCH',
  'access-control-request-headers': 'content-type, authorization',
};
const WITHOUT_KEY = { ...PREFLIGHT, 'access-control-request-headers': 'content-type' };

test('a page of a trusted origin may send requests with credentials and read responses', async (t) => {
  const { send } = await running(t, { trustedOrigins: [APP, 'capacitor://localhost'] });
  for (const path of ['/api/v1/users/me', '/api/v1/tus', '/user_uploads/1/x']) {
    const asked = await send('OPTIONS', path, { auth: null, headers: { origin: APP, ...PREFLIGHT } });
    assert.equal(asked.status, 204);
    assert.equal(asked.headers['access-control-allow-origin'], APP);
    assert.equal(asked.headers['access-control-allow-credentials'], 'true');
    assert.match(String(asked.headers['access-control-allow-methods']), /\bPATCH\b/);
    assert.match(String(asked.headers['access-control-allow-headers']), /Authorization, Content-Type/);
  }
  const answer = await send('GET', '/api/v1/users/me', { headers: { origin: 'capacitor://localhost' } });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers['access-control-allow-origin'], 'capacitor://localhost');
  assert.equal(answer.headers.vary, 'Origin');
  for (const name of ['Retry-After', 'X-RateLimit-Remaining', 'Upload-Offset'])
    assert.ok(String(answer.headers['access-control-expose-headers']).includes(name), name);
  // The page can also read refusals.
  const refused = await send('GET', '/api/v1/users/me', { auth: null, headers: { origin: APP } });
  assert.deepEqual([refused.status, refused.headers['access-control-allow-origin']], [401, APP]);
});

test('pages of other origins receive no CORS headers', async (t) => {
  const { send } = await running(t, { trustedOrigins: [APP] });
  for (const origin of ['https://elsewhere.example', 'null', `${APP}.evil.example`, APP.toUpperCase()]) {
    for (const method of ['OPTIONS', 'GET'] as const) {
      const { headers } = await send(method, '/api/v1/users/me', { headers: { origin, ...WITHOUT_KEY } });
      assert.deepEqual(
        Object.keys(headers).filter((name) => name.startsWith('access-control-')),
        [],
      );
      assert.equal(headers.vary, 'Origin');
    }
  }
  const open = await send('GET', '/', { headers: { origin: APP } });
  assert.equal(open.headers['access-control-allow-origin'], undefined);
});

test('without trusted origins an OPTIONS response has no Vary header', async (t) => {
  const { send } = await running(t);
  const { headers } = await send('OPTIONS', '/api/v1/users/me', { headers: { origin: APP, ...WITHOUT_KEY } });
  assert.deepEqual([headers.allow !== undefined, headers.vary], [true, undefined]);
});

test('JSON of another site is refused with the login of the host, and of a trusted origin accepted', async (t) => {
  const { send } = await running(t, { authenticate: () => 'olga@example.com', trustedOrigins: [APP] });
  const post = (origin: string) =>
    send('POST', '/api/v1/messages/render', {
      auth: null,
      headers: { origin, 'sec-fetch-site': 'cross-site', 'content-type': 'application/json' },
      body: '{"content":"x"}',
    });
  assert.deepEqual(
    [(await post('https://elsewhere.example')).body.code, (await post(APP)).status],
    ['CSRF_FAILED', 200],
  );
});

test('an invalid origin in trustedOrigins throws when the listener is created', async (t) => {
  const chat = await openChat({ storage: sqlite(':memory:') });
  t.after(() => chat.close());
  for (const wrong of [`${APP}/`, `${APP}/chat`, 'app.example.com', '*', 'HTTPS://APP.example.com']) {
    assert.throws(() => requestListener(chat, { trustedOrigins: [wrong] }), /is not an origin\. Write it like https:/);
    assert.throws(() => fetchHandler(chat, { trustedOrigins: [wrong] }), TypeError);
  }
});
