import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import * as v from 'valibot';
import { RawJson } from '../../lib/internal.ts';
import { defineOperation } from '../../lib/operation/operation.ts';
import { ClientGone } from '../../server/body.ts';
import { Compression } from '../../server/compression.ts';
import { Metrics } from '../../server/index.ts';
import { LARGE_RESPONSE_BYTES } from '../../server/unsent-answers.ts';
import { anyText } from '../support/any-text.ts';
import { until } from '../support/until.ts';
import { runningOperations } from './running.ts';

const STAYS = { aborted: false, addEventListener() {}, removeEventListener() {} };
const LARGE = [Buffer.from('the lamp was lit at dusk, '.repeat(60_000))];

const sizeOf = (pieces: readonly (string | Buffer)[]) =>
  pieces.reduce((size, piece) => size + Buffer.byteLength(piece), 0);

/** A client that disconnects when `leave` is called. */
function leaving() {
  const listeners = new Set<() => void>();
  const signal = {
    aborted: false,
    addEventListener: (_: 'abort', listener: unknown) => void listeners.add(listener as () => void),
    removeEventListener: (_: 'abort', listener: unknown) => void listeners.delete(listener as () => void),
  };
  const leave = () => {
    signal.aborted = true;
    for (const listener of listeners) listener();
  };
  return { signal, leave, listeners };
}

test('compressed chunks decompress to the concatenation of all chunks', async () => {
  const compression = new Compression();
  const letters = fc.constantFrom('a', 'ä', '東', '🐋');
  const piece = fc.oneof(
    anyText(),
    fc.uint8Array().map((bytes) => Buffer.from(bytes)),
    fc.tuple(letters, fc.nat(300_000)).map(([letter, times]) => letter.repeat(times)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 8 }), fc.boolean(), async (pieces, isGzip) => {
      const terms = { caller: 1, signal: STAYS };
      const parts = await compression.compress(pieces, sizeOf(pieces), isGzip ? 'gzip' : 'br', terms);
      const bytes = Buffer.concat(parts ?? []);
      const plain = (isGzip ? gunzipSync : brotliDecompressSync)(bytes);
      assert.ok(plain.equals(Buffer.concat(pieces.map((one) => Buffer.from(one as string)))));
    }),
    { numRuns: 60 },
  );
});

test('a large response of another account is compressed before those of an account with 100', async () => {
  const compression = new Compression();
  const done: string[] = [];
  const compress = async (caller: string) => {
    await compression.compress(LARGE, sizeOf(LARGE), 'br', { caller, signal: STAYS });
    done.push(caller);
  };
  const many = Array.from({ length: 100 }, () => compress('many'));
  const few = compress('few');
  await Promise.all([...many, few]);
  assert.ok(done.indexOf('few') < 10, `the short one is number ${done.indexOf('few')}`);
});

test('short responses beyond sixteen at a time are not compressed', async () => {
  const compression = new Compression();
  const short = ['the lamp was lit at dusk'.repeat(100)];
  const compress = () => compression.compress(short, sizeOf(short), 'gzip', { caller: 1, signal: STAYS });
  const all = await Promise.all(Array.from({ length: 40 }, compress));
  assert.deepEqual([all.filter((parts) => parts).length, all.filter((parts) => !parts).length], [16, 24]);
  assert.ok(await compress());
});

test('compression for a client that leaves ends, waiting or running, and frees its place', async () => {
  const compression = new Compression();
  const clients = Array.from({ length: 20 }, leaving);
  const all = clients.map(({ signal }, at) =>
    compression.compress(LARGE, LARGE_RESPONSE_BYTES * 10, 'gzip', { caller: at, signal }),
  );
  const ended = Promise.allSettled(all);
  await new Promise(setImmediate);
  for (const { leave } of clients) leave();
  for (const outcome of await ended) assert.equal(outcome.status, 'rejected');
  await assert.rejects(all[0] ?? Promise.resolve(), ClientGone);
  assert.ok(clients.every(({ listeners }) => listeners.size === 0));
  // Their places are free.
  assert.ok(await compression.compress(LARGE, sizeOf(LARGE), 'gzip', { caller: 99, signal: STAYS }));
});

test('clients that leave before their compressed response leave no memory behind', async (t) => {
  const list = new RawJson<unknown>(Buffer.from(JSON.stringify(Array(100_000).fill('the lamp was lit'))));
  const large = defineOperation({
    name: 'large',
    http: 'GET /large',
    summary: 'large',
    access: 'anyone',
    effect: 'manual',
    params: {},
    result: v.looseObject({}),
    errors: [],
    run: async () => ({ list }),
  });
  const metrics = new Metrics();
  const { port, logged } = await runningOperations(t, [large], { metrics, rateLimits: false });
  const unsent = async () => Number(/^parlance_http_unsent_bytes (\d+)$/m.exec(await metrics.text())?.[1]);
  const ask = () => {
    const headers = { 'accept-encoding': 'br' };
    const sent = request({ port, host: '127.0.0.1', path: '/api/v1/large', headers, agent: false });
    return sent.on('error', () => undefined).end() && sent;
  };
  const clients = Array.from({ length: 20 }, ask);
  await until('responses are compressed', async () => (await unsent()) > 0);
  for (const client of clients) client.destroy();
  await until('their memory is free', async () => (await unsent()) === 0);
  const [answer] = (await once(ask(), 'response')) as [IncomingMessage];
  assert.equal(answer.headers['content-encoding'], 'br');
  answer.resume();
  await once(answer, 'end');
  await until('the last one is read', async () => (await unsent()) === 0);
  assert.deepEqual(logged, []);
});
