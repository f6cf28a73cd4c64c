import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { testChat } from '../../../lib/testing/testing.ts';
import { newChannel } from '../../contract/fixtures.ts';
import { engines, testOn } from '../../support/engines.ts';

for (const engine of engines) {
  const test = testOn(engine);
  describe(`limits of channels, on ${engine.name}`, () => {
    test('a channel permission names at most 200 users and groups, and all channels have at most 10 MB', async (t) => {
      const place = await engine.open();
      const { people, close } = await testChat({ storage: place.storage });
      t.after(async () => {
        await close();
        await place.dispose();
      });
      const { ada, dora } = people;
      const batch = Array.from({ length: 201 }, (_, at) => ({ email: `p${at}@example.com`, full_name: 'Person' }));
      const ids = (await ada.users.createMany({ people: batch })).people.map(({ user_id }) => user_id as number);
      const naming = (count: number) => ({ direct_members: ids.slice(0, count), direct_subgroups: [] });
      const one = { name: 'one', subscribers: [] };
      await assert.rejects(
        dora.channels.create({ ...one, can_send_message_group: naming(201) }),
        /201 users and groups \(limit: 200\)/,
      );
      await dora.channels.create({ ...one, can_send_message_group: naming(200) });

      const huge = { ...newChannel('huge'), description: 'x'.repeat(9_998_300) };
      await place.storage.write((tx) => tx.channels.create([huge]));
      const { id: stream_id } = await dora.channels.create({ name: 'two', subscribers: [], description: 'a\u0001b' });
      assert.equal((await dora.channels.get({ stream_id })).stream.description, 'a b');
      const description = 'y'.repeat(1_000);
      const tooMuch = /10000000 bytes/;
      await assert.rejects(dora.channels.create({ name: 'three', subscribers: [], description }), tooMuch);
      const subscriptions = [{ name: 'three', description }];
      await assert.rejects(dora.subscriptions.add({ subscriptions }), tooMuch);
      await assert.rejects(dora.channels.edit({ stream_id, description }), tooMuch);
      assert.equal((await dora.channels.get({ stream_id })).stream.description, 'a b');
      await assert.rejects(dora.channels.getId({ stream: 'three' }), 'a refused request changes nothing');
    });
  });
}
