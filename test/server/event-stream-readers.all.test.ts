import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { openChat, sqlite } from '../../lib/index.ts';
import { decodeText, transportOf } from '../../lib/internal.ts';
import { EVENT_FRAME, sendEventStream } from '../../server/event-stream.ts';
import { UnsentAnswers } from '../../server/unsent-answers.ts';
import { untilPollsWait } from '../support/polls.ts';
import { until } from '../support/until.ts';
import { openStream } from './event-stream.ts';
import { listening } from './running.ts';

/** Streams of a chat. The address names the queue. */
async function streaming(t: TestContext, stalledMs: number) {
  const chat = await openChat({ storage: sqlite(':memory:') });
  t.after(() => chat.close());
  const { user_id } = await chat.createOrganization({
    name: 'Example',
    owner: { email: 'ada@example.com', full_name: 'Ada' },
  });
  const session = chat.as(user_id);
  const answers: ServerResponse[] = [];
  const unsent = new UnsentAnswers();
  const server = createServer((req, res) => {
    answers.push(res);
    const values = { queue_id: (req.url ?? '').slice(1), last_event_id: '-1' };
    const events = transportOf(chat).streamEvents({ userId: user_id, client: 'test' }, values, decodeText, EVENT_FRAME);
    sendEventStream({ req, res, headers: {} }, events, (bytes) => unsent.hold(res, user_id, bytes), stalledMs).catch(
      () => res.destroy(),
    );
  });
  const port = await listening(t, server);
  const register = async () =>
    (await session.register({ event_types: ['message'], fetch_event_types: [] })).queue_id as string;
  let sent = 0;
  const send = async (count: number) => {
    const content = 'x'.repeat(9_000);
    for (let n = 0; n < count; n++)
      await session.messages.send({ type: 'direct', to: [user_id], content: `${sent++} ${content}` });
  };
  return { chat, port, register, send, answers, unsent };
}

/** A client that requests a stream and reads it at a given rate. */
async function reader(t: TestContext, port: number, queue: string) {
  const socket = connect(port, '127.0.0.1');
  t.after(() => socket.destroy());
  socket.on('error', () => undefined);
  socket.write(`GET /${queue} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  await once(socket, 'readable');
  return socket;
}

test('a client that never reads does not delay others, uses limited memory and is disconnected', async (t) => {
  const { chat, port, register, send, answers, unsent } = await streaming(t, 500);
  await reader(t, port, await register());
  const other = await openStream(t, { port, path: `/${await register()}` });
  await untilPollsWait(chat, 2);
  const [stuck] = answers as [ServerResponse];
  let most = 0;
  for (let round = 0; round < 20; round++) {
    await send(100);
    most = Math.max(most, stuck.writableLength);
  }
  const frames = await other.next(2_000);
  assert.deepEqual(
    frames.map(({ data }) => Number(data.message.content.split(' ')[0])),
    Array.from({ length: 2_000 }, (_, n) => n),
  );
  assert.ok(most < 1_000_000, `${most} bytes`);
  await until('the client that never reads is cut', () => stuck.closed);
  await untilPollsWait(chat, 1);
  assert.equal(unsent.total, 0);
});

test('a client that reads slowly is not disconnected, and receives everything', async (t) => {
  // Shorter than the read time, and much longer than each pause.
  const { chat, port, register, send } = await streaming(t, 3_000);
  const queue = await register();
  await send(1_000);
  const socket = await reader(t, port, queue);
  let events = 0;
  let line = '';
  socket.setEncoding('utf8');
  socket.on('data', (piece) => {
    const lines = (line + piece).split('\n');
    line = lines.pop() ?? '';
    events += lines.filter((line) => line.startsWith('id:')).length;
    socket.pause();
    setTimeout(() => socket.resume(), 25);
  });
  await until('everything has come, or the client is cut', () => events === 1_000 || socket.closed);
  assert.equal(events, 1_000);
  await untilPollsWait(chat, 1);
});

test('many unread events of one account are refused like other large responses', async (t) => {
  const { port, register, send, answers, unsent } = await streaming(t, 60_000);
  const queues = await Promise.all(Array.from({ length: 12 }, register));
  await send(1_000);
  for (const queue of queues) await reader(t, port, queue);
  await until('some are refused', () => answers.some(({ closed }) => closed));
  assert.ok(unsent.total <= 48 * 1024 * 1024);
  assert.ok(answers.filter(({ closed }) => !closed).length > 1);
});
