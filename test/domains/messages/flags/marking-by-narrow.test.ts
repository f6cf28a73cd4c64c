import assert from 'node:assert/strict';
import type { World } from '../../../world/world.ts';
import { inWorlds, listening } from '../in-worlds.ts';

/** More messages than one transaction marks. */
const MANY = 1_200;

async function told(world: World): Promise<number[]> {
  return world.storage.write(async (tx) => {
    const { id: conversation_id } = await tx.conversations.ensureTopic(world.channels.public, 'lanterns');
    const message = { conversation_id, content: 'lit', rendered_content: '<p>lit</p>', timestamp: 1_700_000_000 };
    const rest = { sender_id: world.users.hamlet, client: 'Tests', is_me_message: false, read_by_sender: true };
    const ids: number[] = [];
    for (let n = 0; n < MANY; n++) ids.push((await tx.messages.create({ ...message, ...rest })).id);
    return ids;
  });
}

inWorlds('flags of many messages in a narrow change in parts, and as a whole in a dry run', async (world) => {
  const ids = await told(world);
  const { messages } = world.as('cordelia');
  const marking = {
    anchor: ids[0] as number,
    num_before: 0,
    num_after: 4_999,
    op: 'add' as const,
    flag: 'starred' as const,
    narrow: [
      { operator: 'sender', operand: world.users.hamlet },
      { operator: 'channel', operand: world.channels.public },
    ],
  };
  const heard = await listening(world, ['cordelia']);
  const tried = await world.as('cordelia').dryRun.messages.updateFlagsNarrow(marking);
  assert.deepEqual(
    tried.events.map(({ event }) => (event as unknown as { messages: number[] }).messages.length),
    [MANY],
  );
  assert.deepEqual(await messages.updateFlagsNarrow(marking), {
    processed_count: MANY,
    updated_count: MANY,
    first_processed_id: ids[0],
    last_processed_id: ids.at(-1),
    found_oldest: false,
    found_newest: true,
    ignored_because_not_subscribed_channels: [],
  });
  const events = (await heard('cordelia')) as { messages: number[] }[];
  assert.deepEqual(
    events.map((event) => event.messages),
    [ids.slice(0, 1_000), ids.slice(1_000)],
  );
  const again = await messages.updateFlagsNarrow(marking);
  assert.deepEqual([again.processed_count, again.updated_count], [MANY, 0]);
});
