import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, test } from 'node:test';
import { catalogue, type Operation, routesOf } from '../../lib/internal.ts';

const FOLDER = new URL('../../lib/operations/', import.meta.url);

/** `users.deactivateMe` stands in `users/deactivate-me.ts`. */
const fileOf = (name: string) =>
  `${name.replaceAll('.', '/').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`;

const operations: readonly Operation[] = catalogue;

test('every operation stands in the file of its name, and every file is in the catalogue', () => {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && file !== 'index.ts');
  assert.deepEqual(operations.map((operation) => fileOf(operation.name)).sort(), files.sort());
});

test('no two operations have the same name or the same route', () => {
  const names = operations.map((operation) => operation.name);
  assert.equal(new Set(names).size, names.length);
  const routes = operations.flatMap((operation) =>
    routesOf(operation).map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`),
  );
  // An account is found by digits or by address: the router tells them apart.
  const repeated = routes.filter((route, at) => routes.indexOf(route) !== at);
  assert.deepEqual(repeated, ['GET /users/{}']);
});

describe('what every operation declares', () => {
  for (const operation of operations) {
    test(operation.name, () => {
      assert.match(operation.name, /^[a-z][A-Za-z]*(\.[a-z][A-Za-z]*)?$/);
      for (const { method, path } of routesOf(operation)) {
        assert.match(method, /^(GET|POST|PUT|PATCH|DELETE)$/);
        for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
          assert.ok(Object.hasOwn(operation.params.entries, name), `${path}: ${name} is no parameter`);
        }
        if (method === 'GET') assert.ok(['read', 'manual'].includes(operation.effect), 'GET changes nothing');
      }
      assert.match(operation.summary, /^[A-Z].*[^.]$/);
      const isAdministrative = operation.access === 'administrator' || operation.access === 'owner';
      const declared = operation.errors.map((error) => error.name);
      if (isAdministrative) assert.ok(declared.includes('UnauthorizedPrincipal'));
      assert.equal(new Set(declared).size, declared.length);
    });
  }
});
