import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { after, before, describe, type TestContext, test } from 'node:test';
import { localFiles } from '../../lib/index.ts';
import { transportOf } from '../../lib/internal.ts';
import { type Running, running, send } from '../server/running.ts';
import { until } from '../support/until.ts';
import { PROXIES, type ReverseProxy, startProxy } from './proxies.ts';

const DEPLOY = new URL('../../examples/deploy/', import.meta.url);
/** Longer than a proxy's usual timeout of a minute, if there is time for that. */
const HOLD_SECONDS = process.env.PARLANCE_LONG_POLLS ? 95 : 2;

/** A chat behind the proxy. `tls` and `plain` are the proxy's ports. */
async function behind(
  t: TestContext,
  proxy: ReverseProxy,
): Promise<Running & { tls: number; plain: number; folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'parlance-'));
  const made = await running(
    t,
    { trustProxy: 1, rateLimits: { api_by_ip: { seconds: 600, max: 50 } } },
    { files: localFiles(join(folder, 'uploads')), heartbeatSeconds: HOLD_SECONDS },
  );
  const { tls, plain, check } = await startProxy(t, proxy, folder, made.port);
  await until('the proxy answers', async () => {
    check(true);
    const answer = await get(tls, '/api/v1/server_settings').catch(() => undefined);
    return answer?.status === 200;
  });
  return { ...made, tls, plain, folder };
}

interface Got {
  status: number;
  headers: Record<string, unknown>;
  text: string;
}

async function got(answer: IncomingMessage): Promise<Got> {
  return { status: answer.statusCode ?? 0, headers: answer.headers, text: await textOf(answer) };
}

function get(port: number, path: string, options: RequestOptions = {}): Promise<Got> {
  return new Promise((resolve, reject) => {
    const sent = httpsRequest(
      { host: 'localhost', port, path, rejectUnauthorized: false, agent: false, family: 4, ...options },
      (answer) => void got(answer).then(resolve, reject),
    );
    sent.on('error', reject);
    sent.end();
  });
}

for (const [name, proxy] of Object.entries(PROXIES)) {
  const skip = proxy.program === '' ? `${name} is not installed` : undefined;
  describe(`behind ${name} as in examples/deploy`, { skip: skip ?? false }, () => {
    const ends: (() => unknown)[] = [];
    let site: Awaited<ReturnType<typeof behind>>;
    before(async () => {
      site = await behind({ after: (end: () => unknown) => void ends.push(end) } as TestContext, proxy);
    });
    after(async () => {
      for (const end of ends) await end();
    });

    test('rate limits count a client by its own address, whatever X-Forwarded-For it sends', async () => {
      const { tls } = site;
      const left = async (options: RequestOptions) =>
        Number((await get(tls, '/api/v1/server_settings', options)).headers['x-ratelimit-remaining']);
      const first = await left({});
      assert.equal(await left({ headers: { 'X-Forwarded-For': '203.0.113.7' } }), first - 1);
      assert.equal(await left({ headers: { 'X-Forwarded-For': '203.0.113.8, 198.51.100.9' } }), first - 2);
      // Another machine has its own count.
      if (process.platform === 'linux') assert.equal(await left({ localAddress: '127.0.0.2' }), 49);
    });

    test('a poll waits as long as the chat holds it, and returns at once when a message is sent', async () => {
      const { tls, chat, owner, auth } = site;
      const { queue_id, last_event_id } = await chat.as(owner.user_id).register({ event_types: ['message'] });
      const asked = new URLSearchParams({ queue_id: String(queue_id), last_event_id: String(last_event_id) });
      const poll = () => get(tls, `/api/v1/events?${asked}`, { headers: { authorization: auth } });
      const silent = await poll();
      assert.equal(silent.status, 200);
      // The chat responds after it has held the poll.
      assert.match(silent.text, /"type":"heartbeat"/);
      const waiting = poll();
      await until('the poll waits', () => transportOf(chat).engine.hub.waiting === 1);
      await chat.as(owner.user_id).messages.send({ type: 'direct', to: [owner.user_id], content: 'behind a proxy' });
      assert.match((await waiting).text, /behind a proxy/);
    });

    test('a compressed response arrives unchanged', async () => {
      const { tls, port, auth } = site;
      const path = '/api/v1/openapi.json';
      const options = { headers: { authorization: auth, 'accept-encoding': 'gzip' } };
      const direct = await send(port, 'GET', path, { auth, ...options });
      assert.equal(direct.headers['content-encoding'], 'gzip');
      const { headers, text } = await get(tls, path, options);
      for (const name of ['content-encoding', 'content-length', 'etag', 'vary'])
        assert.equal(headers[name], direct.headers[name], name);
      assert.equal(text, direct.text);
    });

    test('an upload is streamed to the chat before it is complete, and is stored completely', async () => {
      const { tls, auth, folder } = site;
      const boundary = 'xyz';
      const answered = new Promise<Got>((resolve, reject) => {
        const sent = httpsRequest(
          {
            host: 'localhost',
            port: tls,
            path: '/api/v1/user_uploads',
            method: 'POST',
            family: 4,
            rejectUnauthorized: false,
            agent: false,
            headers: { authorization: auth, 'content-type': `multipart/form-data; boundary=${boundary}` },
          },
          (answer) => void got(answer).then(resolve, reject),
        );
        sent.on('error', reject);
        void (async () => {
          sent.write(`--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.bin"\r\n\r\n`);
          sent.write(Buffer.alloc(2_000_000, 'a'));
          // The rest is sent after the chat has written some of it.
          await until('the chat has written some bytes', () => hasBytes(join(folder, 'uploads')), { seconds: 15 });
          sent.write(Buffer.alloc(1_000_000, 'b'));
          sent.end(`\r\n--${boundary}--\r\n`);
        })().catch(reject);
      });
      const { text, status } = await answered;
      assert.equal(status, 200, text);
      const { url } = JSON.parse(text) as { url: string };
      const back = await get(tls, url, { headers: { authorization: auth } });
      assert.equal(back.text.length, 3_000_000);
    });

    if (name === 'nginx') {
      test('plain HTTP is redirected to HTTPS', async () => {
        const { plain } = site;
        const answer = await new Promise<Got>((resolve, reject) => {
          httpRequest(
            { port: plain, path: '/login?x=1', headers: { host: 'chat.example.com' } },
            (sent) => void got(sent).then(resolve, reject),
          )
            .on('error', reject)
            .end();
        });
        assert.equal(answer.status, 301);
        assert.equal(answer.headers.location, 'https://chat.example.com/login?x=1');
      });
    }
  });
}

async function hasBytes(folder: string): Promise<boolean> {
  const { stdout } = spawnSync('find', [folder, '-type', 'f', '-size', '+0'], { encoding: 'utf8' });
  return stdout !== '';
}

const analyze = '/usr/bin/systemd-analyze';
test('systemd-analyze has no findings about the units', {
  skip: !existsSync(analyze) && 'systemd is not installed',
}, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'parlance-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const names = ['parlance.service', 'parlance-backup.service', 'parlance-backup.timer'];
  for (const name of names) await writeFile(join(folder, name), await readFile(new URL(name, DEPLOY)));
  const { stderr, status } = spawnSync(analyze, ['verify', '--man=no', ...names.map((name) => join(folder, name))], {
    encoding: 'utf8',
  });
  // It also reports other units of this machine.
  assert.equal(
    stderr
      .split('\n')
      .filter((line) => line.includes('parlance'))
      .join('\n'),
    '',
  );
  assert.ok(status === 0 || !stderr.includes('parlance'), stderr);
});
