import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWhole, tables } from '../tables.ts';
import { command, NOT_BY_COMMAND, selections, UNSUITED } from './shells.ts';

/** Operations about messages without a refusal in their tables. */
const UNREFUSED = ['messages.markAllRead', 'messages.render'];

const skip = !isWhole && 'only some operations run';
test('chatctl runs a successful case of every operation and a refused case of every operation about messages', {
  skip,
}, () => {
  const { firsts } = selections(command);
  const without = (isRefusal: boolean) =>
    firsts
      .filter(({ cases }) => !cases.some(({ refuses }) => (refuses !== undefined) === isRefusal))
      .map(({ operation }) => operation.name)
      .sort();
  assert.deepEqual(without(false), NOT_BY_COMMAND);
  assert.deepEqual(
    without(true).filter((name) => name.startsWith('messages.')),
    UNREFUSED,
  );
  const names = new Set(tables.flatMap(({ cases }) => cases.map(({ name }) => name)));
  assert.deepEqual(
    UNSUITED.filter((name) => !names.has(name)),
    [],
  );
});
