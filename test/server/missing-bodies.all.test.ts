import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { createServer } from '../../server/index.ts';
import { until } from '../support/until.ts';
import { listening, running } from './running.ts';

// They mostly wait.
describe('requests that do not arrive completely', { concurrency: true }, () => {
  test('G6: a connection is closed if its body does not arrive after the response', async (t) => {
    const { port, auth } = await running(t);
    const key = `Authorization: ${auth}\r\n`;
    const chunked = 'Transfer-Encoding: chunked\r\n';
    const form = 'Content-Type: application/x-www-form-urlencoded\r\n';
    const heads = [
      `POST /api/v1/messages HTTP/1.1\r\n${form}Content-Length: 100\r\n`,
      `POST /api/v1/messages HTTP/1.1\r\n${form}${chunked}`,
      `POST /api/v1/no/such/path HTTP/1.1\r\n${key}${form}Content-Length: 100\r\n`,
      `GET /api/v1/users/me HTTP/1.1\r\n${key}Content-Length: 100\r\n`,
      `DELETE /api/v1/users/me HTTP/1.1\r\nSec-Fetch-Site: cross-site\r\n${key}${form}Content-Length: 1\r\n`,
      `POST /api/v1/tus HTTP/1.1\r\nTus-Resumable: 1.0.0\r\nUpload-Length: 9\r\nContent-Length: 9\r\n`,
      `OPTIONS /api/v1/messages HTTP/1.1\r\n${key}Content-Length: 100\r\n`,
      `GET /health HTTP/1.1\r\nContent-Length: 100\r\n`,
      `GET / HTTP/1.1\r\n${chunked}`,
    ];
    const sockets = heads.map((head) => {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      socket.write(`${head.replace('\r\n', '\r\nHost: localhost\r\n')}\r\n`);
      return socket;
    });
    t.after(() => {
      for (const socket of sockets) socket.destroy();
    });
    for (const [at, socket] of sockets.entries()) {
      const [answer] = (await once(socket, 'data')) as [Buffer];
      assert.match(answer.toString(), /^HTTP\/1\.1 [2-4]0\d /, heads[at]);
      socket.resume();
    }
    // A slow body does not change this.
    const trickle = setInterval(() => sockets[0]?.write('x'), 200);
    t.after(() => clearInterval(trickle));
    const closed = sockets.map(async (socket) => socket.closed || once(socket, 'close').catch(() => undefined));
    // Less than the 65 seconds of an idle connection.
    await until('all connections are closed', async () => Promise.all(closed).then(() => true), { seconds: 40 });
  });

  test('a connection whose body arrives after the response stays open for the next request', async (t) => {
    const { port } = await running(t);
    const socket = connect(port, '127.0.0.1');
    t.after(() => socket.destroy());
    const request = 'POST /api/v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n';
    for (let times = 0; times < 3; times++) {
      socket.write(request);
      const [answer] = (await once(socket, 'data')) as [Buffer];
      assert.match(answer.toString(), /^HTTP\/1\.1 401 /);
      socket.write('a=b&c');
    }
  });

  test('headers that do not arrive in time are refused with 408', async (t) => {
    const { chat } = await running(t);
    const server = createServer(chat);
    const socket = connect(await listening(t, server), '127.0.0.1');
    t.after(() => socket.destroy());
    assert.equal(server.headersTimeout, 15_000);
    // The server checks every 5 s for late headers.
    server.headersTimeout = 1;
    socket.write('GET /health HTTP/1.1\r\nHost: localhost\r\n');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    assert.match(answer.toString(), /^HTTP\/1\.1 408 .*did not arrive in time/s);
  });
});
