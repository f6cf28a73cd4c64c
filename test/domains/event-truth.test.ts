import assert from 'node:assert/strict';
import { test } from 'node:test';
import { catalogue } from '../../lib/internal.ts';
import { testEventTruth } from './event-truth.ts';
import { groupsOfChanges } from './joint-changes.ts';
import { changes } from './tables.ts';

testEventTruth(groupsOfChanges(), ['all users see each other']);

test('every operation that changes the state has changes in its calls.ts, or is marked as unseen by clients', () => {
  const writing = catalogue.filter((operation) => operation.effect !== 'read').map((operation) => operation.name);
  assert.deepEqual(
    writing.filter((name) => changes[name] === undefined || Object.keys(changes[name]).length === 0),
    [],
  );
});
