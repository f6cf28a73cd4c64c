import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext, test } from 'node:test';
import { connect as connectInBrowser } from '../../lib/client/browser.ts';
import { connect, localFiles, openChat, sqlite } from '../../lib/index.ts';
import { requestListener } from '../../server/index.ts';
import { listening } from '../server/running.ts';
import { until } from '../support/until.ts';

const MEBIBYTE = 1024 * 1024;

/** A chat over HTTP. `intercept` may respond to a request itself. */
async function serving(
  t: TestContext,
  intercept: (req: IncomingMessage, res: ServerResponse) => boolean = () => false,
) {
  const folder = await mkdtemp(join(tmpdir(), 'uploading-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const chat = await openChat({ storage: sqlite(':memory:'), files: localFiles(join(folder, 'files')) });
  t.after(() => chat.close());
  const ada = await chat.createOrganization({ name: 'Docs', owner: { email: 'ada@example.com', full_name: 'Ada' } });
  const listener = requestListener(chat);
  const requests: string[] = [];
  const server = createServer((req, res) => {
    requests.push(`${req.method} ${req.headers['content-length'] ?? ''}`.trim());
    if (!intercept(req, res)) listener(req, res);
  });
  const site = `http://127.0.0.1:${await listening(t, server)}`;
  const key = { site, email: ada.email, api_key: ada.api_key, timeoutMs: 120_000 };
  const digestOf = async (url: string) => {
    const hash = createHash('sha256');
    for await (const piece of (await chat.as(ada).download(url)).content) hash.update(piece);
    return hash.digest('hex');
  };
  return { requests, key, digestOf };
}

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe('an upload of the browser build', () => {
  it('is one request up to 1 MiB', async (t) => {
    const { key, requests, digestOf } = await serving(t);
    const bytes = randomBytes(MEBIBYTE);
    const { url } = await connectInBrowser(key).uploads.send({ file: new File([bytes], 'a.bin') });
    assert.equal(await digestOf(url), digest(bytes));
    assert.equal(requests.length, 1);
  });

  it('sends larger pieces if the connection is fast, so that the rate limit is left for other calls', async (t) => {
    const { key, requests, digestOf } = await serving(t);
    const bytes = randomBytes(40 * MEBIBYTE);
    const file = { name: 'a.bin', type: 'text/plain', content: new Blob([bytes]) };
    const { url } = await connectInBrowser(key).uploads.send({ file });
    assert.equal(await digestOf(url), digest(bytes));
    const sizes = requests.filter((one) => one.startsWith('PATCH')).map((one) => Number(one.slice(6)));
    assert.equal(sizes[0], MEBIBYTE);
    assert.ok(sizes.length < 40 && Math.max(...sizes) <= 16 * MEBIBYTE, String(sizes));
  });

  it('stays below the limit of a proxy', async (t) => {
    const { key, requests, digestOf } = await serving(t, ({ headers }, res) => {
      if (Number(headers['content-length'] ?? 0) <= MEBIBYTE) return false;
      res.writeHead(413, { connection: 'close' }).end('<h1>413</h1>');
      return true;
    });
    const bytes = randomBytes(6 * MEBIBYTE);
    const { url } = await connectInBrowser(key).uploads.send({ file: new File([bytes], 'a.bin') });
    assert.equal(await digestOf(url), digest(bytes));
    assert.equal(requests.filter((one) => one === `PATCH ${MEBIBYTE}`).length, 6);
  });

  it('is one request to a server without resumable uploads', async (t) => {
    const { key, digestOf } = await serving(t, ({ url = '' }, res) => {
      if (!url.includes('/tus')) return false;
      res.writeHead(404).end('{}');
      return true;
    });
    const bytes = randomBytes(3 * MEBIBYTE);
    const { url } = await connectInBrowser(key).uploads.send({ file: new File([bytes], 'a.bin') });
    assert.equal(await digestOf(url), digest(bytes));
  });
});

test('an upload on Node reports its progress and is cancelled', async (t) => {
  const { key, requests, digestOf } = await serving(t);
  const session = connect(key);
  t.after(() => session.close());
  const bytes = randomBytes(30 * MEBIBYTE);
  const file = new File([bytes], 'a.bin');
  const progress: number[] = [];
  const onProgress = (sent: number, of: number) => {
    assert.equal(of, bytes.length);
    progress.push(sent);
  };
  const { url } = await session.uploads.send({ file }, { onProgress });
  assert.equal(await digestOf(url), digest(bytes));
  assert.ok(progress.length > 10);
  assert.equal(progress.at(-1), bytes.length);

  const leaving = new AbortController();
  const stopping = (sent: number) => sent > MEBIBYTE && leaving.abort();
  await assert.rejects(session.uploads.send({ file }, { onProgress: stopping, signal: leaving.signal }), {
    name: 'AbortError',
  });
  await until('the upload is deleted', () => requests.includes('DELETE'));
});
