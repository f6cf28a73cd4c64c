import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EXIT, reportOf } from '../../cli/failure.ts';
import { ChatError, StorageError } from '../../lib/index.ts';

const refusal = (status: number) => new ChatError('No.', 'BAD_REQUEST', status);
const exitCode = async (error: unknown) => (await reportOf(error)).exitCode;

test('exit codes distinguish refusals, missing credentials and server errors', async () => {
  assert.equal(await exitCode(refusal(400)), EXIT.refused);
  assert.equal(await exitCode(refusal(404)), EXIT.refused);
  assert.equal(await exitCode(refusal(499)), EXIT.refused);
  assert.equal(await exitCode(refusal(401)), EXIT.notAuthenticated);
  for (const status of [500, 502, 503]) assert.equal(await exitCode(refusal(status)), EXIT.unreachable);
  assert.equal(await exitCode(new StorageError('gone', 'unreachable')), EXIT.unreachable);
  assert.equal(await exitCode(new Error('fault')), EXIT.unreachable);
});
