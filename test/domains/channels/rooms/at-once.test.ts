import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { openChat } from '../../../../lib/index.ts';
import { testChat } from '../../../../lib/testing/testing.ts';
import { engines, testOn } from '../../../support/engines.ts';

const CALLS = 10;

for (const engine of engines) {
  describe(`rooms at once, on ${engine.name}`, () => {
    testOn(engine)('ten calls on two connections create one room with each person once', async (t) => {
      const place = await engine.open();
      const { chat, people, close, clock } = await testChat({ storage: place.storage });
      const other = await openChat({ storage: await place.reopen(), clock });
      t.after(async () => {
        await other.close();
        await close();
        await place.dispose();
      });
      await people.ada.userGroups.create({ name: 'support', description: '', members: [people.cleo.user_id] });
      const room = { external_id: 'order-17', name: 'Order 17', members: [people.ben.user_id], staff: 'support' };
      const calls = Array.from({ length: CALLS }, (_, at) => (at % 2 === 0 ? chat : other).rooms.ensure(room));
      const answers = await Promise.all(calls);
      assert.equal(new Set(answers.map(({ stream_id }) => stream_id)).size, 1);
      assert.equal(answers.filter(({ is_new }) => is_new).length, 1);
      const stream_id = answers[0]?.stream_id as number;
      const { subscribers } = await chat.system().channels.subscribers({ stream_id });
      assert.deepEqual(subscribers, [people.ben.user_id, people.cleo.user_id].sort());
    });
  });
}
