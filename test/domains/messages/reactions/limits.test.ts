import assert from 'node:assert/strict';
import type { World } from '../../../world/world.ts';
import { BAD_REQUEST, inWorlds, refusal, say } from '../in-worlds.ts';

/** Stores reactions without the operations, with codes of no emoji. */
async function react(world: World, message_id: number, users: readonly number[], from: number, count: number) {
  await world.storage.write(async (tx) => {
    for (const user_id of users)
      for (let n = from; n < from + count; n++) {
        const emoji_code = (0xf000 + n).toString(16);
        await tx.reactions.add({ message_id, user_id, reaction_type: 'unicode_emoji', emoji_code, emoji_name: 'x' });
      }
  });
}

inWorlds('more than 50 reactions of one user to a message are refused, and other users can react', async (world) => {
  const id = await say(world, 'cordelia', world.channels.public, 'acts');
  await react(world, id, [world.users.hamlet], 0, 50);
  const add = (user: 'hamlet' | 'cordelia') =>
    world.as(user).messages.addReaction({ message_id: id, emoji_name: 'tada' });
  assert.deepEqual(await refusal(add('hamlet')), BAD_REQUEST);
  await add('cordelia');
});

inWorlds('reactions count for the size limit of a list of messages', async (world) => {
  const { channels, users, storage } = world;
  const id = await say(world, 'cordelia', channels.public, 'acts');
  const sizeOf = () => storage.read(async (tx) => (await tx.messages.sizes([id])).get(id) as number);
  const bytesOf = async () => {
    const { message } = await world.as('hamlet').messages.get({ message_id: id });
    return Buffer.byteLength(JSON.stringify(message));
  };
  const before = { size: await sizeOf(), bytes: await bytesOf() };
  await react(world, id, [users.hamlet, users.cordelia, users.administrator, users.owner], 0, 10);
  const growth = { size: (await sizeOf()) - before.size, bytes: (await bytesOf()) - before.bytes };
  assert.ok(growth.size > growth.bytes / 2, `${growth.size} counted for ${growth.bytes} bytes of reactions`);
});
