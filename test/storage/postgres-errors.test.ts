import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explain, reasonOf } from '../../lib/storage/postgres/errors.ts';
import { StorageError } from '../../lib/storage/storage-error.ts';

const failure = (code: string) => Object.assign(new Error('said by the server'), { code });

test('errors of PostgreSQL have the reason of their code, or of its class', () => {
  const reasons = {
    '08006': 'unreachable',
    '57P01': 'unreachable',
    ECONNREFUSED: 'unreachable',
    '53300': 'busy',
    '53100': 'full',
    '58030': 'io',
    '25006': 'read-only',
    '23505': undefined,
    EINVAL: undefined,
  };
  for (const [code, reason] of Object.entries(reasons)) assert.equal(reasonOf(failure(code)), reason, code);
});

test('an error of a full disk names the database and the cause, and an unknown error is unchanged', () => {
  const full = explain(failure('53100'), () => 'The database chat') as StorageError;
  assert.ok(full instanceof StorageError);
  assert.deepEqual(
    [full.reason, full.message],
    ['full', 'The database chat has no space left on its disk: said by the server.'],
  );
  const locked = explain(failure('55P03'), () => 'The database chat') as StorageError;
  assert.deepEqual(
    [locked.reason, locked.message],
    [
      'busy',
      'The database chat is locked by another transaction for too long. Inside your own transaction, call the chat with within(client).',
    ],
  );
  const other = failure('23505');
  assert.equal(
    explain(other, () => 'The database chat'),
    other,
  );
});
