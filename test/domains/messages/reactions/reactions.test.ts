import assert from 'node:assert/strict';
import type { UserName } from '../../../world/fixture.ts';
import { inWorlds, listening, say } from '../in-worlds.ts';

inWorlds('a reaction to a hidden message gets the same refusal as to a missing one', async ({ as, messages }) => {
  const says = async (user: 'hamlet' | 'cordelia', message_id: number) =>
    as(user)
      .messages.addReaction({ message_id, emoji_name: 'tada' })
      .catch((error: Error) => error.message.replace(/\d+/, 'N'));
  const missing = await says('hamlet', 999_999);
  assert.equal(await says('cordelia', messages.council), missing);
  assert.equal(await says('hamlet', messages.vaultAfter), missing);
  assert.equal(await says('hamlet', messages.ruins), missing);
});

inWorlds('recipients of a message and subscribers with open history get the event of a reaction', async (world) => {
  const { as, channels, messages } = world;
  await as('hamlet').subscriptions.add({ subscriptions: [{ name: 'Norway' }] });
  await as('cordelia').subscriptions.remove({ subscriptions: ['Denmark'] });
  const late = await say(world, 'hamlet', channels.public, 'ghosts');
  await as('moderator').subscriptions.add({ subscriptions: [{ name: 'Denmark' }] });
  const heard = await listening(world, ['administrator', 'hamlet', 'cordelia', 'moderator', 'owner']);
  await as('hamlet').messages.addReaction({ message_id: messages.ghost, emoji_name: 'tada' });
  await as('hamlet').messages.addReaction({ message_id: late, emoji_name: 'tada' });
  const ids = async (user: UserName) => (await heard(user)).map((event) => event.message_id);
  assert.deepEqual(await ids('administrator'), [messages.ghost, late]);
  assert.deepEqual(await ids('moderator'), [messages.ghost, late]);
  assert.deepEqual(await ids('cordelia'), [messages.ghost]);
  assert.deepEqual(await ids('owner'), []);
});
