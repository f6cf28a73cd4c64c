import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { mock, type TestContext, test } from 'node:test';
import type { StreamedFile } from '../../lib/index.ts';
import { arrivingBody } from '../../server/body.ts';
import { readMultipart } from '../../server/multipart.ts';

const HEAD = '--edge\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n';
const KIBIBYTE = 1024;

/** A form without an end, and a function that lets more than half a minute pass without a byte. */
async function arriving(t: TestContext, bytes: number) {
  const late: (() => void)[] = [];
  const set = globalThis.setTimeout;
  const timers = mock.method(globalThis, 'setTimeout', (work: () => void, ms: number, ...rest: unknown[]) => {
    if (ms === 30_000) late.push(work);
    return set(work, ms, ...rest);
  });
  t.after(() => timers.mock.restore());
  const headers = { 'content-type': 'multipart/form-data; boundary=edge' };
  const takes = { name: 'file', maxBytes: KIBIBYTE * KIBIBYTE, isStreamed: true, others: [] };
  const req = Object.assign(new PassThrough(), { headers, rawHeaders: [], complete: false, socket: {} });
  t.after(() => req.destroy());
  req.write(HEAD);
  for (let sent = 0; sent < bytes; sent += KIBIBYTE) req.write(Buffer.alloc(KIBIBYTE));
  const form = await readMultipart(headers, arrivingBody(req), KIBIBYTE * KIBIBYTE, takes);
  await new Promise(setImmediate);
  return { req, file: form.file as StreamedFile, passes: () => late.forEach((work) => void work()) };
}

async function sizeOf({ content }: StreamedFile): Promise<number> {
  let size = 0;
  for await (const piece of content as AsyncIterable<Uint8Array>) size += piece.length;
  return size;
}

test('a file that stops arriving is refused with 408', async (t) => {
  const { file, passes } = await arriving(t, 200 * KIBIBYTE);
  const size = sizeOf(file);
  await new Promise(setImmediate);
  passes();
  await assert.rejects(size, { status: 408 });
});

test('an unread file does not time out', async (t) => {
  const { req, file, passes } = await arriving(t, 2_000 * KIBIBYTE);
  passes();
  req.complete = true;
  req.end('\r\n--edge--\r\n');
  assert.equal(await sizeOf(file), 2_000 * KIBIBYTE);
});
