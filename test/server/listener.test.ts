import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { requestListener } from '../../server/index.ts';
import { listening, running, send as sendTo } from './running.ts';

test('with a prefix, paths are accepted with and without it, and other prefixes are not', async (t) => {
  const { send } = await running(t, { prefix: '/chat' });
  assert.equal((await send('GET', '/chat/api/v1/users/me')).status, 200);
  assert.equal((await send('GET', '/api/v1/users/me')).status, 200);
  assert.equal((await send('GET', '/chatter/api/v1/users/me')).status, 404);
});

test("the listener passes requests outside its paths to the host's next handler", async (t) => {
  const { chat } = await running(t);
  const listener = requestListener(chat, { pages: false });
  const port = await listening(
    t,
    createServer((req, res) => listener(req, res, () => res.end('the host'))),
  );
  assert.equal((await sendTo(port, 'GET', '/')).text, 'the host');
  assert.equal((await sendTo(port, 'GET', '/apiary')).text, 'the host');
  assert.equal((await sendTo(port, 'GET', '/api/v1/server_settings')).status, 200);
  assert.equal((await sendTo(port, 'GET', '/api/v1/nothing')).status, 404);
});

test('a body that the host has read is taken from req.body, and a missing one is an error', async (t) => {
  const { chat, owner, auth } = await running(t);
  const listener = requestListener(chat);
  const bodies: unknown[] = [
    { name: 'parsed', subscribers: ['[1]', `[${owner.user_id}]`] },
    'name=text&subscribers=[]',
    Buffer.from('name=bytes&subscribers=[]'),
    undefined,
  ];
  const server = createServer((req, res) => {
    req.resume().on('end', () => listener(Object.assign(req, { body: bodies.shift() }), res));
  });
  const port = await listening(t, server);
  const statuses: number[] = [];
  while (bodies.length > 0) {
    const answer = await sendTo(port, 'POST', '/api/v1/channels/create', { auth, form: { read: 'already' } });
    statuses.push(answer.status);
  }
  // A host that reads a body and does not keep it has a defect.
  assert.deepEqual(statuses, [200, 200, 200, 500]);
  const names = (await chat.as(owner.user_id).channels.list()).streams.map((channel) => channel.name);
  assert.deepEqual(names.filter((name) => ['parsed', 'text', 'bytes'].includes(name)).sort(), [
    'bytes',
    'parsed',
    'text',
  ]);
});
