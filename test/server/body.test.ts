import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import * as v from 'valibot';
import { defineOperation } from '../../lib/operation/operation.ts';
import { buildListener } from '../../server/listener.ts';
import { Gate } from '../support/gate.ts';
import { type Answer, listening, type Running, running, runningOperations, send as sendTo } from './running.ts';

const FORM = 'application/x-www-form-urlencoded';

/** Responds with the parameters it received. */
const echo = (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE') =>
  defineOperation({
    name: `echo.${method.toLowerCase()}`,
    http: `${method} /echo/{word}`,
    summary: 'Echo',
    access: 'user',
    effect: 'read',
    params: {
      word: v.string(),
      text: v.optional(v.string()),
      number: v.optional(v.number()),
      list: v.optional(v.array(v.number())),
      flag: v.optional(v.boolean()),
    },
    result: v.object({ got: v.unknown() }),
    errors: [],
    run: async (_, parameters) => ({ got: parameters }),
  });
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const ECHOES = METHODS.map(echo);

function multipart(parts: [string, string | Buffer, string?][]): { headers: Record<string, string>; body: Buffer } {
  const pieces: Buffer[] = [];
  for (const [name, value, filename] of parts) {
    const file = filename === undefined ? '' : `; filename="${filename}"\r\nContent-Type: application/octet-stream`;
    pieces.push(Buffer.from(`--edge\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`));
    pieces.push(Buffer.from(value), Buffer.from('\r\n'));
  }
  pieces.push(Buffer.from('--edge--\r\n'));
  return { headers: { 'content-type': 'multipart/form-data; boundary=edge' }, body: Buffer.concat(pieces) };
}

function assertRefused(answer: Answer, code = 'BAD_REQUEST', status = 400): void {
  assert.equal(answer.status, status, answer.text);
  assert.equal(answer.body?.code, code);
}

test('query, urlencoded body and multipart body give the same parameters for every method', async (t) => {
  const { send } = await runningOperations(t, ECHOES);
  const fields = { text: 'ä "b" +', number: '-5', list: '[1, 2]', flag: 'true' };
  const expected = { word: 'w', text: 'ä "b" +', number: -5, list: [1, 2], flag: true };
  for (const method of METHODS) {
    const query = await send(method, `/api/v1/echo/w?${new URLSearchParams(fields)}`);
    assert.deepEqual(query.body?.got, expected, `${method} query: ${query.text}`);
    const form = await send(method, '/api/v1/echo/w', { form: fields });
    assert.deepEqual(form.body?.got, expected, `${method} form: ${form.text}`);
    const parts = await send(method, '/api/v1/echo/w', multipart(Object.entries(fields)));
    assert.deepEqual(parts.body?.got, expected, `${method} multipart: ${parts.text}`);
  }
});

test('path parameters override the body, the body the query, and the last of repeated names counts', async (t) => {
  const { send } = await runningOperations(t, ECHOES);
  const headers = { 'content-type': `${FORM}; charset=utf-8` };
  const answer = await send('PATCH', '/api/v1/echo/w?text=query&number=1&number=2&word=other', {
    headers,
    body: 'text=first&text=last&word=third',
  });
  assert.deepEqual(answer.body.got, { word: 'w', text: 'last', number: 2 });
  const parts = await send(
    'POST',
    '/api/v1/echo/w',
    multipart([
      ['text', 'first'],
      ['text', 'last'],
    ]),
  );
  assert.equal(parts.body.got.text, 'last');
});

test('a body of an unsupported type is refused with the type; without a type it is ignored', async (t) => {
  const { send } = await runningOperations(t, ECHOES);
  for (const type of ['application/jsonl', 'text/plain; charset=utf-8', 'application/octet-stream']) {
    for (const method of ['POST', 'PATCH']) {
      const headers = { 'content-type': type };
      const answer = await send(method, '/api/v1/echo/w', { headers, body: '{"text":"x"}' });
      assertRefused(answer);
      assert.ok(answer.body.msg.includes(type.split(';', 1)[0]));
      assert.match(
        answer.body.msg,
        /one of application\/x-www-form-urlencoded, multipart\/form-data, application\/json/,
      );
      assert.deepEqual((await send(method, '/api/v1/echo/w', { headers })).body.got, { word: 'w' });
    }
  }
  const answer = await send('POST', '/api/v1/echo/w', { headers: {}, body: '{"text":"x"}' });
  assert.deepEqual(answer.body.got, { word: 'w' });
});

test('a compressed body is refused with 415 and its encoding; identity is accepted', async (t) => {
  const { send, chat, auth } = await runningOperations(t, ECHOES);
  const form = Buffer.from('text=x');
  const path = '/api/v1/echo/w';
  for (const [encoding, body] of [
    ['gzip', gzipSync(form)],
    ['deflate', deflateSync(form)],
    ['BR', brotliCompressSync(form)],
    ['identity, gzip', gzipSync(form)],
  ] as const) {
    const headers = { 'content-type': FORM, 'content-encoding': encoding };
    for (const method of ['POST', 'PATCH']) {
      const answer = await send(method, path, { headers, body });
      assertRefused(answer, 'BAD_REQUEST', 415);
      assert.ok(answer.body.msg.includes(`"${encoding}"`));
    }
    const file = multipart([['text', 'x']]);
    const packed = { headers: { ...file.headers, 'content-encoding': encoding }, body: gzipSync(file.body) };
    assertRefused(await send('POST', path, packed), 'BAD_REQUEST', 415);
  }
  const plain = { headers: { 'content-type': FORM, 'content-encoding': 'Identity' }, body: form };
  assert.deepEqual((await send('POST', path, plain)).body.got, { word: 'w', text: 'x' });
  // The host's web framework has decompressed it.
  const { listener } = buildListener(chat, {}, { operations: ECHOES });
  const port = await listening(
    t,
    createServer((req, res) => listener(Object.assign(req, { body: { text: 'x' } }), res)),
  );
  const parsed = { auth, headers: { 'content-type': FORM, 'content-encoding': 'gzip' }, body: gzipSync(form) };
  assert.deepEqual((await sendTo(port, 'POST', path, parsed)).body.got, { word: 'w', text: 'x' });
});

test('parameters that the path overrides are reported as ignored', async (t) => {
  const { send } = await runningOperations(t, ECHOES);
  const answer = await send('PATCH', '/api/v1/echo/w?word=x&zebra=1', { form: { word: 'y', apple: '1' } });
  assert.deepEqual(answer.body.got, { word: 'w' });
  assert.deepEqual(answer.body.ignored_parameters_unsupported, ['apple', 'word', 'zebra']);
  const same = await send('PATCH', '/api/v1/echo/w?word=w');
  assert.deepEqual(same.body, { result: 'success', msg: '', got: { word: 'w' } });
  const trial = await send('PATCH', '/api/v1/dry_run/echo/w?word=x');
  assert.deepEqual(trial.body.answer, { got: { word: 'w' }, ignored_parameters_unsupported: ['word'] });
});

test('a body that the host has read and not kept is an error, not a request without parameters', async (t) => {
  const { chat, auth, logged } = await runningOperations(t, ECHOES);
  const { listener } = buildListener(chat, {}, { operations: ECHOES });
  const port = await listening(
    t,
    createServer((req, res) => req.resume().once('end', () => listener(req, res))),
  );
  const lost = await sendTo(port, 'POST', '/api/v1/echo/w', { auth, form: { text: 'x' } });
  assert.equal(lost.status, 500);
  assert.match(String((logged[0] as { error: Error }).error), /was already read/);
  assert.deepEqual((await sendTo(port, 'POST', '/api/v1/echo/w', { auth })).body.got, { word: 'w' });
});

test('unknown parameters are reported sorted, on success only', async (t) => {
  const { send } = await runningOperations(t, ECHOES);
  const answer = await send('PATCH', '/api/v1/echo/w?zebra=1&text=x', { form: { apple: '', __proto__x: '1' } });
  assert.deepEqual(answer.body.ignored_parameters_unsupported, ['__proto__x', 'apple', 'zebra']);
  const refused = await send('GET', '/api/v1/echo/w?zebra=1&number=x');
  assertRefused(refused);
  assert.equal(refused.body.ignored_parameters_unsupported, undefined);
  assert.equal((await send('GET', '/api/v1/echo/w?text=x')).body.ignored_parameters_unsupported, undefined);
});

test('parameters named like object properties are reported as unknown', async (t) => {
  const { send } = await runningOperations(t, ECHOES);
  const names = ['__proto__', 'constructor', 'hasOwnProperty', 'toString'];
  const body = names.map((name) => `${name}=1`).join('&');
  const urlencoded = await send('POST', '/api/v1/echo/w', { headers: { 'content-type': FORM }, body });
  assert.deepEqual(urlencoded.body.ignored_parameters_unsupported, names);
  const parts = await send('POST', '/api/v1/echo/w', multipart(names.map((name) => [name, '1'])));
  assert.deepEqual(parts.body.ignored_parameters_unsupported, names);
});

test('a malformed form is refused', async (t) => {
  const { send } = await runningOperations(t, ECHOES);
  const urlencoded = (body: string | Buffer) => ({ headers: { 'content-type': FORM }, body });
  for (const method of ['POST', 'PATCH'] as const) {
    assertRefused(await send(method, '/api/v1/echo/w', urlencoded('text=%')));
    assertRefused(await send(method, '/api/v1/echo/w', urlencoded('text=%c3%28')));
    assertRefused(await send(method, '/api/v1/echo/w', urlencoded(Buffer.from([0x61, 0x3d, 0xff]))));
    assertRefused(await send(method, '/api/v1/echo/w', multipart([['text', Buffer.from([0x61, 0xff])]])));
    const cut = multipart([['text', 'x']]);
    assertRefused(await send(method, '/api/v1/echo/w', { ...cut, body: cut.body.subarray(0, -10) }));
    const noBoundary = { headers: { 'content-type': 'multipart/form-data' }, body: 'x' };
    assertRefused(await send(method, '/api/v1/echo/w', noBoundary));
    const nonsense = { headers: { 'content-type': 'multipart/form-data; boundary=edge' }, body: 'no parts at all' };
    assertRefused(await send(method, '/api/v1/echo/w', nonsense));
  }
  assertRefused(await send('GET', '/api/v1/echo/w?text=%zz'));
});

test('a JSON body gives the same parameters as a form, with typed values', async (t) => {
  const { send } = await runningOperations(t, ECHOES);
  const json = (method: string, value: unknown) =>
    send(method, '/api/v1/echo/w', {
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
    });
  const given = { text: 'ä "b" +', number: -5, list: [1, 2], flag: true };
  for (const method of METHODS) assert.deepEqual((await json(method, given)).body?.got, { word: 'w', ...given });
  const method = await json('POST', { method: 'PATCH', text: '5' });
  assert.deepEqual(method.body, { result: 'success', msg: '', got: { word: 'w', text: '5' } });
  assert.deepEqual((await json('POST', {})).body?.got, { word: 'w' });
  assert.deepEqual((await json('POST', ' ')).body?.got, { word: 'w' });
  for (const wrong of [{ text: 5 }, { text: null }, { number: 'five' }, { list: [null] }, { list: {} }])
    assert.match(String((await json('POST', wrong)).body?.msg), new RegExp(`^${Object.keys(wrong)[0]}\\b`));
  for (const wrong of ['[]', '"text"', '7', 'null', '{"text":', '{"text": "\u0001"', `${'['.repeat(400_000)}`])
    assert.match(String((await json('POST', wrong)).body?.msg), /must be a form, or a JSON object/);
  const { body } = await json('POST', '{"__proto__": {"text": "x"}, "constructor": "y"}');
  assert.deepEqual(body?.got, { word: 'w' });
  assert.deepEqual(body?.ignored_parameters_unsupported, ['__proto__', 'constructor']);
  assertRefused(await json('POST', `{"text":"${'x'.repeat(1024 * 1024)}"}`), 'BAD_REQUEST', 413);
});

test('a JSON value of the wrong type is refused with the name of the parameter', async (t) => {
  const { send } = await runningOperations(t, ECHOES);
  const wrong = {
    number: ['5.5x', '"5"', 'true', 'null', ''],
    list: ['[1,', '{}', '["a"]', '5'],
    flag: ['True', '1', '"true"', ''],
  };
  for (const [name, texts] of Object.entries(wrong)) {
    for (const text of texts) {
      const answer = await send('POST', '/api/v1/echo/w', { form: { [name]: text } });
      assertRefused(answer);
      assert.match(answer.body.msg, new RegExp(`^${name}`));
    }
  }
});

test('a file is refused by an operation without a file parameter', async (t) => {
  const { send } = await runningOperations(t, ECHOES);
  const file = multipart([
    ['text', 'x'],
    ['file', Buffer.alloc(300_000, 0xff), 'a.bin'],
    ['flag', 'true'],
  ]);
  assertRefused(await send('POST', '/api/v1/echo/w', file));
  assertRefused(await send('PATCH', '/api/v1/echo/w', file));
});

test('an uploaded file is read only after authentication and up to its limit', async (t) => {
  const { send } = await running(t);
  const path = '/api/v1/realm/emoji/gruel';
  const file = (size: number) => multipart([['picture', Buffer.alloc(size, 0xff), 'a.png']]);
  const anonymous = await send('POST', path, { ...file(100), auth: null });
  assertRefused(anonymous, 'UNAUTHORIZED', 401);
  assertRefused(await send('POST', path, file(100)), 'BAD_IMAGE');
  for (const mebibytes of [5.5, 12]) {
    const answer = await send('POST', path, file(mebibytes * 1024 * 1024));
    assertRefused(answer);
    assert.match(answer.body?.msg, /too large \(limit: 5 MiB\)/);
  }
  const two = multipart([
    ['a', 'x', 'a.png'],
    ['b', 'x', 'b.png'],
  ]);
  assertRefused(await send('POST', path, two));
  assertRefused(await send('POST', path, multipart([['file', '', '']])));
  assertRefused(await send('POST', path, { form: { file: 'a.png' } }));
});

test('too many fields and too long names are refused', async (t) => {
  const { send } = await runningOperations(t, ECHOES);
  const many = Array.from({ length: 1_001 }, (_, i): [string, string] => [`f${i}`, '']);
  assertRefused(await send('POST', '/api/v1/echo/w', { form: Object.fromEntries(many) }));
  assertRefused(await send('POST', '/api/v1/echo/w', multipart(many)));
  assertRefused(await send('POST', '/api/v1/echo/w', { form: { ['n'.repeat(201)]: '' } }));
  assertRefused(await send('POST', '/api/v1/echo/w', multipart([['n'.repeat(201), '']])));
});

test('a body of 10 MB is answered with 413 and changes nothing', async (t) => {
  const { send, state, chat, owner } = await running(t);
  const { id } = await chat.as(owner.user_id).channels.create({ name: 'harbour', subscribers: [] });
  const before = await state();
  const text = 'x'.repeat(10_000_000);
  for (const [method, path] of [
    ['POST', '/channels/create'],
    ['PATCH', `/streams/${id}`],
    ['DELETE', `/streams/${id}`],
  ] as const) {
    const bodies = [
      { headers: { 'content-type': FORM }, body: `description=${text}` },
      { headers: { 'content-type': FORM, 'transfer-encoding': 'chunked' }, body: `description=${text}` },
      multipart([['description', text]]),
    ];
    for (const options of bodies) {
      const answer = await send(method, `/api/v1${path}`, options as unknown as { body: string });
      assertRefused(answer, 'BAD_REQUEST', 413);
      assert.equal(answer.headers.connection, 'close');
    }
  }
  assert.deepEqual(await state(), before);
});

test('a client that reads only after it has sent its whole body receives the error', async (t) => {
  const { port, auth } = await running(t);
  const size = 20_000_000;
  const file = multipart([['picture', Buffer.alloc(size), 'a.png']]);
  for (const [path, type, body, status] of [
    ['channels/create', FORM, `name=${'x'.repeat(size)}`, 413],
    ['channels/create', 'application/json', `{"name":"${'x'.repeat(size)}"}`, 413],
    ['channels/create', 'multipart/form-data; boundary=edge', 'no parts'.repeat(size / 8), 413],
    ['realm/emoji/gruel', 'multipart/form-data; boundary=edge', file.body, 400],
  ] as const) {
    const socket = connect(port, '127.0.0.1').pause();
    t.after(() => socket.destroy());
    const head =
      `POST /api/v1/${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${auth}\r\n` +
      `Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`;
    await new Promise<void>((resolve, reject) => {
      socket.on('error', reject).write(head);
      socket.write(body, (error) => (error ? reject(error) : resolve()));
    });
    let text = '';
    for await (const piece of socket) text += piece;
    assert.match(text, new RegExp(`^HTTP/1.1 ${status} `), `${path} ${type}`);
    assert.match(text, /"code":"BAD_REQUEST"/);
  }
});

test('an unread body of 10 MB does not affect the response', async (t) => {
  const { send } = await running(t);
  const options = { headers: { 'content-type': 'application/json' }, body: Buffer.alloc(10_000_000, 0x20) };
  assertRefused(await send('POST', '/api/v1/nothing', options), 'NOT_FOUND', 404);
  assertRefused(await send('DELETE', '/api/v1/users/4', { ...options, auth: null }), 'UNAUTHORIZED', 401);
});

test('a body of unlimited length is refused without being read', async (t) => {
  const { port, auth } = await running(t);
  const socket = connect(port, '127.0.0.1');
  socket.write(
    `POST /api/v1/channels/create HTTP/1.1\r\nHost: x\r\nAuthorization: ${auth}\r\n` +
      `Content-Type: ${FORM}\r\nContent-Length: 100000000000\r\n\r\nname=x`,
  );
  let text = '';
  for await (const piece of socket) text += piece;
  assert.match(text, /^HTTP\/1\.1 413 /);
});

test('a client that disconnects during its body changes nothing and is not logged', async (t) => {
  const { port, auth, state, logged, send } = await running(t);
  const before = await state();
  const socket = connect(port, '127.0.0.1');
  socket.write(
    `POST /api/v1/channels/create HTTP/1.1\r\nHost: x\r\nAuthorization: ${auth}\r\n` +
      `Content-Type: ${FORM}\r\nContent-Length: 100\r\n\r\nname=half`,
  );
  await send('GET', '/api/v1/users/me');
  socket.destroy();
  await send('GET', '/api/v1/users/me');
  assert.deepEqual(await state(), before);
  assert.deepEqual(logged, []);
});

test('a client that disconnects after its body, while it is being authenticated, changes nothing', async (t) => {
  const login = new Gate();
  const isAsked = new Gate();
  let calls = 0;
  const count = defineOperation({
    name: 'test.count',
    http: 'POST /count',
    summary: 'Count calls',
    access: 'user',
    effect: 'read',
    params: { text: v.optional(v.string()) },
    result: v.object({}),
    errors: [],
    async run() {
      calls++;
      return {};
    },
  });
  const made: { owner?: number } = {};
  const authenticate = async () => {
    isAsked.open();
    await login.opened;
    return made.owner;
  };
  const { port, owner, send } = await runningOperations(t, [count], { authenticate, rateLimits: false });
  made.owner = owner.user_id;
  const socket = connect(port, '127.0.0.1');
  socket.write(`POST /api/v1/count HTTP/1.1\r\nHost: x\r\nContent-Type: ${FORM}\r\nContent-Length: 6\r\n\r\ntext=a`);
  await isAsked.opened;
  socket.destroy();
  await send('GET', '/api/v1/nothing');
  login.open();
  assert.equal((await send('POST', '/api/v1/count', { form: { text: 'b' } })).status, 200);
  assert.equal(calls, 1);
});

test('maxBodyBytes sets the size limit of a form', async (t) => {
  const { send }: Running = await runningOperations(t, ECHOES, { maxBodyBytes: 100 });
  assert.equal((await send('POST', '/api/v1/echo/w', { form: { text: 'x'.repeat(95) } })).status, 200);
  assertRefused(await send('POST', '/api/v1/echo/w', { form: { text: 'x'.repeat(96) } }), 'BAD_REQUEST', 413);
});
