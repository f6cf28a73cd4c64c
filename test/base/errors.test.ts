import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tsImport } from 'tsx/esm/api';
import {
  type BadImage,
  type ErrorCode,
  isChatError,
  StorageError as OwnStorageError,
  openChat,
  PushRelayError,
  sqlite,
  UndeliverableEmail,
} from '../../lib/index.ts';
import { BadRequest, ChatError, errorBody, NotFound, RawJson, StreamDoesNotExist } from '../../lib/internal.ts';

/** A second copy of the modules, as in a program that loads the package as ESM and CommonJS. */
const copyOf = (module: string) => tsImport(`../../lib/${module}`, import.meta.url) as Promise<Record<string, never>>;

test('a ChatError of another copy of the package is an instance of ChatError with its code', async () => {
  const copy = (await copyOf('base/chat-error.ts')) as unknown as typeof import('../../lib/base/chat-error.ts');
  assert.notEqual(copy.ChatError, ChatError);
  const error: unknown = new copy.ChatError('There is no channel.', 'STREAM_DOES_NOT_EXIST');
  assert.ok(error instanceof ChatError);
  assert.ok(isChatError(error) && isChatError(error, 'STREAM_DOES_NOT_EXIST'));
  const code: 'STREAM_DOES_NOT_EXIST' & ErrorCode = error.code;
  assert.equal(errorBody(error).code, code);
  assert.ok(!isChatError(error, 'BAD_REQUEST'));
  // Error classes of one copy stay distinct.
  assert.ok(!(error instanceof StreamDoesNotExist) && !(error instanceof BadRequest));
  assert.ok(new NotFound('/') instanceof ChatError && !(new NotFound('/') instanceof BadRequest));
});

test('errors of mail, push relay and images of another copy of the package are recognized', async () => {
  const [mail, relay, errors] = await Promise.all([
    copyOf('adapters/mail.ts') as unknown as Promise<{ UndeliverableEmail: typeof UndeliverableEmail }>,
    copyOf('adapters/push-relay.ts') as unknown as Promise<{ PushRelayError: typeof PushRelayError }>,
    copyOf('base/errors.ts') as unknown as Promise<{ BadImage: typeof BadImage }>,
  ]);
  assert.ok(new mail.UndeliverableEmail('nobody') instanceof UndeliverableEmail);
  assert.ok(new relay.PushRelayError('no', 'refused') instanceof PushRelayError);
  assert.ok(isChatError(new errors.BadImage('none'), 'BAD_IMAGE'));
  for (const other of [new Error('x'), null, { name: 'UndeliverableEmail' }])
    assert.ok(!(other instanceof UndeliverableEmail) && !(other instanceof PushRelayError));
});

test('an e-mail that fails with the UndeliverableEmail of another copy is given up after one attempt', async (t) => {
  const copy = (await copyOf('adapters/mail.ts')) as unknown as { UndeliverableEmail: typeof UndeliverableEmail };
  const send = async () => Promise.reject(new copy.UndeliverableEmail('there is no such recipient'));
  const storage = sqlite(':memory:');
  const chat = await openChat({ storage, mail: { send, close: async () => undefined } });
  t.after(() => chat.close());
  await chat.createOrganization({ name: 'Club', owner: { email: 'ada@example.com', full_name: 'Ada' } });
  const email = { to: 'ben@example.com', subject: 'a', text: 'b' };
  await storage.write((tx) => tx.outbox.add([{ kind: 'mail', payload: email, due_ms: 0 }]));
  await chat.runDue();
  assert.deepEqual(
    (await chat.givenUp()).map(({ attempts, last_error }) => [attempts, last_error]),
    [[1, 'there is no such recipient']],
  );
});

test('isChatError is false for other errors and values', () => {
  for (const other of [null, undefined, 'BAD_REQUEST', new Error('x'), { code: 'BAD_REQUEST' }, () => 1])
    assert.ok(!isChatError(other) && !(other instanceof RawJson) && !(other instanceof OwnStorageError));
});

test('StorageError and RawJson of another copy of the package are recognized', async () => {
  const storage = await copyOf('storage/storage-error.ts');
  const { StorageError } = storage as unknown as { StorageError: typeof OwnStorageError };
  assert.notEqual(StorageError, OwnStorageError);
  assert.ok(new StorageError('x', 'busy') instanceof OwnStorageError);
  const raw = (await copyOf('base/raw-json.ts')) as unknown as { RawJson: typeof RawJson };
  assert.ok(new raw.RawJson(Buffer.from('{}')) instanceof RawJson);
});

test('responses in process contain no Buffer and are equal to their structured clone', async (t) => {
  const chat = await openChat({ storage: sqlite(':memory:') });
  t.after(() => chat.close());
  const owner = await chat.createOrganization({ name: 'X', owner: { email: 'ada@example.com', full_name: 'Ada' } });
  const session = chat.as(owner);
  const answers = [await session.register(), await session.users.list(), await session.presence.list()];
  for (const answer of answers) assert.deepEqual(answer, structuredClone(answer));
  assert.ok(!JSON.stringify(answers).includes('"type":"Buffer"'));
});
