import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openChat, sqlite } from '../../lib/index.ts';
import { seedDemo } from '../../lib/internal.ts';

test('each user of the demo has unread messages of others and none of their own', async () => {
  const chat = await openChat({ storage: sqlite(':memory:') });
  try {
    for (const { user_id, email } of (await seedDemo(chat)).accounts) {
      const { messages } = await chat.as(user_id).messages.list({
        anchor: 'newest',
        num_before: 1_000,
        num_after: 0,
        narrow: [['is', 'unread']],
      });
      assert.deepEqual(
        messages.filter((message) => message.sender_id === user_id).map((message) => message.id),
        [],
        email,
      );
      assert.ok(messages.length > 0, email);
    }
  } finally {
    await chat.close();
  }
});

test('a complete demo is named "Parlance demo"', async () => {
  const chat = await openChat({ storage: sqlite(':memory:') });
  try {
    await seedDemo(chat);
    assert.equal((await chat.anonymous().serverSettings.get()).realm_name, 'Parlance demo');
  } finally {
    await chat.close();
  }
});
