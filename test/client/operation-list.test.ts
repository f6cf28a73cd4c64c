import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describe } from '../../lib/client/described-operation.ts';
import { OPERATIONS } from '../../lib/client/operation-list.ts';
import { catalogue, type Operation } from '../../lib/internal.ts';

test('the operation list for browsers matches the declarations', () => {
  const declared = (catalogue as readonly Operation[]).map(describe);
  const read = OPERATIONS.map((operation, at) => {
    const kinds = Object.keys(declared[at]?.kinds ?? {}).map((name) => [name, operation.kinds[name] ?? 'text']);
    return { ...operation, kinds: Object.fromEntries(kinds) };
  });
  assert.deepEqual(read, declared);
});
