import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openChat, sqlite } from '../../../../lib/index.ts';

/** Number of warnings about typing at registration. */
async function warnings(given: object, { development = true } = {}): Promise<number> {
  let warned = 0;
  const warn = (_: object, message: string) => {
    if (message.includes('typing')) warned++;
  };
  const logger = { debug() {}, info() {}, error() {}, warn };
  const chat = await openChat({ storage: sqlite(':memory:'), development, logger: logger as never });
  try {
    const owner = { email: 'ada@example.com', full_name: 'Ada' };
    const { user_id } = await chat.createOrganization({ name: 'Example', owner });
    await chat.as(user_id).register(given);
    return warned;
  } finally {
    await chat.close();
  }
}

const able = { client_capabilities: { stream_typing_notifications: true } };

test('E4: a development server warns of queues for typing without the capability', async () => {
  assert.equal(await warnings({ event_types: ['message', 'typing'] }), 1);
  assert.equal(await warnings({ event_types: ['typing'], client_capabilities: {} }), 1);
  assert.equal(await warnings({ event_types: ['typing'], ...able }), 0);
  assert.equal(await warnings({ event_types: ['message'] }), 0);
  assert.equal(await warnings({}), 0, 'a client that registers for all types gets no warning');
  assert.equal(await warnings({ event_types: ['typing'] }, { development: false }), 0, 'in production');
});
