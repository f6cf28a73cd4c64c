import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { localFiles, openChat, sqlite } from '../../lib/index.ts';
import { transportOf } from '../../lib/internal.ts';
import { Metrics, serve } from '../../server/index.ts';
import { memoryFolder } from '../support/memory-folder.ts';
import { running } from './running.ts';

const TOKEN = 'a-token-of-some-length';
const bearer = { auth: `Bearer ${TOKEN}` };

describe('/health and /ready', () => {
  it('answer at the root and below the prefix, without credentials', async (t) => {
    const { send } = await running(t, { prefix: '/chat' });
    for (const path of ['/health', '/chat/health', '/ready', '/chat/ready']) {
      const { status, body } = await send('GET', path, { auth: null });
      assert.deepEqual([status, body], [200, { status: 'ok' }], path);
    }
    assert.equal((await send('HEAD', '/health')).status, 200);
    assert.equal((await send('POST', '/health')).status, 405);
  });

  it('names the failed parts of /ready only with the token', async (t) => {
    const { send, chat } = await running(t, { inspectionToken: TOKEN });
    await chat.close();
    const { status, body } = await send('GET', '/ready', { auth: null });
    assert.deepEqual([status, body], [503, { status: 'unavailable' }]);
    assert.deepEqual((await send('GET', '/ready', bearer)).body, {
      status: 'unavailable',
      parts: { storage: 'closed', worker: 'ok' },
    });
    // The process itself is healthy.
    assert.equal((await send('GET', '/health')).status, 200);
  });

  it('shows the headers of proxies in /ready only with the token', async (t) => {
    const { send } = await running(t, { inspectionToken: TOKEN });
    const headers = { 'X-Forwarded-For': '192.0.2.1, 192.0.2.2', 'X-Forwarded-Proto': 'https' };
    const shown = async (options: Parameters<typeof send>[2]) => (await send('GET', '/ready', options)).body.forwarded;
    assert.deepEqual(await shown({ ...bearer, headers }), {
      addresses: 2,
      proto: 'https',
    });
    assert.equal(await shown(bearer), undefined);
    assert.equal(await shown({ auth: null, headers }), undefined);
  });

  it('report the database as ok after the process was busy for longer than the timeout', async (t) => {
    // In memory: a file also needs an answer of the disk.
    const { chat } = await running(t, {}, { storage: sqlite(':memory:') });
    const readiness = transportOf(chat).readiness(200);
    const end = performance.now() + 400;
    while (performance.now() < end);
    assert.deepEqual(await readiness, { storage: 'ok', worker: 'ok', warnings: {} });
  });

  it('names an upload folder that was moved away or cannot be written, and uploads get 503', async (t) => {
    const folder = await mkdtemp(join(memoryFolder(), 'files-'));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const place = join(folder, 'uploads');
    const owner = { email: 'ada@example.com', full_name: 'Ada' };
    // A new chat each time, since the state is cached for a few seconds.
    const stateOf = async () => {
      const logger = { debug() {}, info() {}, warn() {}, error() {} };
      const chat = await openChat({ storage: sqlite(join(folder, 'chat.db')), files: localFiles(place), logger });
      await chat.ensureOrganization({ name: 'Example', owner });
      const { files } = (await transportOf(chat).readiness(2_000)).warnings;
      const sent = chat.as(owner.email).uploads.send({ file: new File(['x'], 'a.txt') });
      const status = await sent.then(
        () => 200,
        (error: { status?: number }) => error.status,
      );
      await chat.close();
      return [files, status];
    };
    assert.deepEqual(await stateOf(), [undefined, 200]);
    await rename(place, join(folder, 'moved'));
    assert.match(String((await stateOf())[0]), /, the newest uploaded file, is missing$/);
    await rm(place, { recursive: true });
    await writeFile(place, '');
    assert.deepEqual(await stateOf(), [`${place} cannot be opened: it is not a folder.`, 503]);
  });

  it('report a closing server as healthy and not ready', async (t) => {
    const { chat } = await running(t);
    const inspectionAt = { host: '127.0.0.1', port: 0 };
    const { server, url, inspectionUrl, close } = await serve(chat, { port: 0, inspectionAt });
    t.after(close);
    // Closing waits for a running request.
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    t.after(() => socket.destroy());
    socket.write('POST /api/v1/fetch_api_key HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n');
    await once(server, 'request');
    const closed = close();
    const ready = await fetch(`${inspectionUrl}/ready`);
    assert.deepEqual(
      [ready.status, await ready.json()],
      [503, { status: 'unavailable', parts: { storage: 'ok', worker: 'ok', server: 'closing' } }],
    );
    assert.equal((await fetch(`${inspectionUrl}/health`)).status, 200);
    socket.destroy();
    await closed;
  });

  it('leave the same addresses of a host to the host', async (t) => {
    const { chat } = await running(t);
    const { requestListener } = await import('../../server/index.ts');
    let isLeft = false;
    requestListener(chat)({ url: '/health', method: 'GET', headers: {}, socket: {} } as never, {} as never, () => {
      isLeft = true;
    });
    assert.ok(isLeft);
  });
});

describe('/metrics', () => {
  it('answers only requests with the token', async (t) => {
    const { send } = await running(t, { metrics: new Metrics(), inspectionToken: TOKEN });
    for (const auth of [null, 'Bearer wrong', undefined]) {
      for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS']) {
        const { status, headers } = await send(method, '/metrics', auth === undefined ? {} : { auth });
        assert.deepEqual([status, headers.allow], [404, undefined], `${method} by ${auth}`);
      }
    }
    assert.equal((await send('POST', '/metrics', bearer)).status, 405);
    const { status, text, headers } = await send('GET', '/metrics', bearer);
    assert.equal(status, 200);
    assert.match(String(headers['content-type']), /^text\/plain; version=0\.0\.4/);
    assert.match(text, /^parlance_storage_up 1$/m);
  });

  it('answers at the inspection address without a token', async (t) => {
    const metrics = new Metrics();
    const made = await running(t);
    const { inspectionUrl, close } = await serve(made.chat, {
      port: 0,
      metrics,
      inspectionAt: { host: '127.0.0.1', port: 0 },
    });
    t.after(close);
    assert.equal((await fetch(`${inspectionUrl}/metrics`)).status, 200);
    assert.deepEqual(await (await fetch(`${inspectionUrl}/ready`)).json(), {
      status: 'ok',
      parts: { storage: 'ok', worker: 'ok' },
    });
    assert.equal((await fetch(`${inspectionUrl}/api/v1/server_settings`)).status, 404);
  });

  it('counts requests by operation and status, and has values of the chat', async (t) => {
    const { send } = await running(t, { metrics: new Metrics(), inspectionToken: TOKEN });
    await send('GET', '/api/v1/users/me');
    await send('GET', '/api/v1/users/me');
    await send('GET', '/api/v1/users/me', { auth: null });
    await send('POST', '/api/v1/register');
    const { text } = await send('GET', '/metrics', bearer);
    const value = (name: string) => {
      const line = text.split('\n').find((one) => one.startsWith(`${name} `));
      return line === undefined ? undefined : Number(line.slice(name.length));
    };
    assert.equal(value('parlance_http_requests_total{operation="users.me",status="200"}'), 2);
    assert.equal(value('parlance_http_requests_total{operation="users.me",status="401"}'), 1);
    assert.equal(value('parlance_http_request_duration_seconds_count{operation="users.me"}'), 3);
    assert.equal(value('parlance_event_queues'), 1);
    assert.equal(value('parlance_outbox_items'), 0);
    assert.equal(value('parlance_worker_running'), 1);
    for (const name of [
      'parlance_commit_grouped_writes',
      'process_resident_memory_bytes',
      'process_cpu_seconds_total',
    ]) {
      assert.ok((value(name) ?? 0) > 0, name);
    }
  });

  const hasPromtool = spawnSync('promtool', ['--version']).error === undefined;
  it('is valid for promtool', { skip: !hasPromtool && 'promtool is not installed' }, async (t) => {
    const { send } = await running(t, { metrics: new Metrics(), inspectionToken: TOKEN });
    await send('GET', '/api/v1/users/me');
    const { text } = await send('GET', '/metrics', bearer);
    const check = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' });
    assert.equal(check.status, 0, `${check.stdout}${check.stderr}`);
  });

  it('omits values of the database if the database is closed', async (t) => {
    const { send, chat } = await running(t, { metrics: new Metrics(), inspectionToken: TOKEN });
    await chat.close();
    const { status, text } = await send('GET', '/metrics', bearer);
    assert.equal(status, 200);
    assert.match(text, /^parlance_storage_up 0$/m);
    assert.doesNotMatch(text, /^parlance_outbox_items \d/m);
  });
});
