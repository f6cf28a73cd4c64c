import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asNewClients } from '../../server/zulip-clients.ts';

/** The values that an operation with these parameters gets. */
function received(values: Record<string, unknown>, ...params: string[]) {
  const given = { ...values };
  asNewClients(given, Object.fromEntries(params.map((name) => [name, {}])));
  return given;
}

test('an empty list of principals means the caller, and other principals stay', () => {
  for (const principals of ['[]', ' [ ] ', []]) assert.deepEqual(received({ principals }, 'principals'), {});
  for (const principals of ['[7]', '', [7]]) assert.deepEqual(received({ principals }, 'principals'), { principals });
  assert.deepEqual(received({ principals: '[]' }, 'color'), { principals: '[]' }, 'it is reported as unknown');
});

test('subject is the topic of an operation that does not declare it', () => {
  assert.deepEqual(received({ subject: 'ghosts' }, 'topic'), { topic: 'ghosts' });
  assert.deepEqual(received({ subject: 'ghosts', topic: 'swords' }, 'topic'), { subject: 'ghosts', topic: 'swords' });
  assert.deepEqual(received({ subject: 'ghosts' }, 'topic', 'subject'), { subject: 'ghosts' });
});

test('content that is too long is cut unless the client says otherwise', () => {
  assert.deepEqual(received({}, 'truncate'), { truncate: 'true' });
  assert.deepEqual(received({ truncate: 'false' }, 'truncate'), { truncate: 'false' });
});
