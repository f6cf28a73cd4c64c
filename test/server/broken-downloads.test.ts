import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import sharp from 'sharp';
import { type FileStore, type Logger, localFiles } from '../../lib/index.ts';
import { fetchHandler, Metrics } from '../../server/index.ts';
import { until } from '../support/until.ts';
import { running } from './running.ts';

type Trouble = 'fails' | 'ends early' | 'goes on' | 'never ends';

/** A store whose files are read completely. */
function troubled(files: FileStore, trouble: { now?: Trouble }): FileStore {
  return {
    write: (key, content) => files.write(key, content),
    size: (key) => files.size(key),
    remove: (key) => files.remove(key),
    async read(key, range) {
      const content = await files.read(key, range);
      const { now } = trouble;
      if (!now || !content) return content;
      return (async function* () {
        const bytes = await buffer(content);
        if (now === 'goes on') yield bytes;
        yield bytes.subarray(0, bytes.length / 2);
        if (now === 'fails') throw new Error('EIO: the disk');
        if (now === 'never ends') await new Promise(() => undefined);
      })();
    },
  };
}

interface Line {
  request: string;
  status: number;
  cut?: true;
}

async function serving(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'broken-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const trouble: { now?: Trouble } = {};
  const faults: { data: object; message: string }[] = [];
  const lines: Line[] = [];
  const nothing = () => undefined;
  const faultsOf: Logger = {
    debug: nothing,
    info: nothing,
    warn: nothing,
    error: (data, message) => faults.push({ data, message }),
  };
  const logger: Logger = { ...faultsOf, info: (data) => lines.push(data as Line) };
  const metrics = new Metrics();
  t.after(() => metrics.close());
  const files = troubled(localFiles(folder), trouble);
  const served = await running(t, { logger, metrics }, { files, logger: faultsOf });
  const session = served.chat.as(served.owner.user_id);
  const ended = async () => {
    await until('the log has a line', () => lines.length > 0);
    return lines.pop() as Line;
  };
  return { ...served, trouble, faults, ended, metrics, session };
}

for (const how of ['fails', 'ends early', 'goes on'] as const) {
  test(`a download whose store ${how} in the middle is logged and counts as a failure`, async (t) => {
    const { url, auth, session, trouble, faults, ended, metrics } = await serving(t);
    const { url: address } = await session.uploads.send({ file: new File(['x'.repeat(1_000_000)], 'ada.txt') });
    trouble.now = how;
    const answer = await fetch(url + address, { headers: { authorization: auth } });
    assert.equal(answer.status, 200);
    if (how !== 'goes on') await assert.rejects(answer.arrayBuffer());
    else await answer.arrayBuffer().catch(() => undefined);
    const { request, status, cut } = await ended();
    assert.deepEqual([status, cut, request], [500, true, answer.headers.get('x-request-id')]);
    assert.equal(faults.length, 1, JSON.stringify(faults));
    const { data, message } = faults[0] as (typeof faults)[0];
    const { error, ...rest } = data as { error: Error };
    assert.deepEqual(rest, { id: request, method: 'GET', path: '/user_uploads/{rest}' });
    assert.equal(message, 'a response broke off');
    assert.match(error.message, how === 'fails' ? /^EIO/ : /^Expected 1000000 bytes of a stored file/);
    assert.match(await metrics.text(), /parlance_http_requests_total\{operation="page",status="500"\} 1/);
  });
}

test('a thumbnail whose store fails is logged too, also without a request log', async (t) => {
  const { chat, auth, session, trouble, faults } = await serving(t);
  const picture = await sharp({ create: { width: 900, height: 700, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const { url } = await session.uploads.send({ file: new File([picture], 'ada.png', { type: 'image/png' }) });
  const handler = fetchHandler(chat);
  const path = url.replace('/user_uploads/', '/user_uploads/thumbnail/');
  const ask = () =>
    handler(new Request(`https://chat.example.com${path}/840x560.webp`, { headers: { authorization: auth } }));
  assert.equal((await (await ask()).arrayBuffer()).byteLength > 0, true);
  trouble.now = 'fails';
  const broken = await ask();
  assert.equal(broken.status, 200);
  await assert.rejects(broken.arrayBuffer());
  await until('the log has the failure', () => faults.length > 0);
  assert.equal(faults.length, 1);
  const { error, id, ...rest } = (faults[0] as (typeof faults)[0]).data as { error: Error; id: string };
  assert.deepEqual([error.message, typeof id], ['EIO: the disk', 'string']);
  assert.deepEqual(rest, { method: 'GET', path: '/user_uploads/{rest}' });
});

test('a disconnected reader is not logged as a failure', async (t) => {
  const { url, auth, session, trouble, faults, ended } = await serving(t);
  const { url: address } = await session.uploads.send({ file: new File(['x'.repeat(1_000_000)], 'ada.txt') });
  trouble.now = 'never ends';
  const leaving = new AbortController();
  const answer = await fetch(url + address, { headers: { authorization: auth }, signal: leaving.signal });
  await answer.body?.getReader().read();
  leaving.abort();
  const { status, cut } = await ended();
  assert.deepEqual([status, cut, faults], [200, true, []]);
});
