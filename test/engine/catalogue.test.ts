import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { readParameters } from '../../lib/engine/parameters.ts';
import { catalogue, fileParameter, isOptional, type Operation, routesOf } from '../../lib/internal.ts';

const FOLDER = new URL('../../lib/domains/', import.meta.url);

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The file of an operation: the file with its name below `lib/domains/`. */
const definedIn: ReadonlyMap<string, string> = new Map(
  readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => ({ file, text: readFileSync(new URL(file, FOLDER), 'utf8') }))
    .filter(({ text }) => /\bdefineOperation\(/.test(text))
    .map(({ file, text }) => [file, /\bdefineOperation\(\{[^}]*?\bname: '([^']+)'/.exec(text)?.[1] ?? '']),
);

const operations: readonly Operation[] = catalogue;

test('every operation is defined in the file of its action, in a feature of a domain', () => {
  for (const [file, name] of definedIn) {
    // `users.deactivateMe` is in `<domain>/<feature>/deactivate-me.ts`, and `register` in `register.ts`.
    const action = kebab(name.split('.').at(-1) as string);
    assert.match(file, new RegExp(`^[a-z-]+/[a-z-]+/${action}\\.ts$`), name);
  }
});

test('every defined operation is in the catalogue once', () => {
  assert.deepEqual([...definedIn.values()].sort(), operations.map((operation) => operation.name).sort());
});

test('no two operations have the same name or the same route', () => {
  const names = operations.map((operation) => operation.name);
  assert.equal(new Set(names).size, names.length);
  const routes = operations.flatMap((operation) =>
    routesOf(operation).map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`),
  );
  // The router distinguishes accounts by ID from accounts by address.
  const repeated = routes.filter((route, at) => routes.indexOf(route) !== at);
  assert.deepEqual(repeated.sort(), ['GET /users/{}', 'PATCH /users/{}']);
});

describe('the declaration of each operation is complete', () => {
  for (const operation of operations) {
    test(operation.name, () => {
      assert.match(operation.name, /^[a-z][A-Za-z]*(\.[a-z][A-Za-z]*)?$/);
      for (const { method, path } of routesOf(operation)) {
        assert.match(method, /^(GET|POST|PUT|PATCH|DELETE)$/);
        for (const [, name = ''] of path.matchAll(/\{(\w+)\*?\}/g)) {
          assert.ok(Object.hasOwn(operation.params, name), `${path}: ${name} is not a parameter`);
        }
        if (method === 'GET') assert.ok(['read', 'poll', 'manual'].includes(operation.effect), 'GET changes nothing');
      }
      const file = fileParameter(operation);
      // No example contains the bytes of a file.
      const withFile = file && !file.isStreamed ? { [file.name]: new Blob(['x']) } : {};
      if (operation.example !== undefined) readParameters(operation, { ...withFile, ...operation.example });
      const needs = Object.values(operation.params).some((one) => !isOptional(one));
      if (needs && !file) assert.ok(operation.example, 'an example has all required parameters');
      assert.match(operation.summary, /^[A-Z].*[^.]$/);
      const isAdministrative = operation.access === 'administrator' || operation.access === 'owner';
      const declared = operation.errors.map((error) => error.name);
      if (isAdministrative) assert.ok(declared.includes('UnauthorizedPrincipal'));
      assert.equal(new Set(declared).size, declared.length);
    });
  }
});
