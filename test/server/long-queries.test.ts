import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { until } from '../support/until.ts';
import { running } from './running.ts';

const narrowOf = (terms: number) =>
  encodeURIComponent(JSON.stringify(Array.from({ length: terms }, () => ['is', 'read'])));

/** The server's response to these bytes, until it or the test closes the connection. */
async function exchange(port: number, pieces: readonly string[], patient = true): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  let failure: Error | undefined;
  socket.setEncoding('utf8').on('data', (text: string) => {
    answer += text;
  });
  socket.on('error', (error) => {
    failure = error;
  });
  for (const piece of pieces) if (!socket.write(piece) && patient) await once(socket, 'drain');
  await until('there is an answer', () => answer.endsWith('}\n') || failure);
  socket.destroy();
  assert.equal(failure, undefined);
  return answer;
}

test('B9: queries and headers of 64 KiB are accepted', async (t) => {
  const { send } = await running(t);
  const list = (narrow: string) =>
    send('GET', `/api/v1/messages?anchor=newest&num_before=1&num_after=0&narrow=${narrow}`);
  const few = narrowOf(90);
  assert.equal((await list(few)).status, 200);
  assert.equal((await list(`${few}${'%20'.repeat(Math.ceil((64 * 1024 - few.length) / 3))}`)).status, 200);
  const headers = { 'x-padding': 'x'.repeat(64 * 1024) };
  assert.equal((await send('GET', '/api/v1/users/me', { headers })).status, 200);
  const cookies = { cookie: 'x'.repeat(50 * 1024), referer: `http://a.example/${'y'.repeat(50 * 1024)}` };
  assert.equal((await send('GET', '/api/v1/users/me', { headers: cookies })).status, 200);
  const many = await list(narrowOf(3_000));
  assert.deepEqual([many.status, many.body.result], [400, 'error']);
});

test('B9: longer queries and headers are refused with JSON, not with a reset', async (t) => {
  const { send } = await running(t);
  for (const [path, headers] of [
    [`/api/v1/messages?narrow=${narrowOf(10_000)}`, {}],
    [`/api/v1/messages?narrow=${'x'.repeat(3_000_000)}`, {}],
    [`/api/v1/users/${'x'.repeat(200_000)}`, {}],
    ['/api/v1/users/me', { cookie: 'x'.repeat(200_000) }],
    ['/api/v1/users/me', Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`x-${at}`, 'y'.repeat(200)]))],
  ] as const) {
    const { status, body, headers: answered } = await send('GET', path, { headers });
    assert.deepEqual([status, body.result, body.code], [431, 'error', 'BAD_REQUEST']);
    assert.match(body.msg, /too long \(limit: 131072 bytes\)/);
    assert.equal(answered['content-type'], 'application/json');
  }
});

test('B9: bytes that are no HTTP request are refused with JSON', async (t) => {
  const { port } = await running(t);
  for (const text of [
    'nonsense\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: a\r\nbad header\r\n\r\n',
  ]) {
    const answer = await exchange(port, [text]);
    assert.match(answer, /^HTTP\/1\.1 400 Bad Request\r\n/, text);
    assert.match(answer, /"code":"BAD_REQUEST"/);
  }
  const body = 'POST /api/v1/server_settings HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n';
  assert.match(await exchange(port, [body]), /"result":"error"/);
});

test('B9: a client that continues to send reads the refusal', async (t) => {
  const { port } = await running(t);
  const pieces = ['GET /?', ...Array.from({ length: 100 }, () => 'x'.repeat(100_000))];
  assert.match(await exchange(port, pieces, false), /^HTTP\/1\.1 431 .*"code":"BAD_REQUEST"/s);
});

test('B9: a second, unreadable request does not break the response to the first', async (t) => {
  const { port, auth } = await running(t);
  const first = `GET /api/v1/users/me HTTP/1.1\r\nHost: a\r\nAuthorization: ${auth}\r\n\r\n`;
  const socket = connect(port, '127.0.0.1');
  t.after(() => socket.destroy());
  socket.write(first);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  assert.match(answer.toString(), /^HTTP\/1\.1 200 /);
  socket.write('nonsense\r\n\r\n');
  const [refusal] = (await once(socket, 'data')) as [Buffer];
  assert.match(refusal.toString(), /^HTTP\/1\.1 400 /);
});
