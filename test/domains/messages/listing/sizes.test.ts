import assert from 'node:assert/strict';
import { createMessage } from '../../../contract/fixtures.ts';
import { testOn } from '../../../support/engines.ts';
import { featureEngines } from '../../../world/copies.ts';
import type { World } from '../../../world/world.ts';

const COUNT = 200;

/** Messages as older versions stored them: with HTML of a hundred times their length. */
const longMessages = (world: World) =>
  world.storage.write(async (tx) => {
    const topic = await tx.conversations.ensureTopic(world.channels.default, 'formulas');
    const rendered_content = `<p>${'x'.repeat(150_000)}</p>`;
    const ids: number[] = [];
    for (let n = 0; n < COUNT; n++) {
      ids.push(await createMessage(tx, { id: world.users.hamlet }, topic, { rendered_content }));
    }
    return ids;
  });

for (const engine of featureEngines) {
  testOn(engine)(
    `a response has at most 10 MB of the messages nearest to the anchor, and says that more follow (${engine.name})`,
    async () => {
      const world = await engine.world();
      try {
        const ids = await longMessages(world);
        const { messages: lists } = world.as('hamlet');
        const narrow = [['topic', 'formulas']] as [string, string][];
        const middle = ids[COUNT / 2] as number;
        const around = await lists.list({ anchor: middle, num_before: COUNT, num_after: COUNT, narrow });
        const found = around.messages.map(({ id }) => id);
        const start = ids.indexOf(found[0] as number);
        assert.deepEqual(found, ids.slice(start, start + found.length), 'the messages have no gap');
        assert.ok(found.length >= 60 && found.length <= 70, `${found.length} messages`);
        assert.ok(Math.abs(COUNT / 2 - (start + found.length / 2)) <= 2, 'both sides have the same number of messages');
        assert.deepEqual([around.found_oldest, around.found_newest, around.found_anchor], [false, false, true]);

        const walked: number[] = [];
        for (let anchor: number | 'newest' = 'newest'; ; anchor = walked[0] as number) {
          const page: Awaited<ReturnType<typeof lists.list>> = await lists.list({
            anchor,
            num_before: COUNT,
            num_after: 0,
            include_anchor: false,
            narrow,
          });
          assert.equal(page.found_newest, anchor === 'newest');
          walked.unshift(...page.messages.map(({ id }) => id));
          if (page.found_oldest) break;
        }
        assert.deepEqual(walked, ids);

        await assert.rejects(lists.list({ message_ids: ids }), { code: 'BAD_REQUEST', message: /Request fewer/ });
        assert.equal((await lists.list({ message_ids: ids.slice(0, 60) })).messages.length, 60);
        assert.deepEqual(world.failures, []);
      } finally {
        await world.close();
      }
    },
  );
}
