import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { localFiles, openChat, sqlite } from '../../lib/index.ts';
import { requestListener } from '../../server/index.ts';
import { cuttingProxy } from '../server/cutting-proxy.ts';
import { listening } from '../server/running.ts';
import { until } from '../support/until.ts';
import { bundle, launched, NO_BROWSER } from './pages.ts';

const MEBIBYTE = 1024 * 1024;
const SIZE = 5 * MEBIBYTE + 7;

/** The data that the page uploads. */
const DIGEST = createHash('sha256')
  .update(Uint8Array.from({ length: SIZE }, (_, at) => (at * 31) % 251))
  .digest('hex');

/** A page, and a chat at another origin behind a proxy that breaks connections. */
async function application(t: TestContext, { cuts = 0, isTrusted = true } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'uploading-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const chat = await openChat({ storage: sqlite(':memory:'), files: localFiles(join(folder, 'files')) });
  t.after(() => chat.close());
  const ada = await chat.createOrganization({ name: 'Docs', owner: { email: 'ada@example.com', full_name: 'Ada' } });
  const script = await bundle();
  const page = createServer((req, res) => {
    const isScript = req.url === '/remote.js';
    res.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    res.setHeader('set-cookie', 'login=ada; SameSite=Lax');
    res.end(isScript ? script : '<!doctype html><title>app</title><input type="file">');
  });
  const app = `http://127.0.0.1:${await listening(t, page)}`;
  const listener = requestListener(chat, {
    trustedOrigins: isTrusted ? [app] : [],
    authenticate: ({ headers }) => (/\blogin=ada\b/.test(headers.cookie ?? '') ? ada.user_id : undefined),
  });
  const port = await listening(t, createServer(listener));
  const proxy = await cuttingProxy(t, port, (done) => (done < cuts ? 700_000 : undefined));
  const { context } = await launched(t);
  const tab = await context.newPage();
  await tab.goto(app);
  await tab.evaluate(`(async () => {
    const { connect } = await import('/remote.js');
    globalThis.uploading = (credentials, abortsAt = Infinity) => {
      const session = connect({ site: ${JSON.stringify(proxy.url)}, ...credentials });
      const bytes = Uint8Array.from({ length: ${SIZE} }, (_, at) => (at * 31) % 251);
      const leaving = new AbortController();
      const progress = [];
      const onProgress = (sent, of) => {
        progress.push([sent, of]);
        if (sent >= abortsAt) leaving.abort();
      };
      const file = new File([bytes], 'ä.bin');
      return session.uploads.send({ file }, { onProgress, signal: leaving.signal }).then(
        ({ url, filename }) => ({ url, filename, progress }),
        ({ name, message }) => ({ name, message, progress }),
      );
    };
  })()`);
  const digestOf = async (url: string) => {
    const hash = createHash('sha256');
    for await (const piece of (await chat.as(ada).download(url)).content) hash.update(piece);
    return hash.digest('hex');
  };
  return { tab, proxy, folder, key: { email: ada.email, api_key: ada.api_key }, digestOf };
}

interface Uploaded {
  url: string;
  filename: string;
  name: string;
  message: string;
  progress: [sent: number, of: number][];
}

const call = (credentials: object, abortsAt?: number) =>
  `uploading(${JSON.stringify(credentials)}${abortsAt === undefined ? '' : `, ${abortsAt}`})`;

describe('an upload in a browser', { skip: NO_BROWSER }, () => {
  for (const login of ['the API key', 'the cookie of the host']) {
    it(`continues after the connection broke, with ${login}`, async (t) => {
      const { tab, proxy, key, digestOf } = await application(t, { cuts: 3 });
      const { url, filename, progress } = await tab.evaluate<Uploaded>(call(login === 'the API key' ? key : {}));
      assert.equal(filename, 'ä.bin');
      assert.equal(await digestOf(url), DIGEST);
      assert.equal(proxy.cuts, 3);
      const sent = progress.map(([bytes]) => bytes);
      assert.deepEqual(
        sent,
        [...sent].sort((one, other) => one - other),
      );
      assert.deepEqual(progress.at(0), [0, SIZE]);
      assert.deepEqual(progress.at(-1), [SIZE, SIZE]);
      const offsets = proxy.requests.flatMap((one) => (one.startsWith('PATCH') ? [Number(one.slice(6))] : []));
      assert.ok(new Set(offsets).size >= 4, String(offsets));
      assert.ok(
        offsets.slice(3).every((offset) => offset > 0),
        'received bytes are not sent again',
      );
    });
  }

  it('is cancelled, and the server deletes its bytes', async (t) => {
    const { tab, proxy, folder, key } = await application(t);
    const { name, progress } = await tab.evaluate<Uploaded>(call(key, 1));
    assert.equal(name, 'AbortError');
    assert.ok((progress.at(-1)?.[0] ?? SIZE) < SIZE);
    await until('the browser asks for the deletion', () => proxy.requests.includes('DELETE'));
    const entries = () =>
      readdir(join(folder, 'files'), { recursive: true, withFileTypes: true }).catch((error) => {
        // The server may remove a folder while it is read.
        if (error.code !== 'ENOENT') throw error;
      });
    await until('no file is left', async () => (await entries())?.some((entry) => entry.isFile()) === false);
  });

  it('continues when the network is back', async (t) => {
    const { tab, key, digestOf } = await application(t);
    const context = tab.context();
    await context.setOffline(true);
    const first = await tab.evaluate<Uploaded>(call(key));
    assert.match(first.message, /^Cannot reach http/, 'it does not wait for a server that was never reachable');
    await context.setOffline(false);
    await tab.evaluate(`void (globalThis.done = ${call(key)})`);
    await tab.evaluate('new Promise((resolve) => setTimeout(resolve, 20))');
    await context.setOffline(true);
    await tab.evaluate('new Promise((resolve) => setTimeout(resolve, 1500))');
    await context.setOffline(false);
    const { url } = await tab.evaluate<Uploaded>('done');
    assert.equal(await digestOf(url), DIGEST);
  });

  it('is refused with the cookie of a page that is not trusted', async (t) => {
    const { tab, proxy } = await application(t, { isTrusted: false });
    const { message, progress } = await tab.evaluate<Uploaded>(call({}));
    assert.match(message, /^Cannot reach/);
    assert.deepEqual(progress, []);
    assert.ok(!proxy.requests.some((one) => one.startsWith('PATCH')));
  });

  it('fails if the file has changed', async (t) => {
    const { tab, folder, key, proxy } = await application(t);
    const path = join(folder, 'large.bin');
    await writeFile(path, Buffer.alloc(3 * MEBIBYTE));
    await tab.setInputFiles('input', path);
    await writeFile(path, Buffer.alloc(2 * MEBIBYTE));
    const name = await tab.evaluate(`(async () => {
      const { connect } = await import('/remote.js');
      const session = connect({ site: ${JSON.stringify(proxy.url)}, ...${JSON.stringify(key)} });
      const [file] = document.querySelector('input').files;
      return session.uploads.send({ file }).then(() => '', (error) => error.name);
    })()`);
    assert.match(String(name), /^(NotReadableError|NotFoundError)$/);
  });
});
