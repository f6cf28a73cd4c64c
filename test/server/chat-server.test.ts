import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, request } from 'node:http';
import { connect, createServer as createNetServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openChat, sqlite } from '../../lib/index.ts';
import { transportOf } from '../../lib/internal.ts';
import { createServer, serve } from '../../server/index.ts';
import { LongPolls } from '../../server/long-polls.ts';
import { freePort } from '../support/free-port.ts';
import { untilPollsWait } from '../support/polls.ts';
import { listening, running, send as sendTo } from './running.ts';

test('serve returns the URL at which the server answers', async (t) => {
  const { url, owner, auth } = await running(t, { prefix: '/chat/' });
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/chat$/);
  const answer = await fetch(`${url}/api/v1/users/me`, { headers: { authorization: auth } });
  assert.equal(((await answer.json()) as { user_id: number }).user_id, owner.user_id);
});

test('without baseUrl, links have the URL of the server, and no path of a socket', async (t) => {
  const { url, chat, send } = await running(t);
  const linked = async () => (await send('GET', '/api/v1/server_settings', { auth: null })).body.realm_url;
  assert.equal(await linked(), url);
  const folder = await mkdtemp(join(tmpdir(), 'parlance-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const { close } = await serve(chat, { socket: join(folder, 'chat.sock') });
  t.after(close);
  assert.equal(await linked(), url);
});

test('the URL of a server that listens on all addresses names localhost', async (t) => {
  const { url, port } = await running(t, { host: '0.0.0.0' });
  assert.equal(url, `http://localhost:${port}`);
});

test('serve replaces the socket of a dead server, but no socket that answers and no other file', async (t) => {
  const { chat } = await running(t);
  const folder = await mkdtemp(join(tmpdir(), 'parlance-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const socket = join(folder, 'chat.sock');
  // A renamed socket stays when its server closes.
  const dead = createNetServer().listen(join(folder, 'other.sock'));
  await once(dead, 'listening');
  await rename(join(folder, 'other.sock'), socket);
  await new Promise((closed) => dead.close(closed));
  const { close } = await serve(chat, { socket });
  t.after(close);
  await assert.rejects(serve(chat, { socket }), /^Error: Another server already listens on .*chat\.sock\.$/);
  const [response] = await once(request({ socketPath: socket, path: '/health' }).end(), 'response');
  assert.equal(response.statusCode, 200);
  response.resume();
  const file = join(folder, 'notes');
  await writeFile(file, 'mine');
  await assert.rejects(serve(chat, { socket: file }), /is not a socket/);
  assert.equal(await readFile(file, 'utf8'), 'mine');
});

test('closing a server answers its long polls and waits for them', async (t) => {
  const { chat, owner, auth } = await running(t);
  const { queue_id } = await chat.as(owner.user_id).register({ fetch_event_types: [] });
  const server = await serve(chat, { port: 0 });
  const { port } = new URL(server.url);
  const waiting = sendTo(Number(port), 'GET', `/api/v1/events?queue_id=${queue_id}&last_event_id=-1`, { auth });
  const idle = connect(Number(port), '127.0.0.1').on('error', () => {});
  await untilPollsWait(chat, 1);
  const started = performance.now();
  await Promise.all([server.close(), server.close()]);
  assert.ok(performance.now() - started < 2_000);
  const answer = await waiting;
  assert.equal(answer.status, 200);
  assert.equal(answer.body.events[0].type, 'heartbeat');
  await assert.rejects(sendTo(Number(port), 'GET', '/'), { code: 'ECONNREFUSED' });
  idle.destroy();
});

test('a long poll that begins while the server closes ends at once', async (t) => {
  const polls = new LongPolls({ ownsRequests: true });
  const queue = { queueId: 'queue', userId: 7, address: '' };
  polls.release();
  const server = createHttpServer((req, res) =>
    polls.hold(req, res, async ({ aborted }) => res.end(aborted ? 'ended' : 'held'), { queue }),
  );
  assert.equal((await sendTo(await listening(t, server), 'GET', '/')).text, 'ended');
});

test('closing a server ends requests after closeTimeoutMs', async (t) => {
  const { chat, url, port } = await running(t);
  const stuck = await serve(chat, { port: 0, closeTimeoutMs: 100 });
  assert.notEqual(stuck.url, url);
  transportOf(chat).engine.call = () => new Promise(() => {});
  const request = sendTo(Number(new URL(stuck.url).port), 'GET', '/api/v1/server_settings').catch(
    (error: Error) => error,
  );
  await new Promise((resolve) => setTimeout(resolve, 50));
  await stuck.close();
  assert.ok((await request) instanceof Error);
  assert.ok(port > 0);
});

test('a development server listens only on this machine unless forced', async (t) => {
  const chat = await openChat({ storage: sqlite(':memory:'), development: true });
  t.after(() => chat.close());
  await assert.rejects(serve(chat, { host: '0.0.0.0', port: 0 }), /development mode/i);
  const bare = createServer(chat);
  const refusal = new Promise<Error>((resolve) => bare.once('error', resolve));
  bare.listen(0);
  assert.match((await refusal).message, /development mode/i);
  assert.equal(bare.listening, false);
  for (const options of [{ host: 'localhost' }, { host: '0.0.0.0', force: true }]) {
    const { close } = await serve(chat, { port: 0, ...options });
    await close();
  }
});

test('a server with demo accounts listens only on this machine unless forced', async (t) => {
  const { chat, owner } = await running(t);
  const demoAccounts = [{ user_id: owner.user_id, full_name: 'Olga', role: 'owner' }];
  await assert.rejects(serve(chat, { host: '0.0.0.0', port: 0, demoAccounts }), /log in as its owner/);
  for (const options of [{ host: 'localhost' }, { host: '0.0.0.0', force: true }]) {
    const { close } = await serve(chat, { port: 0, demoAccounts, ...options });
    await close();
  }
});

test('a port in use rejects serve with EADDRINUSE', async (t) => {
  const { chat, port } = await running(t);
  await assert.rejects(serve(chat, { port }), { code: 'EADDRINUSE' });
});

test('serve does not listen at all if its inspection address is in use', async (t) => {
  const { chat, port: taken } = await running(t);
  const port = await freePort();
  const inspectionAt = { host: '127.0.0.1', port: taken };
  await assert.rejects(serve(chat, { port, inspectionAt }), { code: 'EADDRINUSE' });
  const { close } = await serve(chat, { port });
  await close();
});

test('connections beyond maxConnections are dropped', async (t) => {
  const { port } = await running(t, { maxConnections: 1 });
  const first = connect(port, '127.0.0.1');
  await new Promise((resolve) => first.once('connect', resolve));
  await assert.rejects(sendTo(port, 'GET', '/'));
  first.destroy();
});
