import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import {
  connect,
  localFiles,
  type RereadableContent,
  type StreamedFile,
  Unreachable,
  type UploadMemory,
} from '../../lib/index.ts';
import { type CompiledChatctl, compileChatctl } from '../cli/compiled-chatctl.ts';
import { until } from '../support/until.ts';
import { cuttingProxy } from './cutting-proxy.ts';
import { listening, running } from './running.ts';

const MEBIBYTE = 1024 * 1024;
const SIZE = 26 * MEBIBYTE + 7;

let chatctl: CompiledChatctl;
before(async () => {
  chatctl = await compileChatctl();
});
after(() => chatctl.remove());

async function served(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'large-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const made = await running(t, {}, { files: localFiles(join(folder, 'files')) });
  const session = (site: string) => {
    const opened = connect({ site, email: made.owner.email, api_key: made.owner.api_key });
    t.after(() => opened.close());
    return opened;
  };
  const digestOf = async (url: string) => {
    const { content } = await session(made.url).download(url);
    const hash = createHash('sha256');
    for await (const piece of content) hash.update(piece);
    return hash.digest('hex');
  };
  return { ...made, folder, session, digestOf };
}

function rereadable(from: RereadableContent['from'], memory?: UploadMemory): RereadableContent {
  return { from, [Symbol.asyncIterator]: () => from(0)[Symbol.asyncIterator](), ...(memory ? { memory } : {}) };
}

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

function inMemory(): UploadMemory & { known: Map<string, string> } {
  const known = new Map<string, string>();
  return {
    known,
    find: async (site) => known.get(site),
    save: async (site, address) => void known.set(site, address),
    forget: async (site) => void known.delete(site),
  };
}

test('a session resumes a large upload where its connection broke', async (t) => {
  const { port, session, digestOf } = await served(t);
  const bytes = randomBytes(SIZE);
  const proxy = await cuttingProxy(t, port, (cuts) => (cuts < 3 ? 5 * MEBIBYTE : undefined));
  const { url, uri, filename } = await session(proxy.url).uploads.send({ file: new File([bytes], 'large.bin') });
  assert.deepEqual([uri, filename, proxy.cuts], [url, 'large.bin', 3]);
  assert.equal(await digestOf(url), digest(bytes));
  const offsets = proxy.requests.flatMap((one) => (one.startsWith('PATCH') ? [Number(one.slice(6))] : []));
  assert.equal(offsets.length, 4);
  for (const [at, offset] of offsets.slice(1).entries()) assert.ok(offset > (offsets[at] ?? 0), String(offsets));
});

test('a later session resumes the upload of an earlier one', async (t) => {
  const { port, folder, session, digestOf } = await served(t);
  const bytes = randomBytes(SIZE);
  const memory = inMemory();
  const stored = async () => {
    const names = await readdir(join(folder, 'files'), { recursive: true });
    const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, 'files', name))).size));
    return Math.max(0, ...sizes);
  };
  const proxy = await cuttingProxy(t, port, () => undefined);
  const file = (failsAt: number): StreamedFile => {
    const from = async function* (offset: number) {
      for (let at = offset; at < SIZE; at += MEBIBYTE) {
        if (at >= failsAt) {
          await until('the server has stored something', async () => (await stored()) > 0);
          throw new Error('the power is off');
        }
        yield bytes.subarray(at, at + MEBIBYTE);
      }
    };
    return { name: 'large.bin', size: SIZE, content: rereadable(from, memory) };
  };
  await assert.rejects(session(proxy.url).uploads.send({ file: file(12 * MEBIBYTE) }), /the power is off/);
  assert.equal(memory.known.size, 1);
  const { url } = await session(proxy.url).uploads.send({ file: file(SIZE) });
  assert.equal(await digestOf(url), digest(bytes));
  assert.equal(memory.known.size, 0);
  assert.equal(proxy.requests.filter((one) => one === 'POST').length, 1);
  const last = proxy.requests.findLast((one) => one.startsWith('PATCH')) ?? '';
  assert.ok(Number(last.slice(6)) > 0, last);
  // If the server has deleted the upload, the session begins a new one.
  memory.known.set(proxy.url, `${proxy.url}/api/v1/tus/1/4e/m2A3MSqFnWRLUf9SaPzQ0Up_/large.bin`);
  assert.match((await session(proxy.url).uploads.send({ file: file(SIZE) })).url, /large\.bin$/);
});

test("a refused upload has the server's message, and a location on another host is not followed", async (t) => {
  const { session, url } = await served(t);
  const huge = { name: 'huge', size: 200 * MEBIBYTE, content: rereadable(pieces) };
  async function* pieces() {
    yield Buffer.alloc(1);
  }
  await assert.rejects(session(url).uploads.send({ file: huge }), { status: 413, message: /too large .*100 MiB/ });
  let asked = 0;
  const elsewhere = await listening(
    t,
    createServer((_, res) => {
      asked++;
      res.end();
    }),
  );
  const lying = createServer((req, res) => {
    req.resume();
    res.writeHead(201, { Location: `http://127.0.0.1:${elsewhere}/api/v1/tus/1/4e/m2A3MSqFnWRLUf9SaPzQ0Up_/x` }).end();
  });
  const site = `http://127.0.0.1:${await listening(t, lying)}`;
  await assert.rejects(session(site).uploads.send({ file: new Blob([Buffer.alloc(SIZE)]) }), /on another host/);
  assert.equal(asked, 0);
});

test('an upload to an unreachable server fails', async (t) => {
  const { session } = await served(t);
  const file = new Blob([Buffer.alloc(SIZE)]);
  await assert.rejects(session('http://127.0.0.1:1').uploads.send({ file }), Unreachable);
});

test('a large file is sent in one request to a server without resumable uploads', async (t) => {
  const { session } = await served(t);
  const requests: string[] = [];
  const older = createServer((req, res) => {
    requests.push(`${req.method} ${req.url}`);
    req.resume().on('end', () => {
      if (req.url === '/api/v1/tus') res.writeHead(404).end();
      else res.end(JSON.stringify({ result: 'success', msg: '', url: '/user_uploads/x', uri: '', filename: 'x' }));
    });
  });
  const site = `http://127.0.0.1:${await listening(t, older)}`;
  assert.equal((await session(site).uploads.send({ file: new Blob([Buffer.alloc(SIZE)]) })).url, '/user_uploads/x');
  assert.deepEqual(requests, ['POST /api/v1/tus', 'POST /api/v1/user_uploads']);
});

test('chatctl uploads send resumes an upload after it was killed', async (t) => {
  const { folder, owner, port, digestOf } = await served(t);
  const bytes = randomBytes(SIZE);
  await writeFile(join(folder, 'large.bin'), bytes);
  let isSlow = true;
  // The first connection is cut.
  const proxy = await cuttingProxy(t, port, () => (isSlow ? 20 * MEBIBYTE : undefined));
  const send = () => {
    const environment = { ...process.env, XDG_CACHE_HOME: join(folder, 'cache') };
    const account = ['--site', proxy.url, '--user', owner.email, '--api-key', owner.api_key];
    const child = spawn(process.execPath, [chatctl.program, 'uploads', 'send', 'large.bin', ...account], {
      cwd: folder,
      env: environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let out = '';
    child.stdout?.on('data', (text: Buffer) => {
      out += text.toString();
    });
    const ended = new Promise<string>((resolve) => child.on('close', () => resolve(out)));
    return { child, ended };
  };
  const first = send();
  await until('the proxy has cut a connection', () => proxy.cuts > 0);
  first.child.kill('SIGKILL');
  await first.ended;
  isSlow = false;
  const second = await send().ended;
  const [, url = ''] = /^\[large\.bin\]\((.*)\)$/m.exec(second) ?? [];
  assert.equal(await digestOf(url), digest(bytes));
  assert.equal(proxy.requests.filter((one) => one === 'POST').length, 1);
  const last = proxy.requests.findLast((one) => one.startsWith('PATCH')) ?? '';
  assert.ok(Number(last.slice(6)) > 0, last);
  assert.deepEqual(await readdir(join(folder, 'cache', 'chatctl', 'uploads')), []);
});
