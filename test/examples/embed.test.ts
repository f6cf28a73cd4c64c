import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startShop } from '../../examples/embed.ts';
import { connect } from '../../lib/index.ts';
import { untilPollsWait } from '../support/polls.ts';
import { databasePath } from './folder.ts';

test('the shop writes to its chat, and a client reads it over HTTP', async (t) => {
  const shop = await startShop({ database: await databasePath(t), port: 0 });
  t.after(shop.close);
  const shipped = await fetch(`${shop.url}/orders/42/ship`, { method: 'POST' });
  assert.match(await shipped.text(), /^Shipped; the chat knows it as message \d+\.\n$/);
  assert.equal((await fetch(`${shop.url}/elsewhere`)).status, 404);

  const email = 'ada@example.com';
  const client = connect({ site: `${shop.url}/chat`, email, api_key: await shop.chat.apiKeyOf(email) });
  t.after(() => client.close());
  const { messages } = await client.messages.list({
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    apply_markdown: false,
    narrow: [
      ['channel', 'orders'],
      ['topic', 'order 42'],
    ],
  });
  assert.deepEqual(
    messages.map(({ subject, content, client }) => [subject, content, client]),
    [['order 42', 'Order 42 has been shipped.', 'Shop']],
  );
});

test('the shop stops while a client polls, and keeps its chat', async (t) => {
  const database = await databasePath(t);
  const shop = await startShop({ database, port: 0 });
  const email = 'ada@example.com';
  const client = connect({ site: `${shop.url}/chat`, email, api_key: await shop.chat.apiKeyOf(email) });
  t.after(() => client.close());
  const key = await shop.chat.apiKeyOf(email);
  const { queue_id, last_event_id } = await client.register();
  const poll = client.events.list({ queue_id: queue_id as string, last_event_id });
  const ended = poll.then(
    () => 'answered',
    () => 'cut off',
  );
  await untilPollsWait(shop.chat, 1);
  await shop.close();
  await ended;
  const again = await startShop({ database, port: 0 });
  t.after(again.close);
  assert.equal(await again.chat.apiKeyOf(email), key);
});
