import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as v from 'valibot';
import { catalogue } from '../../lib/catalogue.ts';
import { BadRequest } from '../../lib/internal.ts';
import { defineOperation, type HttpRoute, type Operation, routesOf } from '../../lib/operation/operation.ts';
import { Router } from '../../server/router.ts';

function operation(name: string, http: HttpRoute | [HttpRoute, HttpRoute], params: v.ObjectEntries = {}): Operation {
  return defineOperation({
    name,
    http,
    summary: name,
    access: 'user',
    effect: 'read',
    params: params,
    result: v.object({}),
    errors: [],
    run: async () => ({}),
  }) as unknown as Operation;
}

const user_id = v.pipe(v.number(), v.safeInteger());
const router = new Router([
  operation('users.list', 'GET /users'),
  operation('users.create', 'POST /users'),
  operation('users.me', 'GET /users/me'),
  operation('users.get', 'GET /users/{user_id}', { user_id }),
  operation('users.edit', 'PATCH /users/{user_id}', { user_id }),
  operation('users.getByEmail', 'GET /users/{email}', { email: v.string() }),
  operation('users.status', 'GET /users/{user_id}/status', { user_id }),
  operation('users.presence', 'GET /users/{email}/presence', { email: v.string() }),
  operation('topics.list', 'GET /users/me/{stream_id}/topics', { stream_id: user_id }),
  operation('channels.edit', ['PATCH /channels/{id}', 'PATCH /streams/{id}'], { id: user_id }),
]);

function at(method: string, path: string): { name: string | undefined; values: readonly string[] } | undefined {
  const match = router.find(path);
  return match && { name: match.methods.get(method)?.operation.name, values: match.values };
}

test('a literal segment is preferred to a parameter, digits match an integer, and other text matches text', () => {
  assert.deepEqual(at('GET', '/users/me'), { name: 'users.me', values: [] });
  assert.deepEqual(at('GET', '/users/17'), { name: 'users.get', values: ['17'] });
  assert.deepEqual(at('GET', '/users/a@example.com'), { name: 'users.getByEmail', values: ['a@example.com'] });
});

test('only ASCII digits without a sign match an integer', () => {
  for (const segment of ['-1', '+1', '1.0', '1e3', '%D9%A1']) {
    assert.equal(at('GET', `/users/${segment}`)?.name, 'users.getByEmail', segment);
  }
  assert.equal(router.find('/users/-1/status'), undefined);
});

test('leading zeros of an integer in a path are dropped', () => {
  assert.deepEqual(at('GET', '/users/007')?.values, ['7']);
  assert.deepEqual(at('GET', '/users/000')?.values, ['0']);
});

test('the router backtracks from a segment without a matching route', () => {
  assert.deepEqual(at('GET', '/users/me/presence'), { name: 'users.presence', values: ['me'] });
  assert.deepEqual(at('GET', '/users/12/presence'), { name: 'users.presence', values: ['12'] });
  assert.deepEqual(at('GET', '/users/me/9/topics'), { name: 'topics.list', values: ['9'] });
  assert.equal(router.find('/users/me/x/topics'), undefined);
});

test('an operation is found by each of its routes', () => {
  assert.equal(at('PATCH', '/channels/3')?.name, 'channels.edit');
  assert.equal(at('PATCH', '/streams/3')?.name, 'channels.edit');
});

test('double slashes and a trailing slash are ignored', () => {
  assert.deepEqual(at('GET', '//users///17/'), { name: 'users.get', values: ['17'] });
});

test('percent escapes are decoded after the path is split', () => {
  assert.deepEqual(at('GET', '/users/a%2Fb%40c'), { name: 'users.getByEmail', values: ['a/b@c'] });
  assert.equal(at('GET', '/%75sers')?.name, 'users.list');
});

test('invalid percent escapes are refused', () => {
  for (const path of ['/users/%', '/users/%zz', '/users/%ff', '/users/%c3%28']) {
    assert.throws(() => router.find(path), BadRequest, path);
  }
});

test('allowed methods are sorted, with HEAD for each GET', () => {
  assert.deepEqual(router.find('/users')?.methods.allowed, ['GET', 'HEAD', 'POST']);
  assert.deepEqual(router.find('/channels/1')?.methods.allowed, ['PATCH']);
});

test('unknown paths, the root and prefixes of routes match no route', () => {
  for (const path of ['', '/', '/nothing', '/users/1/2/3', '/channels', '/__proto__', '/constructor']) {
    assert.equal(router.find(path), undefined, path);
  }
});

test('two operations with the same method and path are refused', () => {
  assert.throws(
    () => new Router([operation('a', 'GET /x'), operation('b', 'GET /x')]),
    /: b and a are both at GET \/x\.$/,
  );
  assert.throws(() => new Router([operation('a', 'GET /x/{id}')]), /not declared/);
});

test('every route of the catalogue matches its operation', () => {
  const operations = catalogue as readonly Operation[];
  const all = new Router(operations);
  for (const operation of operations) {
    for (const { method, path } of routesOf(operation)) {
      const match = all.find(path.replace(/\{(\w+)\*?\}/g, (_, name: string) => (name.endsWith('id') ? '7' : 'a@b.c')));
      assert.equal(match?.methods.get(method)?.operation.name, operation.name, `${method} ${path}`);
    }
  }
});
