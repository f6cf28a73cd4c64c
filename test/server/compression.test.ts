import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import * as v from 'valibot';
import { localFiles } from '../../lib/index.ts';
import { RawJson } from '../../lib/internal.ts';
import { defineOperation } from '../../lib/operation/operation.ts';
import { acceptedEncoding } from '../../server/compression.ts';
import { fetchHandler } from '../../server/index.ts';
import { databasePath } from '../examples/folder.ts';
import { until } from '../support/until.ts';
import { type Running, running, runningOperations } from './running.ts';

const TEXT = 'The lamp was lit at dusk. '.repeat(100);

interface Got {
  status: number;
  headers: IncomingHttpHeaders;
  /** The body as received. */
  bytes: Buffer;
  /** The decompressed body. */
  text: string;
}

const decoders: Record<string, (bytes: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync };

/** Sends a request as the owner. `accepts`: the header Accept-Encoding. */
async function get(
  { port, auth }: Running,
  path: string,
  accepts: string | undefined,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<Got> {
  const sent = request({
    port,
    host: '127.0.0.1',
    method,
    path,
    agent: false,
    headers: { authorization: auth, ...(accepts !== undefined && { 'accept-encoding': accepts }), ...headers },
  });
  sent.end();
  const [res] = (await once(sent, 'response')) as [IncomingMessage];
  const bytes = await buffer(res);
  const decode = decoders[res.headers['content-encoding'] ?? ''];
  const text = (decode && bytes.length > 0 ? decode(bytes) : bytes).toString();
  return { status: res.statusCode ?? 0, headers: res.headers, bytes, text };
}

const anyResult = v.looseObject({});

function answering(name: string, run: () => object) {
  return defineOperation({
    name,
    http: `GET /${name}`,
    summary: name,
    access: 'anyone',
    effect: 'manual',
    params: {},
    result: anyResult,
    errors: [],
    run: async () => run() as Record<string, never>,
  });
}

const LARGE = Array.from({ length: 100_000 }, (_, id) => ({ id, name: `keeper ${id}` }));

async function answers(t: TestContext) {
  return runningOperations(
    t,
    [
      answering('short', () => ({ text: 'x'.repeat(900) })),
      answering('long', () => ({ text: TEXT })),
      answering('large', () => ({
        text: 'aä東🐋'.repeat(100_000),
        list: new RawJson(Buffer.from(JSON.stringify(LARGE))),
        pieces: new RawJson(['[', ...Array(5_000).fill(Buffer.from('"piece",')), '1]']),
      })),
      answering('random', () => ({ text: randomBytes(2_000_000).toString('base64') })),
    ],
    { trustedOrigins: ['https://app.example.com'], rateLimits: false },
  );
}

const encodings: [header: string | undefined, encoding: string | undefined][] = [
  [undefined, undefined],
  ['', undefined],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['GZIP', 'gzip'],
  ['br;q=0.5, gzip', 'gzip'],
  ['br ; q=0.8 , gzip;q=0.8', 'br'],
  ['br;q=0, gzip;q=0', undefined],
  ['*', 'br'],
  ['br;q=0, *', 'gzip'],
  ['*;q=0', undefined],
  ['identity, gzip;q=0.5', undefined],
  ['identity;q=0.5, gzip', 'gzip'],
  ['identity;q=0, gzip;q=0.1', 'gzip'],
  ['deflate, zstd', undefined],
  ['gzip;q=., br;q=x', undefined],
  ['gzip;level=9', undefined],
  [`gzip${' '.repeat(300)}`, undefined],
];

test('the encoding follows the quality values of Accept-Encoding', () => {
  for (const [header, encoding] of encodings) {
    const headers = header === undefined ? {} : { 'accept-encoding': header };
    assert.equal(acceptedEncoding({ headers } as IncomingMessage), encoding, header);
  }
});

test('responses of 1 kB and more are compressed as the client accepts, with their length', async (t) => {
  const server = await answers(t);
  for (const path of ['long', 'large', 'random']) {
    const plain = await get(server, `/api/v1/${path}`, undefined);
    assert.equal(plain.headers['content-encoding'], undefined);
    assert.equal(plain.headers.vary, 'Origin, Accept-Encoding');
    assert.equal(Number(plain.headers['content-length']), plain.bytes.length);
    for (const encoding of ['br', 'gzip']) {
      const got = await get(server, `/api/v1/${path}`, encoding);
      assert.equal(got.headers['content-encoding'], encoding);
      assert.equal(got.headers.vary, 'Origin, Accept-Encoding');
      assert.equal(got.headers['transfer-encoding'], undefined);
      assert.equal(Number(got.headers['content-length']), got.bytes.length);
      assert.ok(got.bytes.length < plain.bytes.length);
      if (path !== 'random') assert.equal(got.text, plain.text);
    }
  }
  const short = await get(server, '/api/v1/short', 'br');
  assert.deepEqual([short.headers['content-encoding'], short.headers.vary], [undefined, 'Origin']);
});

test('HEAD says the encoding of GET and leaves out the length after compression', async (t) => {
  const server = await answers(t);
  const plain = await get(server, '/api/v1/large', undefined);
  for (const [accepts, length] of [
    ['br', undefined],
    [undefined, plain.headers['content-length']],
  ]) {
    const { status, headers, bytes } = await get(server, '/api/v1/large', accepts, { method: 'HEAD' });
    assert.deepEqual([status, bytes.length], [200, 0]);
    assert.equal(headers['content-encoding'], accepts);
    assert.equal(headers['content-length'], length);
    assert.equal(headers['transfer-encoding'], undefined);
    assert.equal(headers.vary, 'Origin, Accept-Encoding');
  }
});

test('a page of another site receives nothing compressed, and one of a trusted origin does', async (t) => {
  const server = await answers(t);
  const encodingFor = async (headers: Record<string, string>) =>
    (await get(server, '/api/v1/long', 'br', { headers })).headers['content-encoding'];
  assert.equal(await encodingFor({ 'sec-fetch-site': 'cross-site' }), undefined);
  assert.equal(await encodingFor({ 'sec-fetch-site': 'same-site' }), undefined);
  assert.equal(await encodingFor({ origin: 'https://evil.example.com' }), undefined);
  assert.equal(await encodingFor({ 'sec-fetch-site': 'same-origin' }), 'br');
  const trusted = { origin: 'https://app.example.com', 'sec-fetch-site': 'cross-site' };
  assert.equal(await encodingFor(trusted), 'br');
});

test('pages are compressed with a tag for each encoding, and images are not', async (t) => {
  const server = await running(t, { prefix: '/chat' });
  for (const path of [
    '/chat/static/content.css',
    '/chat/api/docs',
    '/chat/api/v1/openapi.json',
    '/chat/static/emoji.json',
  ]) {
    const tags = new Set<string | undefined>();
    const plain = await get(server, path, undefined);
    for (const accepts of [undefined, 'br', 'gzip']) {
      const got = await get(server, path, accepts);
      assert.equal(got.headers['content-encoding'], accepts, path);
      assert.equal(got.headers.vary, 'Accept-Encoding');
      assert.equal(Number(got.headers['content-length']), got.bytes.length);
      assert.equal(got.text, plain.text);
      const { etag = '' } = got.headers;
      tags.add(etag);
      const known = { headers: { 'if-none-match': etag } };
      const again = await get(server, path, accepts, known);
      assert.deepEqual([again.status, again.bytes.length, again.headers.etag], [304, 0, etag]);
      assert.equal(again.headers.vary, 'Accept-Encoding');
      assert.equal((await get(server, path, accepts === 'br' ? 'gzip' : 'br', known)).status, 200);
      const head = await get(server, path, accepts, { method: 'HEAD' });
      assert.deepEqual([head.headers.etag, head.headers['content-length']], [etag, got.headers['content-length']]);
    }
    assert.equal(tags.size, 3, path);
  }
  const image = await get(server, '/chat/static/organization-icon.png', 'br');
  assert.deepEqual([image.headers['content-encoding'], image.headers.vary], [undefined, undefined]);
});

test('uploaded files are not compressed, whole or in part', async (t) => {
  const server = await running(t, {}, { files: localFiles(`${await databasePath(t)}-uploads`) });
  const session = server.chat.as(server.owner.user_id);
  for (const [name, content] of [
    ['notes.txt', Buffer.from(TEXT)],
    ['lamp.png', randomBytes(5_000)],
  ] as const) {
    const { url } = await session.uploads.send({ file: { name, content } });
    const whole = await get(server, url, 'br, gzip');
    assert.deepEqual([whole.status, whole.headers['content-encoding']], [200, undefined]);
    assert.ok(whole.bytes.equals(content));
    const part = await get(server, url, 'br, gzip', { headers: { range: 'bytes=5-9' } });
    assert.deepEqual([part.status, part.headers['content-encoding']], [206, undefined]);
    assert.ok(part.bytes.equals(content.subarray(5, 10)));
  }
});

test('a long poll is answered compressed, and an event stream is not compressed', async (t) => {
  const server = await running(t);
  const session = server.chat.as(server.owner.user_id);
  const { queue_id } = await session.register({ event_types: ['message'], fetch_event_types: [] });
  const poll = get(server, `/api/v1/events?queue_id=${queue_id}&last_event_id=-1`, 'gzip');
  const message = { type: 'direct', to: [server.owner.user_id], content: TEXT } as const;
  await session.messages.send(message);
  const got = await poll;
  assert.equal(got.headers['content-encoding'], 'gzip');
  assert.match(JSON.parse(got.text).events[0].message.content, /lamp/);

  const { port, auth } = server;
  const path = `/api/v1/events/stream?queue_id=${queue_id}&last_event_id=0`;
  const headers = { authorization: auth, 'accept-encoding': 'br, gzip' };
  const sent = request({ port, host: '127.0.0.1', path, headers, agent: false }).on('error', () => undefined);
  sent.end();
  await session.messages.send(message);
  const [stream] = (await once(sent, 'response')) as [IncomingMessage];
  assert.equal(stream.headers['content-encoding'], undefined);
  stream.setEncoding('utf8').on('error', () => undefined);
  let text = '';
  stream.on('data', (piece: string) => {
    text += piece;
  });
  await until('the event arrives as text', () => text.includes('The lamp was lit'));
  sent.destroy();
});

test('fetchHandler leaves compression to its host', async (t) => {
  const { chat, auth } = await running(t);
  const handler = fetchHandler(chat);
  const url = 'https://chat.example.com/api/v1/register?fetch_event_types=["realm"]';
  const headers = { authorization: auth, 'accept-encoding': 'gzip' };
  const answer = await handler(new Request(url, { method: 'POST', headers }));
  assert.equal(answer.headers.get('content-encoding'), null);
  const { realm_name } = (await answer.json()) as { realm_name: string };
  assert.equal(realm_name, 'Harbour & Sons');
});
