import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { untilPollsWait } from '../support/polls.ts';
import { until } from '../support/until.ts';
import { running } from './running.ts';

test('pipelined polls and streams end when their client disconnects', async (t) => {
  const statuses: unknown[] = [];
  const info = (data: { status?: unknown }) => void statuses.push(data.status);
  const { chat, owner, auth, port } = await running(t, { logger: { debug() {}, info, warn: info, error: info } });
  const socket = connect(port, '127.0.0.1');
  t.after(() => socket.destroy());
  for (const path of ['events', 'events', 'events/stream', 'events']) {
    const { queue_id } = await chat.as(owner.user_id).register({ event_types: ['stream'], fetch_event_types: [] });
    socket.write(`GET /api/v1/${path}?queue_id=${queue_id}&last_event_id=-1 HTTP/1.1\r\n`);
    socket.write(`Host: localhost\r\nAuthorization: ${auth}\r\n\r\n`);
  }
  await untilPollsWait(chat, 4);
  socket.destroy();
  await untilPollsWait(chat, 0);
  await until('each request has its line in the log', () => statuses.length === 4);
  assert.deepEqual(statuses, [499, 499, 200, 499]);
});
