import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameKey } from '../../lib/rules/fold.ts';

test('names compare without compatibility forms and case', () => {
  assert.equal(nameKey('ＨＡＭＬＥＴ'), nameKey('hamlet'));
  assert.notEqual(nameKey('Hamlet'), nameKey('Hamlett'));
});
