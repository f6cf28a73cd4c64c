/** For the test of the runner: fails when it is played first. */
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { it } from 'node:test';

it('fails at first', () => {
  const mark = `${process.env.PARLANCE_TEST_FOLDER}/../played`;
  const isAgain = existsSync(mark);
  writeFileSync(mark, '');
  assert.ok(isAgain);
});
