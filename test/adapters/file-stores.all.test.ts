import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { s3Files } from '../../lib/index.ts';
import { listening } from '../server/running.ts';
import { fileStoreContract } from './file-store-contract.ts';
import type { S3Server } from './s3-server.ts';
import { bucket, localPlace } from './store-places.ts';

/** Small, so that files with several parts are small. */
const PART_BYTES = 256 * 1024;

fileStoreContract('a folder', localPlace, PART_BYTES);
fileStoreContract('a bucket', (t) => bucket(t, PART_BYTES), PART_BYTES);

const MEBIBYTE = 1024 * 1024;
const KEY = '1/4e/m2A3MSqFnWRLUf9SaPzQ0Up_/file';

async function* pieces(...all: string[]) {
  for (const piece of all) yield Buffer.from(piece);
}

test('S3 requests are retried after 503 and not after 403', async (t) => {
  const { files, server } = await bucket(t);
  Object.assign(server.failing, { status: 503, times: 2 });
  await files.write(KEY, pieces('abc'));
  assert.equal(server.requests.length, 3);
  assert.equal(await files.size(KEY), 3);
  Object.assign(server.failing, { status: 403, times: 1 });
  await assert.rejects(files.size(KEY), /refused HEAD: 403/);
});

test('G9: a 404 response of the S3 service fails a write, and means no file for a read', async (t) => {
  const { files, server } = await bucket(t);
  const lost = { message: /The S3 service refused (?:PUT|POST): 404/ };
  Object.assign(server.failing, { status: 404, times: 1 });
  await assert.rejects(files.write(KEY, pieces('abc')), lost);
  Object.assign(server.failing, { status: 404, times: 1 });
  await assert.rejects(files.appendable?.begin(KEY) ?? assert.fail(), lost);
  Object.assign(server.failing, { status: 404, times: 1 });
  assert.equal(await files.read(KEY), undefined);
});

test('G9: a read fails if the S3 service ignores the range', async (t) => {
  const { files } = await service(t, 1_000, (_, response) => void response.end('the whole file'));
  await assert.rejects(files.read(KEY, { start: 4, end: 6 }), /refused GET: 200/);
});

test('S3 keys start with the prefix, and wrong credentials are refused', async (t) => {
  const { files, server } = await bucket(t);
  await files.write(KEY, pieces('abc'));
  assert.deepEqual((await server.stored()).objects, [`some/where/${KEY}`]);
  const options: S3Server['options'] = {
    ...server.options,
    credentials: async () => ({ accessKeyId: 'S3RVER', secretAccessKey: 'wrong' }),
  };
  await assert.rejects(s3Files(options).read(KEY), /403 SignatureDoesNotMatch/);
  await assert.rejects(s3Files({ ...server.options, bucket: 'another' }).read(KEY), /404 NoSuchBucket/);
});

/** A service with the given response, and the methods of its requests. */
async function service(t: TestContext, timeoutMs: number, answer: RequestListener) {
  const requests: string[] = [];
  const server = createServer((req, res) => {
    requests.push(req.method ?? '');
    answer(req, res);
  });
  const port = await listening(t, server);
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
  const files = s3Files({ bucket: 'chat', endpoint: `http://127.0.0.1:${port}`, credentials, timeoutMs });
  return { files, requests };
}

test('an S3 request without a response is sent 5 times and then fails', async (t) => {
  const { files, requests } = await service(t, 50, () => undefined);
  await assert.rejects(files.size(KEY), /The S3 service did not respond within 50 ms/);
  assert.equal(requests.length, 5);
});

test('an S3 download that stalls fails with a timeout', async (t) => {
  const { files } = await service(t, 300, (_, res) => {
    res.writeHead(200, { 'content-length': 10 });
    res.write('abc');
  });
  const content = (await files.read(KEY)) ?? assert.fail();
  await assert.rejects(buffer(content), { code: 'UND_ERR_BODY_TIMEOUT' });
});

test('a slow reader of an S3 download receives the whole file', async (t) => {
  const bytes = randomBytes(MEBIBYTE);
  const { files } = await service(t, 300, (_, res) => res.end(bytes));
  const content = (await files.read(KEY)) ?? assert.fail();
  const pieces: Uint8Array[] = [];
  for await (const piece of content) {
    if (pieces.length === 0) await sleep(450);
    pieces.push(piece);
  }
  assert.ok(Buffer.concat(pieces).equals(bytes));
});

test('an append that fails in S3 keeps earlier parts, and the upload continues from there', async (t) => {
  const { files, server } = await bucket(t, PART_BYTES);
  const { appendable: growing = assert.fail() } = files;
  const eighth = PART_BYTES / 8;
  const bytes = randomBytes(30 * eighth);
  async function* failingAfter(from: number, end: number) {
    for (let at = from; at < bytes.length; at += eighth) {
      // Later parts fail, and are sent again by the next append.
      if (at >= end) Object.assign(server.failing, { method: 'PUT', status: 500, times: 10 });
      yield bytes.subarray(at, at + eighth);
    }
  }
  await growing.begin(KEY);
  await assert.rejects(growing.append(KEY, 0, failingAfter(0, 18 * eighth)), /refused PUT: 500/);
  server.failing.times = 0;
  const offset = (await growing.offset(KEY)) ?? assert.fail();
  assert.ok(offset >= PART_BYTES && offset <= 18 * eighth, String(offset));
  await growing.append(KEY, offset, failingAfter(offset, bytes.length));
  await growing.finish(KEY);
  const content = (await files.read(KEY)) ?? assert.fail();
  assert.ok((await buffer(content)).equals(bytes));
});
