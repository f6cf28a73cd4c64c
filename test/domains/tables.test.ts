import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { catalogue } from '../../lib/internal.ts';
import { callFiles, caseFiles, tables, tablesIn } from './tables.ts';

test('every operation of the catalogue has a table of cases', () => {
  const covered = new Set(tables.map((table) => table.operation));
  assert.deepEqual(
    catalogue.map((operation) => operation.name).filter((name) => !covered.has(name)),
    [],
  );
  for (const { operation, cases } of tables) {
    assert.ok(cases.length > 0, operation);
    for (const one of cases) assert.equal(one.call[0], operation, one.name);
  }
});

test('every exported list of cases is a table, and its cases run', () => {
  for (const found of caseFiles) {
    assert.ok(tablesIn(found).length > 0, `${found.file} exports no table`);
    const loose = Object.entries(found.exports).filter(
      ([, value]) => Array.isArray(value) && 'call' in (value[0] ?? {}),
    );
    assert.deepEqual(
      loose.map(([name]) => name),
      [],
      `${found.file} exports cases that do not run`,
    );
  }
});

test('files of cases and calls are in folders of features, where the runner finds them', () => {
  const found = [...caseFiles, ...callFiles].map(({ file }) => file).sort();
  const there = readdirSync(new URL('.', import.meta.url), { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /\.cases\.ts$|\bcalls\.ts$/.test(file))
    .sort();
  assert.deepEqual(found, there);
});

test('calls for the matrix, events and statements name existing operations, each in one feature', () => {
  const names = new Set<string>(catalogue.map((operation) => operation.name));
  const seen = new Set<string>();
  for (const { file, exports } of callFiles) {
    for (const [kind, calls] of Object.entries(exports)) {
      if (kind === 'stored') continue;
      assert.ok(['matrix', 'changes', 'statements'].includes(kind), `${file} exports ${kind}, which no test reads`);
      for (const operation of Object.keys(calls as object)) {
        assert.ok(names.has(operation), `${file}: there is no operation ${operation}`);
        assert.ok(!seen.has(`${kind} ${operation}`), `${file}: another feature has ${kind} of ${operation}`);
        seen.add(`${kind} ${operation}`);
      }
    }
  }
});
