import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { transportOf } from '../../lib/internal.ts';
import { type Answer, basic, running } from './running.ts';

function assertError(answer: Answer, status: number, code: string | undefined): void {
  assert.equal(answer.status, status, answer.text);
  assert.equal(answer.body?.result, 'error');
  assert.equal(typeof answer.body.msg, 'string');
  assert.equal(answer.body.code, code);
  assert.equal(answer.headers['content-type'], 'application/json');
  assert.ok(answer.text.endsWith('}\n'));
}

test('B12: an unknown path is a 404 in JSON, with any credentials', async (t) => {
  const { send } = await running(t);
  for (const path of ['/api/v1/nothing', '/api/v1', '/api/v1/users/1/2/3/4', '/api/v2/users', '/nothing']) {
    assertError(await send('GET', path, { auth: null }), 404, 'NOT_FOUND');
    assertError(await send('POST', path, { auth: 'Bearer x' }), 404, 'NOT_FOUND');
  }
});

test('the root of the API is named in its 404', async (t) => {
  const { send } = await running(t);
  for (const path of ['/api/v1', '/api/v1/', '/api/v1//'])
    assert.equal((await send('GET', path, { auth: null })).body.msg, 'There is nothing at /api/v1.', path);
});

test('an unsupported method is a 405 without a code, before authentication', async (t) => {
  const { send } = await running(t);
  const answer = await send('PUT', '/api/v1/users', { auth: null });
  assertError(answer, 405, undefined);
  assert.deepEqual(answer.body.allowed_methods, ['GET', 'HEAD', 'POST']);
  assert.equal(answer.headers.allow, 'GET, HEAD, POST');
  assert.equal(answer.headers['www-authenticate'], undefined);
  // Without a body, no field can name another method.
  assertError(await send('POST', '/api/v1/users/me', { auth: null }), 405, undefined);
  assertError(await send('POST', '/api/v1/users/me', { auth: null, form: { full_name: 'O' } }), 401, 'UNAUTHORIZED');
});

test('OPTIONS lists the methods of a path and needs no credentials', async (t) => {
  const { send } = await running(t);
  const answer = await send('OPTIONS', '/api/v1/users', { auth: null });
  assert.equal(answer.status, 204);
  assert.equal(answer.text, '');
  assert.equal(answer.headers.allow, 'GET, HEAD, POST');
  assertError(await send('OPTIONS', '/api/v1/nothing', { auth: null }), 404, 'NOT_FOUND');
});

test('HEAD has the status and length of GET, without a body', async (t) => {
  const { send } = await running(t);
  const get = await send('GET', '/api/v1/streams');
  const head = await send('HEAD', '/api/v1/streams');
  assert.equal(head.status, 200);
  assert.equal(head.text, '');
  assert.equal(head.headers['content-length'], get.headers['content-length']);
  assert.equal((await send('HEAD', '/api/v1/streams', { auth: null })).status, 401);
});

test('the field method in the body of a POST overrides the method and is not reported', async (t) => {
  const { send, chat, owner } = await running(t);
  const { id } = await chat.as(owner.user_id).channels.create({ name: 'harbour', subscribers: [owner.user_id] });
  const patched = await send('POST', `/api/v1/streams/${id}`, { form: { method: 'PATCH', description: 'Ships' } });
  assert.equal(patched.status, 200, patched.text);
  assert.equal(patched.body.ignored_parameters_unsupported, undefined);
  const { streams } = await chat.as(owner.user_id).channels.list();
  assert.equal(streams.find((channel) => channel.stream_id === id)?.description, 'Ships');
  const read = await send('POST', '/api/v1/streams', { form: { method: 'GET' } });
  assert.equal(read.status, 200);
  assert.ok(Array.isArray(read.body.streams));
});

test('a method override is accepted only in the body of a POST', async (t) => {
  const { send, state } = await running(t);
  const before = await state();
  assertError(await send('POST', '/api/v1/users', { form: { method: 'DELETE' } }), 405, undefined);
  assertError(await send('POST', '/api/v1/streams?method=GET', { form: {} }), 405, undefined);
  const answer = await send('GET', '/api/v1/streams?method=DELETE');
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body.ignored_parameters_unsupported, ['method']);
  assert.deepEqual(await state(), before);
});

test('headers after the thousandth are read', async (t) => {
  const { send } = await running(t);
  const many = Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`x-${at}`, '1']));
  const headers = { ...many, 'content-type': 'application/json' };
  const answer = await send('POST', '/api/v1/messages/render?content=query', { headers, body: '{"content":"body"}' });
  assert.equal(answer.body.rendered, '<p>body</p>');
});

test('double slashes and a trailing slash in a path are ignored', async (t) => {
  const { send, owner } = await running(t);
  for (const path of ['/api/v1//users/me', '//api/v1/users/me/', '/api//v1/users//me']) {
    const answer = await send('GET', path);
    assert.equal(answer.body?.user_id, owner.user_id, path);
  }
});

test('a user is found by ID if the path has digits, and by address otherwise', async (t) => {
  const { send, owner } = await running(t);
  assert.equal((await send('GET', `/api/v1/users/${owner.user_id}`)).body.user.delivery_email, owner.email);
  assert.equal(
    (await send('GET', `/api/v1/users/${encodeURIComponent(owner.email)}`)).body.user.user_id,
    owner.user_id,
  );
  assertError(await send('GET', '/api/v1/users/99999999999999999999'), 400, 'BAD_REQUEST');
  assertError(await send('GET', '/api/v1/users/%ff'), 400, 'BAD_REQUEST');
});

test('access is checked before missing parameters', async (t) => {
  const { send, chat, owner, state } = await running(t);
  await chat.as(owner.user_id).users.create({ email: 'mo@example.com', full_name: 'Mo', password: 'another long one' });
  const key = await chat.apiKeyOf('mo@example.com');
  const before = await state();
  const path = '/api/v1/default_streams';
  assertError(
    await send('POST', path, { auth: basic('mo@example.com', key), form: {} }),
    400,
    'UNAUTHORIZED_PRINCIPAL',
  );
  const missing = await send('POST', path, { form: {} });
  assertError(missing, 400, 'REQUEST_VARIABLE_MISSING');
  assert.equal(missing.body.var_name, 'stream_id');
  assert.deepEqual(await state(), before);
});

test('authentication is checked before parameters', async (t) => {
  const { send } = await running(t);
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  assertError(
    await send('POST', '/api/v1/channels/create', { auth: null, headers, body: 'name=%zz' }),
    401,
    'UNAUTHORIZED',
  );
  assertError(await send('GET', '/api/v1/users?client_gravatar=%zz', { auth: 'Digest x' }), 400, 'BAD_REQUEST');
  assertError(await send('GET', '/api/v1/users?client_gravatar=%zz', { auth: 'Bearer x' }), 401, 'TOKEN_INVALID');
});

test('the first word of the User-Agent is the client name, up to 30 characters', async (t) => {
  const { chat, send } = await running(t);
  const seen: string[] = [];
  const call = transportOf(chat).engine.call.bind(transportOf(chat).engine);
  transportOf(chat).engine.call = (operation, caller, ...rest) => {
    seen.push(caller.client);
    return call(operation, caller, ...rest);
  };
  const names = ['ZulipPython/0.9.1 (Debian; 12)', 'curl', 'two words/1', 'x'.repeat(40)];
  for (const name of names) await send('GET', '/api/v1/users/me', { headers: { 'user-agent': name } });
  await send('GET', '/api/v1/users/me');
  assert.deepEqual(seen, ['ZulipPython', 'curl', 'two', 'x'.repeat(30), 'Unspecified']);
});

test('pipelined requests on one connection are answered in order', async (t) => {
  const { port, auth } = await running(t);
  const socket = connect(port, '127.0.0.1');
  const one = (path: string) => `GET /api/v1${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${auth}\r\n\r\n`;
  socket.write(
    one('/users/me') + one('/nothing') + one('/server_settings').replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'),
  );
  let text = '';
  for await (const piece of socket) text += piece;
  assert.deepEqual(text.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 404', 'HTTP/1.1 200']);
});

test('the response to a form has the first error in the order of the stages', async (t) => {
  const one = { seconds: 60, max: 1 };
  const { send, chat, owner, auth } = await running(t, { rateLimits: { api_by_user: one } });
  const { user_id } = await chat.as(owner.user_id).users.create({ email: 'mo@example.com', full_name: 'Mo' });
  const mo = basic('mo@example.com', await chat.apiKeyOf(user_id));
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const statusOf = async (path: string, options: object) => (await send('POST', path, options)).status;
  // Each request has all errors of the following ones.
  assert.equal(await statusOf('/api/v1/nothing', { auth: null, headers: form, body: 'method=PUT&name=%zz' }), 404);
  assert.equal(await statusOf('/api/v1/default_streams', { auth: null, headers: form, body: 'method=PUT' }), 401);
  assert.equal(await statusOf('/api/v1/default_streams', { auth: mo, form: { method: 'PUT' } }), 405);
  assertError(await send('POST', '/api/v1/default_streams', { auth: mo, form: {} }), 400, 'UNAUTHORIZED_PRINCIPAL');
  assert.equal(await statusOf('/api/v1/default_streams', { auth: mo, headers: form, body: 'name=%zz' }), 429);
  assertError(
    await send('POST', '/api/v1/default_streams', { auth, headers: form, body: 'name=%zz' }),
    400,
    'BAD_REQUEST',
  );
});
