import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manyTenants, playTenants, SKIP } from './many-open-tenants.ts';

playTenants(100, 80);

test('if a process with many SQLite tenants can open no more files, the error names its limit', {
  skip: SKIP,
}, async (t) => {
  const said = await manyTenants(t, 200, 100, 100, 'normal');
  assert.match(said, /cannot be opened: this process has reached its limit of 200 open files \(ulimit -n\)/);
});
