import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { buildWeb } from '../../server/pages/web/build.ts';
import { isWebFile, WebFiles } from '../../server/pages/web/web-files.ts';
import { running } from './running.ts';

const asking = (accepted: string) => ({ headers: { 'accept-encoding': accepted } }) as IncomingMessage;

test('built files are served in accepted encodings, hashed ones with immutable caching', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'web-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  // Files of an earlier build.
  await mkdir(join(folder, 'web'));
  for (const name of ['panel-app.0000000A.js', 'web/panel-app.0000000A.js']) await writeFile(join(folder, name), '');
  await buildWeb(folder);
  const names = await readdir(join(folder, 'web'));
  const contents = new Map<string, Buffer>();
  for (const name of names) contents.set(name, await readFile(join(folder, 'web', name)));
  const files = new WebFiles(async () => contents);
  const plain = [...contents.keys()].filter((name) => !/\.(br|gz)$/.test(name));
  assert.equal(contents.size, 3 * plain.length);
  const beside = (await readdir(folder)).filter((name) => name !== 'web' && name !== 'panel');
  assert.deepEqual([...beside, ...(await readdir(join(folder, 'panel')))].sort(), plain.sort());
  const [panel = '', ...others] = await files.namesOfApp();
  assert.ok(String(contents.get('panel.js')).includes(`"./${panel}"`), 'panel.js imports the panel');
  assert.ok(others.some((name) => name.startsWith('panel-app.')));
  const unpacked = { br: brotliDecompressSync, gzip: gunzipSync, none: (bytes: Buffer) => bytes };
  for (const [accepted, encoding] of [
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', 'none'],
  ] as const) {
    for (const [name, caching] of [
      [panel, 'public, max-age=31536000, immutable'],
      ['panel.js', 'public, no-cache'],
    ] as const) {
      const { bytes, headers } = await files.page(`/static/${name}`, asking(accepted));
      assert.deepEqual(unpacked[encoding](bytes as Buffer), await readFile(join(folder, name)));
      assert.equal(headers['Content-Encoding'] ?? 'none', encoding);
      assert.equal(headers['Cache-Control'], caching);
      assert.equal(headers['Access-Control-Allow-Origin'], '*');
    }
  }
  const { headers } = await files.page('/static/content.css', asking('br'));
  assert.equal(headers['Content-Type'], 'text/css; charset=utf-8');
  assert.ok(isWebFile('/service-worker.js'));
  const worker = await files.page('/service-worker.js', asking('identity'));
  assert.deepEqual(worker.bytes, await readFile(join(folder, 'panel', 'service-worker.js')));
  assert.equal(worker.headers['Cache-Control'], 'public, no-cache', 'browsers look for a new version');
  await assert.rejects(files.page('/static/panel-chunk.00000000.js', asking('br')), { code: 'NOT_FOUND' });
});

test('other paths below /static are not files of the panel', () => {
  for (const path of [
    '/static/../panel.js',
    '/static/panel.js.br',
    '/static/panel.d.ts',
    '/static/panel-app.js',
    '/static/x/panel.js',
    '/panel.js',
  ])
    assert.ok(!isWebFile(path), path);
});

test('the error for a missing build names the command to run', async () => {
  const files = new WebFiles(async () => new Map());
  await assert.rejects(files.namesOfApp(), /npm run build:web/);
});

test('in a checkout, the panel is built on its first request and served with an ETag', async (t) => {
  const { send } = await running(t);
  const entry = await send('GET', '/static/panel.js', { auth: null });
  const [, panel = ''] = /"\.(\/panel-[\w.-]+)"/.exec(entry.text) ?? [];
  const first = await send('GET', `/static${panel}`, { auth: null, headers: { 'accept-encoding': 'gzip' } });
  assert.deepEqual([entry.status, first.status], [200, 200]);
  assert.equal(first.headers['content-encoding'], 'gzip');
  const headers = { 'if-none-match': String(entry.headers.etag) };
  assert.equal((await send('GET', '/static/panel.js', { auth: null, headers })).status, 304);
  assert.equal((await send('GET', '/static/panel-chunk.00000000.js', { auth: null })).status, 404);
});
