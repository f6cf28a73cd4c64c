import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { localFiles } from '../../lib/index.ts';
import { type Running, running } from '../server/running.ts';

const DEPLOY = new URL('../../examples/deploy/', import.meta.url);
/** Long enough for a proxy that gives up after its usual minute, where there is time for that. */
const HOLD_SECONDS = process.env.PARLANCE_LONG_POLLS ? 95 : 2;

interface Proxy {
  program: string;
  /** Writes what the program needs into the folder; returns its arguments. */
  prepare(folder: string, ports: { chat: number; tls: number; plain: number }): Promise<string[]>;
}

const PROXIES: Readonly<Record<string, Proxy>> = {
  nginx: {
    program: ['/usr/sbin/nginx', '/usr/bin/nginx', '/opt/homebrew/bin/nginx'].find(existsSync) ?? '',
    async prepare(folder, { chat, tls, plain }) {
      const site = (await readFile(new URL('nginx.conf', DEPLOY), 'utf8'))
        .replace('127.0.0.1:9991', `127.0.0.1:${chat}`)
        .replaceAll(/ +listen \[::\].*\n/g, '')
        .replace('listen 80;', `listen 127.0.0.1:${plain};`)
        .replace('listen 443', `listen 127.0.0.1:${tls}`)
        .replace(/ssl_certificate \S+;/, `ssl_certificate ${folder}/cert.pem;`)
        .replace(/ssl_certificate_key \S+;/, `ssl_certificate_key ${folder}/key.pem;`);
      await writeFile(join(folder, 'site.conf'), site);
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
      const conf = `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; ${process.getuid?.() === 0 ? 'user root;' : ''}
        events {} http { access_log off; ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')} include ${folder}/site.conf; }`;
      await writeFile(join(folder, 'main.conf'), conf);
      return ['-p', folder, '-e', `${folder}/error.log`, '-c', join(folder, 'main.conf')];
    },
  },
  caddy: {
    program: ['/usr/bin/caddy', '/usr/local/bin/caddy', '/opt/homebrew/bin/caddy'].find(existsSync) ?? '',
    async prepare(folder, { chat, tls, plain }) {
      const site = (await readFile(new URL('Caddyfile', DEPLOY), 'utf8'))
        .replace('127.0.0.1:9991', `127.0.0.1:${chat}`)
        .replace(
          'chat.example.com {',
          `https://localhost:${tls} {\n\tbind 127.0.0.1\n\ttls ${folder}/cert.pem ${folder}/key.pem`,
        );
      const global = `{\n\tadmin off\n\tauto_https disable_redirects\n\thttp_port ${plain}\n}\n`;
      const path = join(folder, 'Caddyfile');
      await writeFile(path, global + site);
      return ['run', '--config', path, '--adapter', 'caddyfile'];
    },
  },
};

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A chat behind the proxy; `tls` and `plain` are the proxy's ports. */
async function behind(t: TestContext, proxy: Proxy): Promise<Running & { tls: number; plain: number; folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'parlance-'));
  const made = await running(
    t,
    { trustProxy: 1, rateLimits: { api_by_ip: { seconds: 600, max: 50 } } },
    { files: localFiles(join(folder, 'uploads')), heartbeatSeconds: HOLD_SECONDS },
  );
  const [tls, plain] = [await freePort(), await freePort()];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const key = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem'), '-days', '1'];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...key, ...subject], { stdio: 'ignore' });
  const args = await proxy.prepare(folder, { chat: made.port, tls, plain });
  const env = { PATH: process.env.PATH ?? '', HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const child = spawn(proxy.program, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part: Buffer) => {
      said += part;
    });
  }
  const ended = new Promise((resolve) => child.once('close', resolve));
  t.after(async () => {
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  });
  for (const end = Date.now() + 15_000; ; await delay(50)) {
    assert.ok(child.exitCode === null && Date.now() < end, said);
    if (
      await get(tls, '/api/v1/server_settings').then(
        ({ status }) => status === 200,
        () => false,
      )
    )
      break;
  }
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
    test('a client is counted by its own address, whatever it claims', async (t) => {
      const { tls } = await behind(t, proxy);
      const left = async (options: RequestOptions) =>
        Number((await get(tls, '/api/v1/server_settings', options)).headers['x-ratelimit-remaining']);
      const first = await left({});
      assert.equal(await left({ headers: { 'X-Forwarded-For': '203.0.113.7' } }), first - 1);
      assert.equal(await left({ headers: { 'X-Forwarded-For': '203.0.113.8, 198.51.100.9' } }), first - 2);
      // Another machine has a count of its own.
      if (process.platform === 'linux') assert.equal(await left({ localAddress: '127.0.0.2' }), 49);
    });

    test('a poll is held until something happens, and as long as the chat holds it', async (t) => {
      const { tls, chat, owner, auth } = await behind(t, proxy);
      const { queue_id, last_event_id } = await chat.as(owner.user_id).register({ event_types: ['message'] });
      const asked = new URLSearchParams({ queue_id: String(queue_id), last_event_id: String(last_event_id) });
      const poll = () => get(tls, `/api/v1/events?${asked}`, { headers: { authorization: auth } });
      const began = performance.now();
      const silent = await poll();
      assert.match(silent.text, /heartbeat/);
      assert.ok(performance.now() - began > (HOLD_SECONDS - 1) * 1_000);
      const waiting = poll();
      await delay(200);
      await chat.as(owner.user_id).messages.send({ type: 'direct', to: [owner.user_id], content: 'behind a proxy' });
      assert.match((await waiting).text, /behind a proxy/);
    });

    test('the first bytes of an upload arrive before the last are sent, and come back whole', async (t) => {
      const { tls, auth, folder } = await behind(t, proxy);
      const boundary = 'xyz';
      const answered = new Promise<Got>((resolve, reject) => {
        const sent = httpsRequest(
          {
            ...{ host: 'localhost', port: tls, path: '/api/v1/user_uploads', method: 'POST', family: 4 },
            ...{ rejectUnauthorized: false, agent: false },
            headers: { authorization: auth, 'content-type': `multipart/form-data; boundary=${boundary}` },
          },
          (answer) => void got(answer).then(resolve, reject),
        );
        sent.on('error', reject);
        void (async () => {
          sent.write(`--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.bin"\r\n\r\n`);
          sent.write(Buffer.alloc(2_000_000, 'a'));
          // Nothing more is sent before the chat has written some of it.
          for (const end = Date.now() + 15_000; !(await hasBytes(join(folder, 'uploads'))); await delay(20)) {
            assert.ok(Date.now() < end, 'the bytes are held back');
          }
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
      test('plain HTTP leads to TLS', async (t) => {
        const { plain } = await behind(t, proxy);
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
test('systemd finds nothing to say of the units', {
  skip: !existsSync(analyze) && 'systemd is not installed',
}, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'parlance-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const names = ['parlance.service', 'parlance-backup.service', 'parlance-backup.timer'];
  for (const name of names) await writeFile(join(folder, name), await readFile(new URL(name, DEPLOY)));
  const { stderr, status } = spawnSync(analyze, ['verify', '--man=no', ...names.map((name) => join(folder, name))], {
    encoding: 'utf8',
  });
  // Of other units of this machine it speaks too.
  assert.equal(
    stderr
      .split('\n')
      .filter((line) => line.includes('parlance'))
      .join('\n'),
    '',
  );
  assert.ok(status === 0 || !stderr.includes('parlance'), stderr);
});
