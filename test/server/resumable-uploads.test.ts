import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import express from 'express';
import { Upload, type UploadOptions } from 'tus-js-client';
import { type ChatOptions, connect, localFiles } from '../../lib/index.ts';
import { type ListenerOptions, requestListener, type ServeOptions } from '../../server/index.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { until } from '../support/until.ts';
import { cuttingProxy } from './cutting-proxy.ts';
import { basic, listening, type Running, running, type SendOptions } from './running.ts';
import { untilBytes } from './stored-bytes.ts';

const TUS = { 'tus-resumable': '1.0.0' };
const CONTENT = { ...TUS, 'content-type': 'application/offset+octet-stream' };
const base64 = (text: string) => Buffer.from(text).toString('base64');

interface Resumable extends Running {
  /** Files in the store, complete or not. */
  stored(): Promise<number>;
  untilBytes(bytes: number): Promise<void>;
  begin(size: number, metadata?: string, options?: SendOptions): ReturnType<Running['send']>;
  /** Creates an upload and returns its address. */
  begun(size: number, metadata?: string): Promise<string>;
  patch(address: string, offset: number, body: Buffer, options?: SendOptions): ReturnType<Running['send']>;
  head(address: string, options?: SendOptions): ReturnType<Running['send']>;
  fetched(url: string): Promise<Buffer>;
}

async function resumable(
  t: TestContext,
  chatOptions: Partial<ChatOptions> = {},
  options: ServeOptions = {},
): Promise<Resumable> {
  const folder = await mkdtemp(join(tmpdir(), 'resumed-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const served = await running(t, options, { files: localFiles(folder), ...chatOptions });
  const { send, url, auth } = served;
  const begin: Resumable['begin'] = (size, metadata = `filename ${base64('a b.bin')}`, more = {}) =>
    send('POST', '/api/v1/tus', {
      ...more,
      headers: { ...TUS, 'upload-length': String(size), 'upload-metadata': metadata, ...more.headers },
    });
  return {
    ...served,
    begin,
    begun: async (size, metadata) => {
      const { status, headers, text } = await begin(size, metadata);
      assert.equal(status, 201, text);
      return new URL(headers.location ?? '', `${url}/api/v1/tus`).pathname;
    },
    patch: (address, offset, body, more = {}) =>
      send('PATCH', address, {
        ...more,
        body,
        headers: { ...CONTENT, 'upload-offset': String(offset), ...more.headers },
      }),
    head: (address, more = {}) => send('HEAD', address, { ...more, headers: { ...TUS, ...more.headers } }),
    stored: async () =>
      (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).length,
    untilBytes: (bytes) => untilBytes(folder, bytes),
    fetched: async (path) =>
      Buffer.from(await (await fetch(url + path, { headers: { authorization: auth } })).arrayBuffer()),
  };
}

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

test('a resumable upload arrives in pieces and is complete after the last byte', async (t) => {
  const { chat, owner, begin, begun, patch, head, fetched, stored } = await resumable(t);
  const session = chat.as(owner.user_id);
  const queue = await session.register({ event_types: ['attachment'], fetch_event_types: [] });
  const first = await begin(10);
  assert.equal(first.status, 201);
  assert.match(first.headers.location ?? '', /^http:\/\/[\w.:]+\/api\/v1\/tus\/1\/[0-9a-f]{1,2}\/[\w-]{24}\/a-b\.bin$/);
  assert.ok(Date.parse(String(first.headers['upload-expires'])) > Date.now() + 80_000_000);
  const address = await begun(10, `filename ${base64('ä b.bin')},filetype ${base64('image/x-thing')}`);
  const one = await patch(address, 0, Buffer.from('0123'));
  assert.deepEqual([one.status, one.headers['upload-offset'], one.text], [204, '4', '']);
  const look = await head(address);
  assert.deepEqual(
    [look.status, look.headers['upload-offset'], look.headers['upload-length'], look.headers['cache-control']],
    [200, '4', '10', 'no-store'],
  );
  assert.equal(look.headers['upload-metadata'], `filename ${base64('ä b.bin')},filetype ${base64('image/x-thing')}`);
  const url = decodeURIComponent(address.replace('/api/v1/tus', '/user_uploads'));
  assert.match((await fetched(encodeURI(url))).toString(), /no such file/);
  const two = await patch(address, 4, Buffer.from('456789'));
  assert.deepEqual([two.status, two.headers['upload-offset'], two.body], [200, '10', { url, filename: 'ä b.bin' }]);
  assert.equal((await fetched(encodeURI(url))).toString(), '0123456789');
  // The request of a client that missed the last response.
  const again = await head(address);
  assert.deepEqual([again.status, again.headers['upload-offset']], [200, '10']);
  const nothing = await patch(address, 10, Buffer.alloc(0));
  assert.deepEqual([nothing.status, nothing.body], [200, { url, filename: 'ä b.bin' }]);
  const { events } = await session.events.list({
    queue_id: queue.queue_id ?? '',
    last_event_id: -1,
    dont_block: true,
  });
  assert.deepEqual(
    events.map((event) => [event.type, 'op' in event && event.op]),
    [['attachment', 'add']],
  );
  assert.equal(await stored(), 2);
});

test('a resumable upload can start with content or be complete at once', async (t) => {
  const { begin, head, send, fetched, url } = await resumable(t);
  const part = await begin(6, '', { body: Buffer.from('abc'), headers: CONTENT });
  assert.deepEqual([part.status, part.headers['upload-offset']], [201, '3']);
  const address = new URL(part.headers.location ?? '', `${url}/api/v1/tus`).pathname;
  assert.match(address, /\/uploaded-file$/);
  assert.equal((await head(address)).headers['upload-offset'], '3');
  const whole = await begin(3, '', { body: Buffer.from('abc'), headers: CONTENT });
  assert.equal(whole.status, 200);
  assert.equal(whole.body.filename, 'uploaded-file');
  assert.equal((await fetched(whole.body.url)).toString(), 'abc');
  const empty = await begin(0, `filename ${base64('nothing.txt')}`);
  assert.deepEqual([empty.status, empty.body.filename], [200, 'nothing.txt']);
  // B10: the address is relative if a proxy has changed the host.
  const elsewhere = (path: string, more: object = {}) =>
    send('POST', path, { headers: { ...TUS, host: 'other.example:8080', 'upload-length': '1', ...more } });
  const proxied = { 'x-forwarded-for': '192.0.2.1' };
  assert.match((await elsewhere('/api/v1/tus', proxied)).headers.location ?? '', /^tus\/1\//);
  assert.match((await elsewhere('/api/v1/tus/', proxied)).headers.location ?? '', /^1\//);
  // Some clients need an absolute one.
  assert.match(
    (await elsewhere('/api/v1/tus')).headers.location ?? '',
    /^http:\/\/other\.example:8080\/api\/v1\/tus\/1\//,
  );
  // Base64 may lack its padding.
  assert.equal((await begin(1, 'filename w6Q')).status, 201);
});

test('compressed content is refused with 415', async (t) => {
  const { begin, begun, patch, head, stored } = await resumable(t);
  const body = Buffer.from('abc');
  const headers = { 'content-encoding': 'gzip' };
  assert.equal((await begin(3, '', { body, headers: { ...CONTENT, ...headers } })).status, 415);
  assert.equal(await stored(), 0);
  const address = await begun(3);
  assert.equal((await patch(address, 0, body, { headers })).status, 415);
  assert.equal((await head(address)).headers['upload-offset'], '0');
});

test('G2: unfinished uploads count for the quota, also if they start together', async (t) => {
  const { begin, begun, send } = await resumable(t, { uploadQuotaMebibytes: 1 });
  const answers = await Promise.all(Array.from({ length: 16 }, () => begin(100_000)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(10).fill(201), ...Array(6).fill(413)]);
  const [first] = answers.filter(({ status }) => status === 201);
  assert.equal((await begin(100_000)).status, 413);
  const address = new URL(String(first?.headers.location), 'http://localhost/api/v1/tus').pathname;
  assert.equal((await send('DELETE', address, { headers: TUS })).status, 204);
  await begun(100_000);
});

test('invalid resumable uploads are refused, and nothing is stored', async (t) => {
  const { begin, begun, patch, head, send, stored } = await resumable(t, {
    maxUploadMebibytes: 1,
    uploadQuotaMebibytes: 1,
  });
  const MEBIBYTE = 1024 * 1024;
  const refusals: [string, Promise<Awaited<ReturnType<typeof send>>>, number][] = [
    ['too large', begin(MEBIBYTE + 1), 413],
    ['no length', send('POST', '/api/v1/tus', { headers: TUS }), 411],
    ['deferred length', send('POST', '/api/v1/tus', { headers: { ...TUS, 'upload-defer-length': '1' } }), 411],
    ['no number', send('POST', '/api/v1/tus', { headers: { ...TUS, 'upload-length': '1e3' } }), 400],
    ['concatenation', begin(3, '', { headers: { 'upload-concat': 'partial' } }), 400],
    ['bad metadata', begin(3, 'filename ***'), 400],
    ['a name with two values', begin(3, `filename ${base64('a')} ${base64('b')}`), 400],
    ['base64 of no bytes', begin(3, 'filename A'), 400],
    ['a key that is not text', begin(3, 'idempotency_key /w=='), 400],
    ['content for an empty upload', begin(0, '', { body: Buffer.from('abc'), headers: CONTENT }), 413],
    ['content beyond the size', begin(2, '', { body: Buffer.from('abc'), headers: CONTENT }), 413],
    ['no version', send('POST', '/api/v1/tus', { headers: { 'upload-length': '3' } }), 412],
    ['no credentials', begin(3, '', { auth: null }), 401],
    ['a wrong key', begin(3, '', { auth: basic('olga@example.com', 'x'.repeat(32)) }), 401],
    ['another method', send('PUT', '/api/v1/tus', { headers: TUS }), 405],
    ['nothing there', head('/api/v1/tus/1/4e/m2A3MSqFnWRLUf9SaPzQ0Up_/cat.png'), 404],
    ['a path without an upload', patch('/api/v1/tus/..%2f..%2fpasswd', 0, Buffer.from('x')), 404],
  ];
  for (const [what, answering, status] of refusals) {
    const answer = await answering;
    assert.equal(answer.status, status, what);
    if (answer.headers['content-length'] !== undefined && answer.text !== '') {
      assert.deepEqual(Object.keys(answer.body), ['message'], what);
    }
    assert.equal(answer.headers['access-control-allow-origin'], undefined, what);
  }
  assert.equal(await stored(), 0);
  const address = await begun(3);
  assert.equal((await patch(address, 1, Buffer.from('bc'))).status, 409);
  assert.equal((await patch(address, 0, Buffer.from('abcd'))).status, 413);
  const chunked = { headers: { 'transfer-encoding': 'chunked' } };
  assert.equal((await patch(address, 0, Buffer.from('abcd'), chunked)).status, 413);
  assert.equal((await head(address)).headers['upload-offset'], '3');
  const typed = await patch(address, 3, Buffer.alloc(0), { headers: { 'content-type': 'text/plain' } });
  assert.equal(typed.status, 415);
  const one = await begun(MEBIBYTE - 3);
  assert.equal((await patch(one, 0, Buffer.alloc(MEBIBYTE - 3))).status, 200);
  assert.equal((await begin(4)).status, 413);
  assert.equal(await stored(), 2);
});

test('more than 100 unfinished uploads of one user are refused', async (t) => {
  const { begin, begun, send } = await resumable(t, {}, { rateLimits: false });
  const address = await begun(1);
  for (let at = 1; at < 100; at++) await begun(1);
  const { status, body } = await begin(1);
  assert.deepEqual(
    [status, body],
    [400, { message: 'You have 100 unfinished uploads, the largest number allowed. Finish or cancel some of them.' }],
  );
  await send('DELETE', address, { headers: TUS });
  assert.equal((await begin(1)).status, 201);
});

test('an unfinished upload of another user is refused as missing', async (t) => {
  const { chat, owner, begun, patch, head, send } = await resumable(t);
  const { user_id } = await chat
    .as(owner.user_id)
    .users.create({ email: 'ben@example.com', full_name: 'Ben', password: 'a long password' });
  const auth = basic('ben@example.com', await chat.apiKeyOf(user_id));
  const address = await begun(3);
  const unknown = address.replace(/[\w-]{24}/, 'm2A3MSqFnWRLUf9SaPzQ0Up_');
  const asked = async (path: string) => [
    (await head(path, { auth })).status,
    await patch(path, 0, Buffer.from('abc'), { auth }).then(({ status, text }) => [status, text]),
    await send('DELETE', path, { auth, headers: TUS }).then(({ status, text }) => [status, text]),
  ];
  assert.deepEqual(await asked(address), await asked(unknown));
  assert.equal((await asked(address))[0], 404);
  assert.equal((await patch(address, 0, Buffer.from('abc'))).status, 200);
});

test('terminating an unfinished upload deletes its content, and a complete one cannot be terminated', async (t) => {
  const { begun, patch, head, send, stored } = await resumable(t);
  const address = await begun(3);
  await patch(address, 0, Buffer.from('ab'));
  assert.equal((await send('DELETE', address, { headers: TUS })).status, 204);
  assert.equal((await head(address)).status, 404);
  assert.equal(await stored(), 0);
  // Clients without this method use a header.
  const other = await begun(3);
  const posted = await send('POST', other, { headers: { ...TUS, 'x-http-method-override': 'DELETE' } });
  assert.equal(posted.status, 204);
  const whole = await begun(3);
  await patch(whole, 0, Buffer.from('abc'));
  assert.equal((await send('DELETE', whole, { headers: TUS })).status, 400);
  assert.equal(await stored(), 1);
});

test('an unfinished upload is deleted after a day without content, one that grows is not', async (t) => {
  const clock = new ManualClock(Date.now());
  const { chat, begun, patch, head, stored } = await resumable(t, { clock });
  const [abandoned, growing] = [await begun(3), await begun(3)];
  clock.advance({ seconds: 80_000 });
  assert.equal((await head(abandoned)).status, 200);
  assert.equal((await patch(growing, 0, Buffer.from('ab'))).status, 204);
  clock.advance({ seconds: 10_000 });
  await chat.runDue();
  // The server's own worker may have found the due work first.
  await until('the abandoned upload is removed', async () => {
    await chat.runDue();
    return (await stored()) === 1;
  });
  assert.deepEqual([(await head(abandoned)).status, (await head(growing)).status], [404, 200]);
  assert.equal((await patch(growing, 2, Buffer.from('c'))).status, 200);
  clock.advance({ seconds: 100_000 });
  await chat.runDue();
  assert.equal((await head(growing)).status, 200);
});

test('OPTIONS describes the upload protocol, and uploads from other sites are refused', async (t) => {
  const { send, begin } = await resumable(t, {}, { authenticate: () => 'olga@example.com' });
  const { status, headers } = await send('OPTIONS', '/api/v1/tus', {
    auth: null,
    headers: { origin: 'https://x.example' },
  });
  assert.deepEqual(
    [status, headers['tus-version'], headers['tus-extension'], headers['tus-max-size']],
    [204, '1.0.0', 'creation,creation-with-upload,termination,expiration', String(100 * 1024 * 1024)],
  );
  assert.equal(headers['access-control-allow-origin'], undefined);
  // The host's login, which a browser sends automatically.
  const foreign = await begin(3, '', { auth: null, headers: { origin: 'https://x.example' } });
  assert.deepEqual([foreign.status, Object.keys(foreign.body)], [403, ['message']]);
  assert.equal((await begin(3, '', { auth: null })).status, 201);
});

test("requests of resumable uploads count for the user's rate limit", async (t) => {
  const { begin } = await resumable(t, {}, { rateLimits: { api_by_user: { seconds: 60, max: 1 } } });
  const first = await begin(3);
  assert.deepEqual([first.status, first.headers['x-ratelimit-remaining']], [201, '0']);
  const second = await begin(3);
  assert.deepEqual([second.status, Object.keys(second.body)], [429, ['message']]);
  assert.ok(Number(second.headers['retry-after']) > 0);
});

test('a resumable upload keeps what arrived before its connection broke off', async (t) => {
  const { begun, patch, head, port, auth, untilBytes, fetched } = await resumable(t);
  const bytes = randomBytes(3_000_000);
  const address = await begun(bytes.length);
  let offset = 0;
  for (const end of [700_000, 1_234_567, 2_999_999]) {
    const headers = { ...CONTENT, authorization: auth, 'upload-offset': offset };
    const req = request({ port, host: '127.0.0.1', method: 'PATCH', path: address, headers });
    req.on('error', () => undefined);
    req.write(bytes.subarray(offset, end));
    await untilBytes(offset + 1);
    req.destroy();
    const now = Number((await head(address)).headers['upload-offset']);
    // Unread data is lost when the connection ends.
    assert.ok(now > offset && now <= end, `${now} of ${end}`);
    offset = now;
  }
  const last = await patch(address, offset, bytes.subarray(offset));
  assert.equal(last.status, 200);
  assert.equal(digest(await fetched(last.body.url)), digest(bytes));
});

test('a token that expires while a piece arrives gets 401, and the bytes are kept', async (t) => {
  const clock = new ManualClock();
  const { begun, head, port, chat, owner, untilBytes } = await resumable(t, { clock });
  const address = await begun(40);
  const { token } = await chat.tokens.create({ user: owner, ttlSeconds: 60 });
  const headers = { ...CONTENT, authorization: `Bearer ${token}`, 'upload-offset': 0, 'content-length': 20 };
  const req = request({ port, host: '127.0.0.1', method: 'PATCH', path: address, headers });
  req.write('0123456789');
  await untilBytes(10);
  clock.advance({ seconds: 61 });
  req.end('0123456789');
  const [response] = await once(req, 'response');
  response.resume();
  assert.equal(response.statusCode, 401);
  assert.equal((await head(address)).headers['upload-offset'], '20');
});

test('a stalled request releases its upload when another request arrives', async (t) => {
  const { begun, patch, head, port, auth, untilBytes } = await resumable(t);
  const address = await begun(6);
  const headers = { ...CONTENT, authorization: auth, 'upload-offset': 0, 'content-length': 6 };
  const req = request({ port, host: '127.0.0.1', method: 'PATCH', path: address, headers });
  req.on('error', () => undefined);
  req.write('abc');
  await untilBytes(3);
  assert.equal((await head(address)).headers['upload-offset'], '3');
  assert.equal((await patch(address, 3, Buffer.from('def'))).status, 200);
  req.destroy();
});

/** Sends a file with the official client. Each request is cut after so many bytes, and the client resumes. */
function sendByClient(bytes: Buffer, options: Partial<UploadOptions> & { endpoint: string }): Promise<string> {
  return new Promise((resolve, reject) => {
    const upload = new Upload(bytes, {
      metadata: { filename: 'séa.bin', filetype: 'application/x-sea' },
      retryDelays: Array.from({ length: 30 }, () => 0),
      onError: reject,
      onSuccess: ({ lastResponse }) => resolve(JSON.parse(lastResponse.getBody() || '{}').url ?? ''),
      ...options,
    });
    upload.start();
  });
}

test('tus-js-client uploads a file in pieces, below a prefix and mounted in a host', async (t) => {
  const { chat, auth, url } = await resumable(t);
  const bytes = randomBytes(300_000);
  const headers = { authorization: auth };
  const whole = await sendByClient(bytes, { endpoint: `${url}/api/v1/tus`, headers, chunkSize: 70_000 });
  const got = await fetch(url + whole, { headers });
  assert.equal(got.headers.get('content-type'), 'application/x-sea');
  assert.equal(digest(Buffer.from(await got.arrayBuffer())), digest(bytes));
  const mounted = async (listener: Parameters<typeof createServer>[1]) =>
    `http://127.0.0.1:${await listening(t, createServer(listener))}`;
  const options: ListenerOptions = { prefix: '/chat' };
  const prefixed = await mounted(requestListener(chat, options));
  assert.match(await sendByClient(bytes, { endpoint: `${prefixed}/chat/api/v1/tus/`, headers }), /^\/user_uploads\//);
  const app = express().use('/team', requestListener(chat));
  const inHost = await mounted(app);
  const sent = { endpoint: `${inHost}/team/api/v1/tus`, headers, uploadDataDuringCreation: true, chunkSize: 100_000 };
  assert.match(await sendByClient(bytes, sent), /^\/user_uploads\//);
});

test('an upload of tus-js-client that is cut ten times arrives byte for byte', async (t) => {
  const { auth, port, fetched } = await resumable(t);
  const bytes = randomBytes(2_000_000);
  const proxy = await cuttingProxy(t, port, (cuts) => (cuts < 10 ? 40_000 + Math.random() * 100_000 : undefined));
  const sent = await sendByClient(bytes, { endpoint: `${proxy.url}/api/v1/tus`, headers: { authorization: auth } });
  assert.equal(proxy.cuts, 10);
  assert.equal(digest(await fetched(sent)), digest(bytes));
});

test('an upload created again with the same key resumes, or returns the complete file', async (t) => {
  const { begin, patch, owner, stored, url } = await resumable(t);
  const content = randomBytes(1_000);
  const keyed = (size: number, key = '"one"') => begin(size, undefined, { headers: { 'idempotency-key': key } });
  const first = await keyed(1_000);
  const at = ({ headers }: { headers: { location?: string } }) =>
    new URL(headers.location ?? '', `${url}/api/v1/tus`).pathname;
  assert.deepEqual([first.status, first.headers['upload-offset']], [201, '0']);
  await patch(at(first), 0, content.subarray(0, 600));
  const again = await keyed(1_000);
  assert.deepEqual([again.status, at(again), again.headers['upload-offset']], [201, at(first), '600']);
  // The key as the package's client writes it.
  const metadata = `filename ${base64('a b.bin')},idempotency_key ${base64('one')}`;
  assert.equal(at(await begin(1_000, metadata)), at(first));
  const reused = await keyed(1_001);
  assert.deepEqual([reused.status, /belongs to a call with other parameters/.test(reused.text)], [422, true]);
  const sent = await patch(at(first), 600, content.subarray(600));
  assert.equal(sent.status, 200);
  const complete = await keyed(1_000);
  assert.deepEqual([complete.status, complete.body], [200, sent.body]);
  assert.equal(await stored(), 1);
  assert.notEqual(at(await keyed(1_000, '"two"')), at(first));

  const session = connect({ site: url, email: owner.email, api_key: owner.api_key });
  const large = new File([randomBytes(9 * 1024 * 1024)], 'large.bin');
  const upload = () => session.uploads.send({ file: large, idempotency_key: 'großer Schlüssel' });
  const file = await upload();
  assert.deepEqual(await upload(), file);
  await session.close();
});
