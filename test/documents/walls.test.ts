import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Import, importsOfProduct } from './imports.ts';

const imports = importsOfProduct();

/** Imports from one part of the tree into another, except those that are welcome. */
function across(from: RegExp, to: RegExp, except: RegExp = /^$/): string[] {
  return imports
    .filter((one) => from.test(one.from) && to.test(one.to) && !except.test(one.to))
    .map((one) => `${one.from} imports ${one.to}`);
}

test('the library knows neither server nor command line, and nothing of HTTP or terminals', () => {
  assert.deepEqual(across(/^lib\//, /^(server|cli)\//), []);
  assert.deepEqual(across(/^lib\//, /^(node:http|node:https|node:readline|commander|busboy)$/), []);
});

test('operations and steps see storage through its interface alone', () => {
  assert.deepEqual(
    across(/^lib\/(operations|steps|initial-state)\//, /^lib\/storage\//, /^lib\/storage\/storage\.ts$/),
    [],
  );
});

test('rules and views do no input or output', () => {
  assert.deepEqual(across(/^lib\/(rules|views)\//, /^lib\/(ports|operations|steps)\//), []);
  const storage = imports.filter(
    ({ from, to, isType }) => /^lib\/(rules|views)\//.test(from) && /^lib\/storage\//.test(to) && !isType,
  );
  assert.deepEqual(storage, []);
});

test('storage knows no operation', () => {
  assert.deepEqual(across(/^lib\/storage\//, /^lib\/(operations|steps|views|engine|chat)\b/), []);
});

test('server and command line use the public index, the catalogue and the declaration of operations', () => {
  const open = /^lib\/(index|operation|operations\/index|storage\/postgres\/postgres)\.ts$/;
  assert.deepEqual(across(/^(server|cli)\//, /^lib\//, open), []);
  assert.deepEqual(across(/^server\//, /^cli\//), []);
  assert.deepEqual(across(/^cli\//, /^server\//, /^server\/index\.ts$/), []);
});

test('nothing imports in a circle', () => {
  assert.deepEqual(circle(imports.filter(({ isType }) => !isType)), []);
});

/** The files of one circle, in order; empty when there is none. */
function circle(edges: readonly Import[]): string[] {
  const next = new Map<string, string[]>();
  for (const { from, to } of edges) next.set(from, [...(next.get(from) ?? []), to]);
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): string[] => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return [];
    path.push(file);
    for (const to of next.get(file) ?? []) {
      const found = visit(to);
      if (found.length > 0) return found;
    }
    path.pop();
    done.add(file);
    return [];
  };
  for (const file of next.keys()) {
    const found = visit(file);
    if (found.length > 0) return found;
  }
  return [];
}
