import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testChat } from '../../lib/testing/testing.ts';

test('an unknown parameter throws in development, and is listed in the response in production', async (t) => {
  const { people, close } = await testChat();
  t.after(close);
  const { NODE_ENV } = process.env;
  t.after(() => {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  });
  const misspelt = { stream: 'general', strem: 'general' };
  process.env.NODE_ENV = 'production';
  assert.deepEqual((await people.ada.channels.getId(misspelt)).ignored_parameters_unsupported, ['strem']);
  process.env.NODE_ENV = 'development';
  const error = { name: 'TypeError', message: 'channels.getId has no parameter "strem". It has: stream.' };
  await assert.rejects(people.ada.channels.getId(misspelt), error);
  await people.ada.channels.getId({ stream: 'general' });
  const created = { name: 'x', subscribers: [], anounce: true };
  await assert.rejects(people.ada.dryRun.channels.create(created), {
    name: 'TypeError',
    message: /no parameter "anounce"/,
  });
});
