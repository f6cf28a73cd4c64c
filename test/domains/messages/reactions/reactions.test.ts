import assert from 'node:assert/strict';
import type { World } from '../../../world/world.ts';
import { BAD_REQUEST, inWorlds, listening, message, refusal, say } from '../in-worlds.ts';

const TADA = { emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' };

async function addCustomEmoji({ storage, users }: World, name: string): Promise<number> {
  const emoji = { name, author_id: users.owner, source_url: `/user_avatars/emoji/${name}.png`, still_url: null };
  return (await storage.write((tx) => tx.customEmoji.create(emoji))) as number;
}

inWorlds('a reaction is added by the name of an emoji and shows in the message', async (world) => {
  const { users, messages } = world;
  const heard = await listening(world, ['hamlet', 'cordelia', 'guest']);
  assert.deepEqual(
    await world.as('hamlet').messages.addReaction({ message_id: messages.ghost, emoji_name: 'tada' }),
    {},
  );
  const reaction = { ...TADA, user_id: users.hamlet };
  assert.deepEqual((await message(world, 'cordelia', messages.ghost)).reactions, [reaction]);
  const event = { type: 'reaction', op: 'add', message_id: messages.ghost, ...reaction };
  assert.deepEqual(await heard('hamlet'), [event]);
  assert.deepEqual(await heard('cordelia'), [event]);
  assert.deepEqual(await heard('guest'), []);
});

inWorlds('emoji_name is required', async (world) => {
  const { as, messages } = world;
  assert.deepEqual(await refusal(as('hamlet').messages.addReaction({ message_id: messages.ghost } as never)), {
    code: 'REQUEST_VARIABLE_MISSING',
    status: 400,
    var_name: 'emoji_name',
  });
});

inWorlds('an invalid emoji code is refused with BAD_REQUEST', async ({ as, messages }) => {
  const add = (params: object) =>
    refusal(as('hamlet').messages.addReaction({ message_id: messages.ghost, emoji_name: 'tada', ...params }));
  assert.deepEqual(await add({ emoji_name: 'no_such_emoji' }), BAD_REQUEST);
  assert.deepEqual(await add({ emoji_code: '1f38', reaction_type: 'unicode_emoji' }), BAD_REQUEST);
  assert.deepEqual(await add({ emoji_code: '1f431', reaction_type: 'unicode_emoji' }), BAD_REQUEST);
  assert.deepEqual(await add({ emoji_code: '1f431' }), BAD_REQUEST);
  assert.deepEqual(await add({ emoji_code: 'zulip', reaction_type: 'zulip_extra_emoji' }), BAD_REQUEST);
  assert.deepEqual(await add({ emoji_code: '99', reaction_type: 'realm_emoji' }), BAD_REQUEST);
  assert.deepEqual(await add({ emoji_code: 'constructor', reaction_type: 'unicode_emoji' }), BAD_REQUEST);
  assert.deepEqual(await add({ emoji_code: '1f389', reaction_type: 'no_such_type' }), BAD_REQUEST);
});

inWorlds('a message that is missing or cannot be accessed is refused in the same words', async ({ as, messages }) => {
  const says = async (user: 'hamlet' | 'cordelia', message_id: number) =>
    as(user)
      .messages.addReaction({ message_id, emoji_name: 'tada' })
      .catch((error: Error) => error.message.replace(/\d+/, 'N'));
  const missing = await says('hamlet', 999_999);
  assert.equal(await says('cordelia', messages.council), missing);
  assert.equal(await says('hamlet', messages.vaultAfter), missing);
  assert.equal(await says('hamlet', messages.ruins), missing);
});

inWorlds('a reaction that exists is refused with REACTION_ALREADY_EXISTS', async ({ as, messages }) => {
  const add = () => as('hamlet').messages.addReaction({ message_id: messages.ghost, emoji_name: 'tada' });
  await add();
  assert.deepEqual(await refusal(add()), { code: 'REACTION_ALREADY_EXISTS', status: 400 });
});

inWorlds('the emoji zulip is neither Unicode nor custom', async (world) => {
  const { as, messages } = world;
  await as('hamlet').messages.addReaction({ message_id: messages.ghost, emoji_name: 'zulip' });
  const [reaction] = (await message(world, 'hamlet', messages.ghost)).reactions;
  assert.equal(reaction?.emoji_code, 'zulip');
  assert.equal(reaction?.reaction_type, 'zulip_extra_emoji');
});

inWorlds('an alias is kept as the name of the reaction', async (world) => {
  const { as, messages } = world;
  await as('hamlet').messages.addReaction({ message_id: messages.ghost, emoji_name: 'like' });
  const [reaction] = (await message(world, 'hamlet', messages.ghost)).reactions;
  assert.deepEqual([reaction?.emoji_name, reaction?.emoji_code], ['like', '1f44d']);
});

inWorlds('a vote for an existing reaction keeps its name, whatever name is given', async (world) => {
  const { as, messages, users } = world;
  const code = { emoji_code: '1f44d', reaction_type: 'unicode_emoji' };
  await as('hamlet').messages.addReaction({ message_id: messages.ghost, emoji_name: 'like' });
  await as('cordelia').messages.addReaction({ message_id: messages.ghost, emoji_name: 'renamed_since', ...code });
  assert.deepEqual((await message(world, 'hamlet', messages.ghost)).reactions, [
    { emoji_name: 'like', ...code, user_id: users.hamlet },
    { emoji_name: 'like', ...code, user_id: users.cordelia },
  ]);
});

inWorlds('a custom emoji goes before a Unicode emoji of the same name', async (world) => {
  const { as, messages } = world;
  const id = await addCustomEmoji(world, 'tada');
  await as('hamlet').messages.addReaction({ message_id: messages.ghost, emoji_name: 'tada' });
  const [reaction] = (await message(world, 'hamlet', messages.ghost)).reactions;
  assert.deepEqual([reaction?.reaction_type, reaction?.emoji_code], ['realm_emoji', String(id)]);
});

inWorlds('a deactivated custom emoji takes votes and no new reactions', async (world) => {
  const { as, messages, storage } = world;
  const id = await addCustomEmoji(world, 'yoricks_skull');
  const skull = { emoji_name: 'yoricks_skull', emoji_code: String(id), reaction_type: 'realm_emoji' };
  await as('hamlet').messages.addReaction({ message_id: messages.ghost, emoji_name: 'yoricks_skull' });
  await storage.write((tx) => tx.customEmoji.deactivate(id));
  await as('cordelia').messages.addReaction({ message_id: messages.ghost, ...skull });
  assert.equal((await message(world, 'hamlet', messages.ghost)).reactions.length, 2);
  assert.deepEqual(
    await refusal(as('hamlet').messages.addReaction({ message_id: messages.ghostReply, ...skull })),
    BAD_REQUEST,
  );
  assert.deepEqual(
    await refusal(as('hamlet').messages.addReaction({ message_id: messages.ghostReply, emoji_name: 'yoricks_skull' })),
    BAD_REQUEST,
  );
});

inWorlds('whoever reacts to a message they did not receive has read it, as a historical one', async (world) => {
  const { as, messages } = world;
  await as('moderator').messages.addReaction({ message_id: messages.ghost, emoji_name: 'tada' });
  assert.deepEqual((await message(world, 'moderator', messages.ghost)).flags?.sort(), ['historical', 'read']);
});

inWorlds('a reaction is told to those who received the message and to subscribers with open history', async (world) => {
  const { as, channels, messages } = world;
  await as('hamlet').subscriptions.add({ subscriptions: [{ name: 'Norway' }] });
  await as('cordelia').subscriptions.remove({ subscriptions: ['Denmark'] });
  const late = await say(world, 'hamlet', channels.public, 'ghosts');
  await as('moderator').subscriptions.add({ subscriptions: [{ name: 'Denmark' }] });
  const heard = await listening(world, ['administrator', 'hamlet', 'cordelia', 'moderator', 'owner']);
  await as('hamlet').messages.addReaction({ message_id: messages.ghost, emoji_name: 'tada' });
  await as('hamlet').messages.addReaction({ message_id: late, emoji_name: 'tada' });
  const ids = async (user: 'hamlet') => (await heard(user)).map((event) => event.message_id);
  assert.deepEqual(await ids('administrator' as 'hamlet'), [messages.ghost, late]);
  assert.deepEqual(await ids('moderator' as 'hamlet'), [messages.ghost, late]);
  assert.deepEqual(await ids('cordelia' as 'hamlet'), [messages.ghost]);
  assert.deepEqual(await ids('owner' as 'hamlet'), []);
});

inWorlds('where history is protected, later subscribers do not hear of earlier messages', async (world) => {
  const { as, messages } = world;
  const heard = await listening(world, ['guest', 'cordelia']);
  await as('cordelia').messages.addReaction({ message_id: messages.vaultBefore, emoji_name: 'tada' });
  await as('cordelia').messages.addReaction({ message_id: messages.vaultAfter, emoji_name: 'tada' });
  assert.deepEqual(
    (await heard('guest')).map((event) => event.message_id),
    [messages.vaultAfter],
  );
  assert.equal((await heard('cordelia')).length, 2);
});

inWorlds('everybody in a direct conversation hears of a reaction, and nobody else', async (world) => {
  const { as, messages } = world;
  const heard = await listening(world, ['hamlet', 'cordelia', 'owner']);
  await as('cordelia').messages.addReaction({ message_id: messages.direct, emoji_name: 'heart' });
  assert.equal((await heard('hamlet')).length, 1);
  assert.equal((await heard('cordelia')).length, 1);
  assert.equal((await heard('owner')).length, 0);
});

inWorlds('a reaction is taken back by name, by another name or by code', async (world) => {
  const { as, messages, users } = world;
  const { addReaction, removeReaction } = as('hamlet').messages;
  const message_id = messages.ghost;
  const heard = await listening(world, ['cordelia']);
  const [added, removed] = ['add', 'remove'].map((op) => ({
    ...{ type: 'reaction', op, message_id, user_id: users.hamlet },
    ...{ emoji_name: 'like', emoji_code: '1f44d', reaction_type: 'unicode_emoji' },
  }));
  for (const way of [{ emoji_name: 'like' }, { emoji_name: '+1' }, { emoji_code: '1f44d' }]) {
    await addReaction({ message_id, emoji_name: 'like' });
    assert.deepEqual(await removeReaction({ message_id, ...way }), {});
  }
  assert.deepEqual((await message(world, 'hamlet', message_id)).reactions, []);
  assert.deepEqual(await heard('cordelia'), [added, removed, added, removed, added, removed]);
});

inWorlds('taking back a reaction names the emoji, and one that is there', async (world) => {
  const { as, messages } = world;
  await as('cordelia').messages.addReaction({ message_id: messages.ghost, emoji_name: 'tada' });
  const remove = (params: object) =>
    refusal(as('hamlet').messages.removeReaction({ message_id: messages.ghost, ...params }));
  const absent = { code: 'REACTION_DOES_NOT_EXIST', status: 400 };
  assert.deepEqual(await remove({}), BAD_REQUEST);
  assert.deepEqual(await remove({ emoji_name: 'tada' }), absent);
  assert.deepEqual(await remove({ emoji_name: 'never_heard_of' }), absent);
  assert.deepEqual(await remove({ emoji_code: '1f389' }), absent);
  assert.deepEqual(await remove({ emoji_code: '1f389', reaction_type: 'whatever' }), absent);
});
