import assert from 'node:assert/strict';
import type { World } from '../../../world/world.ts';
import { BAD_REQUEST, inWorlds, refusal, say } from '../in-worlds.ts';

/** Reactions past the operations, with codes that no emoji has. */
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
  const { channels, users } = world;
  const ids: number[] = [];
  // Three bytes each, in the text and in its HTML.
  const content = '\u6f22'.repeat(10_000);
  for (let n = 0; n < 164; n++) ids.push(await say(world, 'cordelia', channels.public, 'long', content));
  const list = () =>
    world.as('hamlet').messages.list({
      anchor: 'newest',
      num_before: 500,
      num_after: 0,
      narrow: [
        { operator: 'channel', operand: channels.public },
        { operator: 'topic', operand: 'long' },
      ],
    });
  assert.equal((await list()).messages.length, ids.length);
  const everybody = [users.hamlet, users.cordelia, users.administrator, users.owner];
  for (const id of ids) await react(world, id, everybody, 0, 5);
  const answer = await list();
  assert.equal(answer.found_oldest, false);
  assert.ok(answer.messages.length < 160 && answer.messages.length > 140, `${answer.messages.length} messages`);
  const bytes = Buffer.byteLength(JSON.stringify(answer));
  assert.ok(bytes < 16_000_000, `${bytes} bytes`);
  assert.equal(answer.messages.at(-1)?.id, ids.at(-1));
});
