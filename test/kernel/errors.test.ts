import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ErrorCode, isChatError, StorageError as OwnStorageError, openChat, sqlite } from '../../lib/index.ts';
import { BadRequest, ChatError, errorBody, NotFound, RawJson, StreamDoesNotExist } from '../../lib/internal.ts';

/** A second copy of the modules, as a program has that loads the package both ways. */
const copyOf = (module: string) => import(`../../lib/${module}?copy`) as Promise<Record<string, never>>;

test('a refusal of another copy is a refusal, and is told from others by its code', async () => {
  const copy = (await copyOf('kernel/errors.ts')) as unknown as typeof import('../../lib/kernel/errors.ts');
  assert.notEqual(copy.ChatError, ChatError);
  const error: unknown = new copy.StreamDoesNotExist({ stream: 'nowhere' });
  assert.ok(error instanceof ChatError);
  assert.ok(isChatError(error) && isChatError(error, 'STREAM_DOES_NOT_EXIST'));
  const code: 'STREAM_DOES_NOT_EXIST' & ErrorCode = error.code;
  assert.equal(errorBody(error).code, code);
  assert.ok(!isChatError(error, 'BAD_REQUEST'));
  // Classes of one refusal are told apart as ever.
  assert.ok(!(error instanceof StreamDoesNotExist) && !(error instanceof BadRequest));
  assert.ok(new NotFound('/') instanceof ChatError && !(new NotFound('/') instanceof BadRequest));
});

test('what is no refusal is none', () => {
  for (const other of [null, undefined, 'BAD_REQUEST', new Error('x'), { code: 'BAD_REQUEST' }, () => 1])
    assert.ok(!isChatError(other) && !(other instanceof RawJson) && !(other instanceof OwnStorageError));
});

test('trouble of the database and lists written ahead are known in every copy', async () => {
  const storage = await copyOf('storage/storage-error.ts');
  const { StorageError } = storage as unknown as { StorageError: typeof OwnStorageError };
  assert.notEqual(StorageError, OwnStorageError);
  assert.ok(new StorageError('x', 'busy') instanceof OwnStorageError);
  const raw = (await copyOf('kernel/raw-json.ts')) as unknown as { RawJson: typeof RawJson };
  assert.ok(new raw.RawJson(Buffer.from('{}')) instanceof RawJson);
});

test('no answer in process holds what is of Node alone', async (t) => {
  const chat = await openChat({ storage: sqlite(':memory:') });
  t.after(() => chat.close());
  const owner = await chat.createOrganization({ name: 'X', owner: { email: 'ada@example.com', full_name: 'Ada' } });
  const session = chat.as(owner);
  const answers = [await session.register(), await session.users.list(), await session.presence.list()];
  for (const answer of answers) assert.deepEqual(answer, structuredClone(answer));
  assert.ok(!JSON.stringify(answers).includes('"type":"Buffer"'));
});
