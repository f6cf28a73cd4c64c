import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { UnsentAnswers } from '../../server/unsent-answers.ts';
import { until } from '../support/until.ts';

const MEBIBYTE = 1024 * 1024;

/** A server whose responses are larger than any system buffer. The address names the account. */
async function serving(t: TestContext, unsent: UnsentAnswers, bytes: number) {
  // A string would be copied for each response.
  const body = Buffer.alloc(bytes, 'x');
  const answers: ServerResponse[] = [];
  const server = createServer((req, res) => {
    answers.push(res);
    try {
      unsent.add(res, req.url ?? '', bytes);
      res.end(body);
    } catch (error) {
      res.writeHead((error as { status: number }).status).end();
    }
  }).listen(0, '127.0.0.1');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  const ask = async (caller: string) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    t.after(() => socket.destroy());
    socket.on('error', () => undefined);
    let size = 0;
    socket.on('data', (piece: Buffer) => {
      size += piece.length;
    });
    socket.write(`GET /${caller} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    const [head] = (await once(socket, 'data')) as [Buffer];
    socket.pause();
    return { socket, status: Number(head.toString('latin1', 9, 12)), received: () => size };
  };
  return { ask, answers };
}

test('a client that reads nothing of a large response is disconnected', async (t) => {
  const { ask, answers } = await serving(t, new UnsentAnswers(200), 30 * MEBIBYTE);
  const { socket, status, received } = await ask('ada');
  assert.equal(status, 200);
  const [answer] = answers as [ServerResponse];
  if (!answer.closed) await once(answer, 'close');
  socket.resume();
  await once(socket, 'close');
  assert.ok(received() < 30 * MEBIBYTE, `${received()} bytes`);
});

test('a client that reads slowly stays connected', async (t) => {
  const { ask, answers } = await serving(t, new UnsentAnswers(1_000), 30 * MEBIBYTE);
  const { socket, received } = await ask('ada');
  socket.on('data', () => {
    socket.pause();
    setTimeout(() => socket.resume(), 5);
  });
  socket.resume();
  const [answer] = answers as [ServerResponse];
  await once(answer, 'close');
  await until('the client has received 30 MiB', () => received() >= 30 * MEBIBYTE);
});

test('a client with large unread responses receives no more of them, and other clients do', async (t) => {
  const { ask, answers } = await serving(t, new UnsentAnswers(), 30 * MEBIBYTE);
  const first = await ask('ada');
  assert.equal(first.status, 200);
  assert.equal((await ask('ada')).status, 429);
  assert.equal((await ask('ben')).status, 200);
  first.socket.destroy();
  const [answer] = answers as [ServerResponse];
  if (!answer.closed) await once(answer, 'close');
  assert.equal((await ask('ada')).status, 200);
});

test('a client that has read everything receives a response of any size', async (t) => {
  const { ask } = await serving(t, new UnsentAnswers(), 49 * MEBIBYTE);
  assert.equal((await ask('ada')).status, 200);
  assert.equal((await ask('ada')).status, 429);
});

test('at most 512 MiB stay unread, and the client with the most is disconnected in favour of another', async (t) => {
  const unsent = new UnsentAnswers();
  const { ask, answers } = await serving(t, unsent, 20 * MEBIBYTE);
  assert.equal((await ask('one')).status, 200);
  for (let n = 0; n < 12; n++) {
    assert.equal((await ask(`two-${n}`)).status, 200);
    assert.equal((await ask(`two-${n}`)).status, 200);
  }
  assert.ok(unsent.total <= 512 * MEBIBYTE);
  const [first, second] = answers as [ServerResponse, ServerResponse];
  assert.equal((await ask('newcomer')).status, 200);
  assert.ok(second.destroyed);
  assert.ok(!first.destroyed);
  // This client then has as much unread data as any other.
  assert.equal((await ask('one')).status, 200);
  assert.ok(unsent.total <= 512 * MEBIBYTE);
});

test('a client is not disconnected in favour of one with more unread data', async (t) => {
  const unsent = new UnsentAnswers();
  const { ask, answers } = await serving(t, unsent, 24 * MEBIBYTE);
  for (let n = 0; n < 21; n++) assert.equal((await ask(`one-${n}`)).status, 200);
  assert.equal((await ask('one-0')).status, 429);
  assert.ok(answers.slice(0, 21).every((answer) => !answer.destroyed));
});
