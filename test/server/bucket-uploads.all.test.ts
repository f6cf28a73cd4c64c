import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { connect, s3Files } from '../../lib/index.ts';
import { startS3Server } from '../adapters/s3-server.ts';
import { type CompiledChatctl, compileChatctl } from '../cli/compiled-chatctl.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { until } from '../support/until.ts';
import { cuttingProxy } from './cutting-proxy.ts';
import { running } from './running.ts';

const MEBIBYTE = 1024 * 1024;

let chatctl: CompiledChatctl;
before(async () => {
  chatctl = await compileChatctl();
});
after(() => chatctl.remove());

async function bucket(t: TestContext) {
  const server = await startS3Server();
  t.after(() => server.close());
  return server;
}

async function contentOf({ content }: { content: AsyncIterable<Uint8Array> }): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces);
}

test('files in a bucket are uploaded at once or resumed, and downloaded whole or in part', async (t) => {
  const server = await bucket(t);
  const { port, owner, url, auth } = await running(t, {}, { files: s3Files(server.options) });
  const proxy = await cuttingProxy(t, port, (cuts) => (cuts < 2 ? 11 * MEBIBYTE : undefined));
  const session = connect({ site: proxy.url, email: owner.email, api_key: owner.api_key });
  t.after(() => session.close());
  const [small, large] = [randomBytes(100), randomBytes(27 * MEBIBYTE)];
  const sent = await session.uploads.send({ file: new File([small], 'small.bin') });
  assert.deepEqual(await contentOf(await session.download(sent.url)), small);
  const resumed = await session.uploads.send({ file: new File([large], 'large.bin') });
  assert.equal(proxy.cuts, 2);
  const range = { start: 10 * MEBIBYTE, end: 10 * MEBIBYTE + 9 };
  assert.deepEqual(
    await contentOf(await session.download(resumed.url, { range })),
    large.subarray(range.start, range.end + 1),
  );
  assert.ok((await contentOf(await session.download(resumed.url))).equals(large));
  const { objects, parts } = await server.stored();
  assert.deepEqual([objects.length, parts], [2, 0]);
  const head = await fetch(url + resumed.url, { method: 'HEAD', headers: { authorization: auth } });
  assert.equal(head.headers.get('content-length'), String(large.length));
});

test('an abandoned resumable upload leaves nothing in the bucket', async (t) => {
  const server = await bucket(t);
  const clock = new ManualClock(Date.now());
  const { chat, port, owner } = await running(t, {}, { files: s3Files(server.options), clock });
  const proxy = await cuttingProxy(t, port, () => 10 * MEBIBYTE);
  const session = connect({ site: proxy.url, email: owner.email, api_key: owner.api_key });
  t.after(() => session.close());
  const from = async function* (offset: number) {
    if (offset > 0) throw new Error('enough');
    for (let at = 0; at < 12; at++) yield Buffer.alloc(MEBIBYTE);
  };
  const failing = { name: 'large.bin', size: 30 * MEBIBYTE, content: { from, [Symbol.asyncIterator]: () => from(0) } };
  await assert.rejects(session.uploads.send({ file: failing }), /enough/);
  const before = await server.stored();
  assert.ok(before.parts > 0 && before.objects.length > 0, JSON.stringify(before));
  clock.advance({ days: 2 });
  for (let attempt = 0; attempt < 100 && (await server.stored()).objects.length > 0; attempt++) await chat.runDue();
  assert.deepEqual(await server.stored(), { objects: [], parts: 0 });
});

test('chatctl serve stores files in a bucket and refuses to start without credentials or bucket name', async (t) => {
  const server = await bucket(t);
  const folder = await mkdtemp(join(tmpdir(), 'bucket-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const { bucket: name, endpoint = '', region = '' } = server.options;
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    AWS_ACCESS_KEY_ID: 'S3RVER',
    AWS_SECRET_ACCESS_KEY: 'S3RVER',
    AWS_ENDPOINT_URL_S3: endpoint,
    AWS_REGION: region,
  };
  const run = (args: string[], environment = env) => {
    const child = spawn(process.execPath, [chatctl.program, ...args], { cwd: folder, env: environment });
    let out = '';
    const hear = (text: unknown) => {
      out += String(text);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    const ended = new Promise<{ code: number | null; out: string }>((done) =>
      child.on('close', (code) => done({ code, out })),
    );
    return { child, ended, out: () => out };
  };
  const serving = run([
    'serve',
    '--db',
    'chat.db',
    '--demo',
    '--port',
    '0',
    '--uploads',
    `s3://${name}/demo`,
    '--json',
  ]);
  t.after(() => serving.child.kill());
  await until('the server listens', () => serving.out().includes('\n'));
  const { url, accounts } = JSON.parse(serving.out());
  const { email, api_key } = accounts[0];
  const session = connect({ site: url, email, api_key });
  t.after(() => session.close());
  await session.uploads.send({ file: new File(['leek'], 'soup.txt') });
  const { objects } = await server.stored();
  assert.equal(objects.length, 1);
  assert.match(objects[0] ?? '', /^demo\/1\//);
  serving.child.kill('SIGINT');
  await serving.ended;
  const { AWS_SECRET_ACCESS_KEY: _, ...withoutKey } = env;
  const keyless = await run(['serve', '--db', 'chat.db', '--uploads', `s3://${name}`], withoutKey).ended;
  assert.deepEqual([keyless.code, /AWS_SECRET_ACCESS_KEY/.test(keyless.out)], [2, true]);
  const nameless = await run(['serve', '--db', 'chat.db', '--uploads', 's3://'], env).ended;
  assert.equal(nameless.code, 2);
});
