import assert from 'node:assert/strict';
import { describe, type TestContext } from 'node:test';
import type { Delivery } from '../../lib/index.ts';
import { testChat } from '../../lib/testing/testing.ts';
import { featureEngines, testOn } from '../support/engines.ts';

for (const engine of featureEngines) {
  describe(`chat.deliver on ${engine.name}`, () => {
    const test = testOn(engine);

    async function open(t: TestContext) {
      const place = await engine.open();
      const made = await testChat({ storage: place.storage });
      t.after(async () => {
        await made.close();
        await place.dispose();
      });
      const contents = async () => {
        const { messages } = await made.chat.system().messages.list({
          ...{ narrow: [['topic', 'orders']], anchor: 'newest', num_before: 100, apply_markdown: false },
        });
        return messages.map(({ sender_full_name, content }) => `${sender_full_name}: ${content}`);
      };
      return { ...made, contents };
    }

    const order = (key: string, content = `${key} is paid`) =>
      ({
        ...{ key, operation: 'messages.send' },
        parameters: { type: 'channel', to: 'general', topic: 'orders', content },
      }) as const satisfies Delivery;

    test('a row delivered several times, also concurrently, sends one message', async (t) => {
      const { chat, contents } = await open(t);
      const rows = [order('order 1'), order('order 2')];
      const first = await Promise.all([...rows, ...rows].map((row) => chat.deliver(row)));
      assert.deepEqual([first[2], first[3]], [first[0], first[1]]);
      assert.ok(first.every(({ id }) => id > 0));
      // The JSON of a database row. `null` means no user.
      const again = JSON.parse(JSON.stringify({ ...rows[0], user: null })) as Delivery<'messages.send'>;
      assert.deepEqual(await chat.deliver(again), first[0]);
      assert.deepEqual((await contents()).sort(), [
        'Notification Bot: order 1 is paid',
        'Notification Bot: order 2 is paid',
      ]);
    });

    test('a row with a user is delivered with the permissions of that user', async (t) => {
      const { chat, people, contents } = await open(t);
      const user = people.ben.user_id;
      await chat.deliver({ ...order('a'), user });
      assert.deepEqual(await contents(), ['Ben: a is paid']);
      const made = await chat.deliver({
        ...{ key: 'channel', user, operation: 'channels.create' },
        parameters: { name: 'orders', subscribers: [user] },
      });
      assert.deepEqual((await chat.as(user).channels.getId({ stream: 'orders' })).stream_id, made.id);
      await chat.as(people.ada.user_id).users.deactivate({ user_id: user });
      await assert.rejects(chat.deliver({ ...order('b'), user }), { code: 'UNAUTHORIZED' });
      assert.deepEqual(await contents(), ['Ben: a is paid']);
    });

    test('a refused row can be delivered again, and its key is refused for another call', async (t) => {
      const { chat, contents } = await open(t);
      const lost = { ...order('x'), parameters: { ...order('x').parameters, to: 'elsewhere' } };
      await assert.rejects(chat.deliver(lost), { code: 'STREAM_DOES_NOT_EXIST' });
      await chat.deliver(order('x'));
      await assert.rejects(chat.deliver(order('x', 'other')), { code: 'IDEMPOTENCY_KEY_REUSED' });
      assert.deepEqual(await contents(), ['Notification Bot: x is paid']);
    });

    test('a row without a key, or with an operation that accepts none, is refused', async (t) => {
      const { chat, contents } = await open(t);
      const { key: _, ...keyless } = order('x');
      await assert.rejects(chat.deliver(keyless as never), { code: 'BAD_REQUEST', message: /needs a key/ });
      await assert.rejects(chat.deliver(order('')), { code: 'BAD_REQUEST' });
      await assert.rejects(chat.deliver(order('k'.repeat(256))), { code: 'BAD_REQUEST' });
      const reading = { key: 'x', operation: 'messages.list', parameters: {} };
      await assert.rejects(chat.deliver(reading as never), { code: 'BAD_REQUEST', message: /messages\.list/ });
      await assert.rejects(chat.deliver({ ...reading, operation: 'messages.sing' } as never), { code: 'BAD_REQUEST' });
      assert.deepEqual(await contents(), []);
    });
  });
}
