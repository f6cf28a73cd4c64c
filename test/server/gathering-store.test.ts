import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type ClientRequest, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type FileStore, localFiles } from '../../lib/index.ts';
import { Gate } from '../support/gate.ts';
import { until } from '../support/until.ts';
import { running } from './running.ts';

const TUS = { 'tus-resumable': '1.0.0' };

/** A chat whose store keeps parts of files in memory, and the most contents it held at a time. */
async function serving(t: TestContext, gathersParts: boolean) {
  const folder = await mkdtemp(join(tmpdir(), 'gathering-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const inner = localFiles(folder);
  const growing = inner.appendable as NonNullable<FileStore['appendable']>;
  const counted = { now: 0, begun: 0, most: 0 };
  async function during(work: Promise<void>) {
    counted.begun++;
    counted.most = Math.max(counted.most, ++counted.now);
    await work.finally(() => counted.now--);
  }
  const files: FileStore = {
    gathersParts,
    write: (key, content) => during(inner.write(key, content)),
    read: (key, range) => inner.read(key, range),
    size: (key) => inner.size(key),
    remove: (key) => inner.remove(key),
    appendable: {
      begin: (key) => growing.begin(key),
      offset: (key) => growing.offset(key),
      append: (key, offset, content) => during(growing.append(key, offset, content)),
      finish: (key) => growing.finish(key),
    },
  };
  return { ...(await running(t, { rateLimits: false }, { files })), counted };
}

const SENT = 7;

for (const [store, gathersParts, most] of [
  ['that keeps parts in memory', true, 4],
  ['of another kind', false, SENT],
] as const) {
  test(`a store ${store} gets ${most} of ${SENT} slow resumable uploads of an account at a time`, async (t) => {
    const { port, auth, send, counted } = await serving(t, gathersParts);
    const arriving: { path: string; req: ClientRequest; status: Promise<number> }[] = [];
    for (let at = 0; at < SENT; at++) {
      const { headers: begun } = await send('POST', '/api/v1/tus', { headers: { ...TUS, 'upload-length': '6' } });
      const path = new URL(begun.location ?? '', `http://127.0.0.1:${port}/api/v1/tus`).pathname;
      const headers = {
        ...TUS,
        authorization: auth,
        'content-type': 'application/offset+octet-stream',
        'upload-offset': 0,
        'content-length': 6,
      };
      const req = request({ port, host: '127.0.0.1', method: 'PATCH', path, headers, agent: false });
      const status = once(req, 'response').then(([answer]) => answer.resume().statusCode);
      req.write('abc');
      arriving.push({ path, req, status });
    }
    await until(`the store appends ${most} pieces`, () => counted.now === most);
    // A waiting upload reports its offset.
    for (const { path } of gathersParts ? arriving.slice(-1) : []) {
      const { status, headers } = await send('HEAD', path, { headers: TUS });
      assert.deepEqual([status, headers['upload-offset']], [200, '0']);
    }
    assert.deepEqual(counted, { now: most, begun: most, most });
    for (const { req } of arriving) req.end('def');
    assert.deepEqual(await Promise.all(arriving.map(({ status }) => status)), Array(SENT).fill(200));
    assert.deepEqual(counted, { now: 0, begun: SENT, most });
  });
}

test('uploads in forms and of sessions wait for one of four places', async (t) => {
  const { chat, owner, port, auth, counted } = await serving(t, true);
  const head = '--edge\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n';
  const headers = {
    authorization: auth,
    'content-type': 'multipart/form-data; boundary=edge',
    'transfer-encoding': 'chunked',
  };
  const arriving = Array.from({ length: 4 }, () => {
    const req = request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/api/v1/user_uploads',
      headers,
      agent: false,
    });
    const status = once(req, 'response').then(([answer]) => answer.resume().statusCode);
    req.write(head + 'a'.repeat(100_000));
    return { req, status };
  });
  await until('the store appends 4 pieces', () => counted.now === 4);
  const session = chat.as(owner.user_id);
  const waiting = Promise.all(['x', 'y'].map((text) => session.uploads.send({ file: new File([text], 'b.txt') })));
  await session.channels.list();
  assert.equal(counted.begun, 4);
  for (const { req } of arriving) req.end('\r\n--edge--\r\n');
  assert.deepEqual(await Promise.all(arriving.map(({ status }) => status)), Array(4).fill(200));
  assert.equal((await waiting).length, 2);
  assert.deepEqual(counted, { now: 0, begun: 6, most: 4 });
});

test('an upload is refused if fifty of its account wait, and stores nothing', async (t) => {
  const { chat, owner, counted } = await serving(t, true);
  const gate = new Gate();
  const session = chat.as(owner.user_id);
  async function* content() {
    await gate.opened;
    yield Buffer.from('x');
  }
  const file = () => ({ name: 'a.txt', content: content() });
  const sending = Array.from({ length: 54 }, () => session.uploads.send({ file: file() }));
  await until('the store appends 4 pieces', () => counted.now === 4);
  await assert.rejects(session.uploads.send({ file: file() }), { code: 'RATE_LIMIT_HIT', retryAfter: 5 });
  gate.open();
  await Promise.all(sending);
  assert.equal((await session.uploads.list()).attachments.length, 54);
});
