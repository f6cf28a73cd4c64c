import assert from 'node:assert/strict';
import { test } from 'node:test';
import { catalogue } from '../../lib/index.ts';
import { sqliteEngine } from '../world/copies.ts';
import { runCases } from '../world/run-cases.ts';
import { transports } from '../world/transports.ts';
import { tables } from './tables.ts';

test('every operation of the catalogue has its cases', () => {
  const covered = new Set(tables.map((table) => table.operation));
  assert.deepEqual(
    catalogue.map((operation) => operation.name).filter((name) => !covered.has(name)),
    [],
  );
  for (const { operation, cases } of tables) {
    for (const one of cases) assert.equal(one.call[0], operation, one.name);
  }
});

for (const transport of transports) runCases(tables, sqliteEngine, transport);
