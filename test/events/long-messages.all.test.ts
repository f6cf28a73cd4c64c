import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { compiledProgram } from '../programs.ts';

const QUEUES = 900;

test('a long message to 900 waiting polls is not copied for each, and reaches all with a heap of 64 MB', async (t) => {
  const server = fork(await compiledProgram('small-heap-server'), [JSON.stringify({ queues: QUEUES })], {
    execArgv: ['--max-old-space-size=64'],
    stdio: ['ignore', 'inherit', 'ignore', 'ipc'],
  });
  const ended = once(server, 'exit').then(() => assert.fail('the server has ended'));
  ended.catch(() => undefined);
  t.after(() => server.kill('SIGKILL'));
  const [{ url, ids, auth }] = (await Promise.race([once(server, 'message'), ended])) as [
    { url: string; ids: string[]; auth: string },
  ];
  const port = Number(new URL(url).port);
  const sizes = ids.map(async (id) => {
    const socket = connect(port, '127.0.0.1');
    t.after(() => socket.destroy());
    const path = `/api/v1/events?queue_id=${id}&last_event_id=-1`;
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic ${auth}\r\n\r\n`);
    let size = 0;
    let expected = Number.POSITIVE_INFINITY;
    for await (const piece of socket as AsyncIterable<Buffer>) {
      if (size === 0) {
        const head = piece.toString('latin1').split('\r\n\r\n', 1)[0] as string;
        expected = head.length + 4 + Number(/Content-Length: (\d+)/.exec(head)?.[1]);
      }
      size += piece.length;
      if (size >= expected) break;
    }
    return { size, expected };
  });
  server.send({ content: ':smile: '.repeat(1_240) });
  for (const { size, expected } of await Promise.race([Promise.all(sizes), ended])) {
    assert.equal(size, expected);
    assert.ok(size > 100_000, `${size} bytes`);
  }
});
