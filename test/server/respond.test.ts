import assert from 'node:assert/strict';
import { get } from 'node:http';
import { test } from 'node:test';
import * as v from 'valibot';
import { StorageError } from '../../lib/index.ts';
import { BadRequest, RawJson } from '../../lib/internal.ts';
import { defineOperation } from '../../lib/operation/operation.ts';
import { running, runningOperations } from './running.ts';

const anyResult = v.looseObject({});

function answering(name: string, run: () => Promise<Record<string, unknown>>) {
  return defineOperation({
    name,
    http: `GET /${name}`,
    summary: name,
    access: 'anyone',
    effect: 'manual',
    params: {},
    result: anyResult,
    errors: [BadRequest],
    run: run as () => Promise<Record<string, never>>,
  });
}

test('each API response is JSON with a newline and a length, and is not cached', async (t) => {
  const { send } = await running(t);
  const requests = [
    ['GET', '/users/me', 200],
    ['GET', '/nothing', 404],
    ['PUT', '/users/me', 405],
    ['GET', '/users/999', 400],
  ] as const;
  for (const [method, path, status] of requests) {
    const { headers, text, body, status: got } = await send(method, `/api/v1${path}`);
    assert.equal(got, status, text);
    assert.equal(headers['content-type'], 'application/json');
    assert.equal(Number(headers['content-length']), Buffer.byteLength(text));
    assert.equal(headers['cache-control'], 'max-age=0, no-cache, no-store, must-revalidate, private');
    assert.ok(Date.parse(headers.expires ?? '') < Date.now());
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.ok(text.endsWith('}\n'));
    assert.equal(body.result, status === 200 ? 'success' : 'error');
    if (status === 200) assert.equal(body.msg, '');
  }
});

test('a response without fields has only result and msg', async (t) => {
  const { send } = await runningOperations(t, [answering('empty', async () => ({}))]);
  assert.equal((await send('GET', '/api/v1/empty')).text, '{"result":"success","msg":""}\n');
});

test('stored JSON is sent unchanged at any place of a response', async (t) => {
  const bytes = Buffer.from('[ {"name": "Zoë"},\n 2 ]');
  const { send } = await runningOperations(t, [
    answering('first', async () => ({ list: new RawJson(bytes), n: 1, absent: undefined })),
    answering('between', async () => ({ a: 'ä', list: new RawJson(bytes), b: null, more: new RawJson(bytes) })),
  ]);
  const first = await send('GET', '/api/v1/first');
  assert.equal(first.text, `{"result":"success","msg":"","list":${bytes},"n":1}\n`);
  assert.equal(Number(first.headers['content-length']), Buffer.byteLength(first.text));
  const between = await send('GET', '/api/v1/between?x=1');
  assert.deepEqual(between.body, {
    result: 'success',
    msg: '',
    a: 'ä',
    list: [{ name: 'Zoë' }, 2],
    b: null,
    more: [{ name: 'Zoë' }, 2],
    ignored_parameters_unsupported: ['x'],
  });
  const head = await send('HEAD', '/api/v1/first');
  assert.equal(head.text, '');
  assert.equal(head.headers['content-length'], first.headers['content-length']);
});

test('a response of megabytes of stored JSON arrives whole', async (t) => {
  const list = JSON.stringify(Array.from({ length: 200_000 }, (_, i) => `element ${i}`));
  const { send } = await runningOperations(t, [
    answering('large', async () => ({ list: new RawJson(Buffer.from(list)) })),
  ]);
  assert.equal((await send('GET', '/api/v1/large')).body.list.length, 200_000);
});

test('a response of megabytes of text arrives whole, with letters of one to four bytes', async (t) => {
  // Letters of one to four bytes, at every position where a chunk may end.
  const letters = ['a', 'ä', '東', '🐋'];
  const text = letters.map((letter) => `${letter.repeat(300_001)}b`).join('');
  const { send } = await runningOperations(t, [
    answering('text', async () => ({ text })),
    answering('beside', async () => ({ text, list: new RawJson(Buffer.from('[1]')), more: text })),
  ]);
  const answer = await send('GET', '/api/v1/text');
  assert.equal(answer.body.text, text);
  assert.equal(Number(answer.headers['content-length']), Buffer.byteLength(answer.text));
  assert.deepEqual((await send('GET', '/api/v1/beside')).body, {
    result: 'success',
    msg: '',
    text,
    list: [1],
    more: text,
  });
  const head = await send('HEAD', '/api/v1/text');
  assert.deepEqual([head.text, head.headers['content-length']], ['', answer.headers['content-length']]);
});

test('an internal error returns a constant message with the ID under which its cause is logged', async (t) => {
  const { send, logged } = await runningOperations(t, [
    answering('broken', async () => {
      throw new Error('secret detail');
    }),
    answering('busy', async () => {
      throw new StorageError('the disk at /secret is busy', 'busy');
    }),
  ]);
  const answer = await send('GET', '/api/v1/broken');
  assert.equal(answer.status, 500);
  assert.deepEqual(Object.keys(answer.body), ['result', 'msg', 'code']);
  assert.equal(answer.body.code, 'INTERNAL_SERVER_ERROR');
  assert.doesNotMatch(answer.text, /secret|\.ts|at /);
  const [entry] = logged as { id: string; error: Error; method: string; path: string }[];
  assert.ok(answer.body.msg.includes(entry?.id));
  assert.equal(entry?.error.message, 'secret detail');
  assert.equal(entry?.path, '/broken');
  const busy = await send('GET', '/api/v1/busy');
  assert.equal(busy.status, 503);
  assert.doesNotMatch(busy.text, /secret/);
});

test('a refusal is sent with its status, code and fields', async (t) => {
  const { send } = await runningOperations(t, [
    answering('refused', async () => {
      throw new BadRequest('There is no such thing.', { errors: ['a'] }, 404);
    }),
  ]);
  const answer = await send('GET', '/api/v1/refused');
  assert.equal(answer.status, 404);
  assert.deepEqual(answer.body, {
    result: 'error',
    msg: 'There is no such thing.',
    code: 'BAD_REQUEST',
    errors: ['a'],
  });
});

test('a client that disconnects before its response is not logged as an error', async (t) => {
  let finish = () => {};
  const { logged, url, send } = await runningOperations(t, [
    answering(
      'slow',
      () =>
        new Promise<Record<string, unknown>>((resolve) => {
          finish = () => resolve({});
        }),
    ),
    answering('quick', async () => ({})),
  ]);
  const req = get(`${url}/api/v1/slow`).on('error', () => {});
  await new Promise((resolve) => setTimeout(resolve, 50));
  req.destroy();
  await send('GET', '/api/v1/quick');
  finish();
  await send('GET', '/api/v1/quick');
  assert.deepEqual(logged, []);
});
