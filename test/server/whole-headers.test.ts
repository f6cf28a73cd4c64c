import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { test } from 'node:test';
import type { ListenerContext } from '../../server/context.ts';
import { uploadedFile } from '../../server/pages/pages.ts';
import { RateLimits } from '../../server/rate-limits.ts';
import { UnsentAnswers } from '../../server/unsent-answers.ts';
import { running } from './running.ts';

const ORIGIN = 'https://app.example.com';
const API = {
  'cache-control': 'max-age=0, no-cache, no-store, must-revalidate, private',
  expires: 'Thu, 01 Jan 1970 00:00:00 GMT',
  'x-content-type-options': 'nosniff',
};
const JSON_TYPE = { 'content-type': 'application/json' };
const LIMITED = { 'x-ratelimit-limit': '200', 'x-ratelimit-remaining': '*', 'x-ratelimit-reset': '*' };
/** With an account. */
const OWN = { ...LIMITED, 'parlance-account': '*' };
const ASSET = {
  'cache-control': 'public, max-age=86400',
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  etag: '*',
};
const PAGE = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': '*',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};
const CORS = { 'access-control-allow-origin': ORIGIN, 'access-control-allow-credentials': 'true', vary: 'Origin' };
const PREFLIGHT = {
  'access-control-allow-methods': 'DELETE, GET, HEAD, PATCH, POST, PUT',
  'access-control-allow-headers':
    'Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, Parlance-Account, Range, Tus-Resumable, Upload-Length, Upload-Metadata, Upload-Offset, User-Agent, X-HTTP-Method-Override',
  'access-control-max-age': '7200',
};
const EXPOSED = {
  'access-control-expose-headers':
    'Allow, Content-Disposition, Content-Range, ETag, Location, Parlance-Account, Parlance-Trial, Retry-After, Tus-Resumable, Upload-Expires, Upload-Length, Upload-Offset, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id',
};
const TUS = { 'tus-resumable': '1.0.0', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
const PRIVATE = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
const anyone = { auth: null };

/** Every header of a kind of response, except those of the connection. `*`: any value. */
const RESPONSES: [request: string, options: object, status: number, headers: Record<string, string>][] = [
  ['GET /api/v1/users/me', {}, 200, { ...API, ...JSON_TYPE, ...OWN, vary: 'Origin' }],
  ['GET /api/v1/users/99', {}, 400, { ...API, ...JSON_TYPE, ...OWN, vary: 'Origin' }],
  [
    'GET /api/v1/server_settings',
    anyone,
    200,
    { ...API, ...JSON_TYPE, ...LIMITED, 'x-ratelimit-limit': '1000', vary: 'Origin' },
  ],
  [
    'GET /api/v1/users/me',
    anyone,
    401,
    { ...API, ...JSON_TYPE, 'www-authenticate': 'Basic realm="zulip"', vary: 'Origin' },
  ],
  ['GET /api/v1/nothing', anyone, 404, { ...API, ...JSON_TYPE, vary: 'Origin' }],
  ['PUT /api/v1/users', {}, 405, { ...API, ...JSON_TYPE, allow: 'GET, HEAD, POST', vary: 'Origin' }],
  ['OPTIONS /api/v1/users', anyone, 204, { ...API, allow: 'GET, HEAD, POST', vary: 'Origin' }],
  [
    'POST /api/v1/users',
    { headers: { origin: 'https://evil.example.com' }, form: { a: '1' } },
    403,
    { ...API, ...JSON_TYPE, vary: 'Origin' },
  ],
  [
    'GET /api/v1/dry_run/users/me',
    {},
    200,
    { ...API, ...JSON_TYPE, ...OWN, vary: 'Origin', 'parlance-trial': 'dry_run' },
  ],
  ['GET /api/v1/users/me', { headers: { origin: ORIGIN } }, 200, { ...API, ...JSON_TYPE, ...OWN, ...CORS, ...EXPOSED }],
  [
    'OPTIONS /api/v1/users',
    { headers: { origin: ORIGIN, 'access-control-request-method': 'POST' } },
    204,
    { ...CORS, ...PREFLIGHT },
  ],
  ['GET /nothing', anyone, 404, { ...API, ...JSON_TYPE }],
  [
    'GET /static/emoji.json?v=0',
    anyone,
    200,
    { ...ASSET, ...JSON_TYPE, 'access-control-allow-origin': '*', vary: 'Accept-Encoding' },
  ],
  ['GET /static/organization-icon.png', anyone, 200, { ...ASSET, 'content-type': 'image/png' }],
  [
    'GET /api/v1/openapi.json',
    anyone,
    200,
    { ...ASSET, ...JSON_TYPE, 'cache-control': 'public, max-age=300', vary: 'Origin, Accept-Encoding' },
  ],
  [
    'GET /api/docs',
    anyone,
    200,
    { ...PAGE, 'cache-control': 'public, max-age=300', etag: '*', vary: 'Accept-Encoding' },
  ],
  ['GET /join/none', anyone, 404, { ...PAGE, 'cache-control': 'no-store', 'x-robots-tag': 'noindex' }],
  [
    'GET /avatar/99',
    {},
    302,
    { location: '*', 'cache-control': 'private, no-cache', vary: 'Authorization', 'x-content-type-options': 'nosniff' },
  ],
  ['GET /user_avatars/nothing.png', anyone, 404, { ...API, ...JSON_TYPE }],
  [
    'OPTIONS /api/v1/tus',
    anyone,
    204,
    {
      ...TUS,
      vary: 'Origin',
      allow: 'OPTIONS, POST',
      'tus-version': '1.0.0',
      'tus-extension': 'creation,creation-with-upload,termination,expiration',
      'tus-max-size': '*',
    },
  ],
  [
    'OPTIONS /api/v1/tus/1/a/b',
    anyone,
    204,
    {
      ...TUS,
      vary: 'Origin',
      allow: 'DELETE, HEAD, OPTIONS, PATCH',
      'tus-version': '1.0.0',
      'tus-extension': 'creation,creation-with-upload,termination,expiration',
      'tus-max-size': '*',
    },
  ],
  ['POST /api/v1/tus', {}, 412, { ...TUS, ...JSON_TYPE, ...OWN, 'tus-version': '1.0.0', vary: 'Origin' }],
  [
    'POST /api/v1/tus',
    { headers: { 'tus-resumable': '1.0.0' } },
    411,
    { ...TUS, ...JSON_TYPE, ...OWN, vary: 'Origin' },
  ],
  [
    'PATCH /api/v1/tus/1/a/b',
    { headers: { 'tus-resumable': '1.0.0' } },
    415,
    { ...TUS, ...JSON_TYPE, ...OWN, vary: 'Origin' },
  ],
  ['GET /api/v1/tus', {}, 405, { ...TUS, ...JSON_TYPE, allow: 'OPTIONS, POST', vary: 'Origin' }],
  ['GET /health', anyone, 200, { ...PRIVATE, ...JSON_TYPE }],
  ['GET /ready', anyone, 200, { ...PRIVATE, ...JSON_TYPE }],
  ['POST /ready', anyone, 405, { ...PRIVATE, ...JSON_TYPE, allow: 'GET, HEAD' }],
  ['GET /metrics', anyone, 404, { ...PRIVATE, ...JSON_TYPE }],
];

test('each kind of response has exactly its headers', async (t) => {
  const { send } = await running(t, { trustedOrigins: [ORIGIN] });
  const problems: unknown[] = [];
  for (const [request, options, status, expected] of RESPONSES) {
    const [method = '', path = ''] = request.split(' ');
    const { status: sent, headers } = await send(method, path, options);
    const {
      date,
      connection,
      'keep-alive': kept,
      'content-length': length,
      'transfer-encoding': coding,
      ...found
    } = headers;
    for (const [name, value] of Object.entries(expected))
      if (value === '*' && found[name] !== undefined) found[name] = '*';
    try {
      assert.deepEqual({ status: sent, ...found }, { status, ...expected });
    } catch (error) {
      problems.push([request, options, (error as Error).message]);
    }
  }
  assert.deepEqual(problems, []);
});

test('an idle connection stays open for 65 s', async (t) => {
  const { send } = await running(t);
  const { headers } = await send('GET', '/health', { headers: { connection: 'keep-alive' } });
  assert.equal(headers['keep-alive'], 'timeout=65');
});

const from = (remoteAddress: string) => ({ headers: {}, socket: { remoteAddress } }) as unknown as IncomingMessage;

test('rate limits without headers have their defaults, for each address or account', async () => {
  const limits = new RateLimits({}, 0);
  const request = from('192.0.2.1');
  const countOf = async (take: () => Promise<unknown>) => {
    for (let count = 0; ; count++)
      if (
        await take().then(
          () => false,
          () => true,
        )
      )
        return count;
  };
  const counts = [
    await countOf(() => limits.takeByAddress(request, 'pages_by_ip')),
    await countOf(() => limits.takeByAddress(request, 'refused_by_ip')),
    await countOf(() => limits.takeByAddress(request, 'sends_email_by_ip')),
    await countOf(() => limits.takeByAddress(request, 'sends_invited_email_by_ip')),
    await countOf(() => limits.take(request, 7, 'files_by_user')),
    await countOf(() => limits.take(request, 7, 'polls_by_user')),
  ];
  assert.deepEqual(counts, [5000, 100, 5, 100, 1000, 200]);
  await limits.takeByAddress(from('192.0.2.2'), 'sends_email_by_ip');
  await limits.take(request, 8, 'files_by_user');
  const scansOf = (userId: number) => {
    const { check, spent } = limits.scansOf(request, userId);
    return { check: check ?? assert.fail, spent: spent ?? ((_: number) => assert.fail()) };
  };
  scansOf(7).spent(19_000);
  await scansOf(7).check();
  scansOf(7).spent(1_000);
  await assert.rejects(async () => scansOf(7).check(), { code: 'RATE_LIMIT_HIT' });
  await scansOf(8).check();
});

test('the caller with the most unread data loses its responses first', () => {
  const MIB = 1024 * 1024;
  const response = () =>
    Object.assign(new EventEmitter(), {
      destroyed: false,
      setTimeout() {},
      destroy() {
        this.destroyed = true;
      },
    });
  const add = (unsent: UnsentAnswers, caller: number, bytes: number) => {
    const res = response();
    unsent.add(res as unknown as ServerResponse, caller, bytes);
    return res;
  };
  const refused = { code: 'RATE_LIMIT_HIT' };
  const unsent = new UnsentAnswers();
  add(unsent, 1, 100 * MIB).emit('close');
  const first = add(unsent, 1, 24 * MIB);
  add(unsent, 1, 24 * MIB);
  assert.throws(() => add(unsent, 1, 1), refused);
  assert.equal(unsent.total, 48 * MIB);
  first.emit('close');
  add(unsent, 1, 24 * MIB);
  // Up to 512 MiB for all.
  const [greedy, modest] = [add(unsent, 2, 400 * MIB), add(unsent, 3, 64 * MIB)];
  assert.equal(unsent.total, 512 * MIB);
  add(unsent, 4, 1);
  assert.deepEqual([greedy.destroyed, modest.destroyed, unsent.total], [true, false, 112 * MIB + 1]);
});

test('browsers show pictures, sound, video, PDF files and plain text, and download everything else', async () => {
  const headersOf = async (content_type: string, path = `/user_uploads/1/a/${'K'.repeat(24)}/a`) => {
    const openUpload = async () => ({ name: 'a', content_type });
    const authentication = { identify: async () => ({ userId: 7 }) };
    const context = { transport: { openUpload }, authentication } as unknown as ListenerContext;
    const { headers } = await uploadedFile(context, path, from('192.0.2.1'));
    return headers;
  };
  const types = {
    image: ['apng', 'avif', 'bmp', 'gif', 'jpeg', 'png', 'webp', 'x-icon'],
    audio: [
      'aac',
      'flac',
      'mp3',
      'mp4',
      'mpeg',
      'ogg',
      'opus',
      'wav',
      'wave',
      'webm',
      'x-aac',
      'x-flac',
      'x-m4a',
      'x-wav',
    ],
    video: ['3gpp', 'mp4', 'mpeg', 'ogg', 'quicktime', 'webm', 'x-m4v', 'x-matroska'],
    application: ['pdf'],
    text: ['plain'],
  };
  const shown = Object.entries(types).flatMap(([kind, ofKind]) => ofKind.map((type) => `${kind}/${type}`));
  const others = [
    'image/svg+xml',
    'text/html',
    'text/xml',
    'text/css',
    'application/javascript',
    'application/xhtml+xml',
    'application/octet-stream',
    '',
  ];
  for (const type of [...shown, ...others]) {
    const headers = await headersOf(type);
    const isShown = shown.includes(type);
    assert.equal(headers['Content-Disposition'], `${isShown ? 'inline' : 'attachment'}; filename=a`, type);
    assert.equal(headers['Content-Type'], type === 'text/plain' ? 'text/plain; charset=utf-8' : type);
    assert.equal(headers['Cache-Control'], 'private, no-cache');
    assert.equal(headers.Vary, 'Authorization, Cookie, Origin');
    const policy = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'";
    const expected = type === 'application/pdf' ? `${policy}; object-src 'self'` : `sandbox; ${policy}`;
    assert.equal(headers['Content-Security-Policy'], expected, type);
  }
  const download = await headersOf('image/png', `/user_uploads/download/1/a/${'K'.repeat(24)}/a`);
  assert.match(download['Content-Disposition'] ?? '', /^attachment/);
});
