import assert from 'node:assert/strict';
import { createMessage } from '../../../contract/fixtures.ts';
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

inWorlds('a list of messages with many reactions is cut to the size limit of a response', async (world) => {
  const { channels, users, storage } = world;
  // Together a little below the limit of 10 MB.
  const ids = await storage.write(async (tx) => {
    const topic = await tx.conversations.ensureTopic(channels.public, 'long');
    const rendered_content = `<p>${'x'.repeat(150_000)}</p>`;
    const made: number[] = [];
    for (let n = 0; n < 66; n++)
      made.push(await createMessage(tx, { id: users.cordelia }, topic, { rendered_content }));
    return made;
  });
  const narrow: [string, string][] = [['topic', 'long']];
  const list = () => world.as('hamlet').messages.list({ anchor: 'newest', num_before: 500, num_after: 0, narrow });
  const first = ids[0] as number;
  const sizeOf = () => storage.read(async (tx) => (await tx.messages.sizes([first])).get(first) as number);
  const bytesOf = async () => Buffer.byteLength(JSON.stringify((await list()).messages.at(-1)));
  assert.equal((await list()).messages.length, ids.length);
  const before = { size: await sizeOf(), bytes: await bytesOf() };
  const reacting = [users.hamlet, users.cordelia, users.administrator, users.owner];
  for (const id of ids) await react(world, id, reacting, 0, 10);
  const growth = { size: (await sizeOf()) - before.size, bytes: (await bytesOf()) - before.bytes };
  assert.ok(growth.size > growth.bytes / 2, `${growth.size} counted for ${growth.bytes} bytes of reactions`);
  const answer = await list();
  assert.equal(answer.found_oldest, false);
  assert.ok(answer.messages.length < ids.length && answer.messages.length > 60, `${answer.messages.length} messages`);
  assert.equal(answer.messages.at(-1)?.id, ids.at(-1));
});
