import assert from 'node:assert/strict';
import { inWorlds, listening, message, say } from './in-worlds.ts';

const flagsIn = (events: { type: string; flags?: string[] }[]) =>
  events.filter(({ type }) => type === 'message' || type === 'update_message').map(({ flags }) => flags);

inWorlds('messages of a muted user are read on arrival for the muting user alone, mentions included', async (world) => {
  const { as, users, channels } = world;
  await as('cordelia').mutedUsers.add({ muted_user_id: users.hamlet });
  const received = await listening(world, ['cordelia', 'administrator']);
  const id = await say(world, 'hamlet', channels.public, 'ghosts', '@**Cordelia** @**Adam Administrator**');
  await as('hamlet').messages.send({ type: 'direct', to: [users.cordelia], content: 'Hello?' });
  assert.deepEqual(flagsIn(await received('cordelia')), [['read', 'mentioned'], ['read']]);
  assert.deepEqual(flagsIn(await received('administrator')), [['mentioned']]);
  assert.deepEqual((await message(world, 'cordelia', id)).flags, ['read', 'mentioned']);
  await as('cordelia').mutedUsers.remove({ muted_user_id: users.hamlet });
  await say(world, 'hamlet', channels.public, 'ghosts');
  assert.deepEqual(flagsIn(await received('cordelia')).at(-1), []);
});

inWorlds('a message with an alert word gets has_alert_word for recipients who have the word', async (world) => {
  const { as, channels } = world;
  await as('cordelia').alertWords.add({ alert_words: ['Skull', 'to be'] });
  await as('administrator').alertWords.add({ alert_words: ['skull'] });
  await as('moderator').alertWords.add({ alert_words: ['skull'] });
  const received = await listening(world, ['cordelia', 'administrator', 'moderator']);
  const texts = ['A skull!', 'skullduggery', 'To be, or not', 'tobe', '```\nskull\n```', '*skull*', 'SKULL'];
  for (const text of texts) await say(world, 'hamlet', channels.public, 'ghosts', text);
  const alerted = ['has_alert_word'];
  assert.deepEqual(flagsIn(await received('cordelia')), [alerted, [], alerted, [], [], alerted, alerted]);
  assert.deepEqual(flagsIn(await received('administrator')), [alerted, [], [], [], [], alerted, alerted]);
  assert.deepEqual(await received('moderator'), []);
  const { messages } = await as('cordelia').messages.list({
    anchor: 'newest',
    num_before: 50,
    num_after: 0,
    apply_markdown: false,
    narrow: [{ operator: 'is', operand: 'alerted' }],
  });
  assert.deepEqual(
    messages.map(({ content }) => content),
    ['A skull!', 'To be, or not', '*skull*', 'SKULL'],
  );
});

inWorlds('an edit sets and clears has_alert_word; a new alert word does not flag earlier messages', async (world) => {
  const { as, channels } = world;
  const before = await say(world, 'hamlet', channels.public, 'ghosts', 'A skull.');
  await as('cordelia').alertWords.add({ alert_words: ['skull'] });
  const id = await say(world, 'hamlet', channels.public, 'ghosts', 'Alas!');
  const received = await listening(world, ['cordelia']);
  await as('hamlet').messages.edit({ message_id: id, content: 'Alas! A skull.' });
  assert.deepEqual(flagsIn(await received('cordelia')), [['has_alert_word']]);
  assert.deepEqual((await message(world, 'cordelia', before)).flags, []);
  await as('hamlet').messages.edit({ message_id: id, content: 'Alas!' });
  assert.deepEqual(flagsIn(await received('cordelia')).at(-1), []);
  assert.deepEqual((await message(world, 'cordelia', id)).flags, []);
});

inWorlds("a user's own message with their alert word is read and gets has_alert_word", async (world) => {
  const { as, channels } = world;
  await as('hamlet').alertWords.add({ alert_words: ['skull'] });
  const id = (
    await as('hamlet').messages.send({
      type: 'channel',
      to: channels.public,
      topic: 'ghosts',
      content: 'skull',
      read_by_sender: true,
    })
  ).id;
  assert.deepEqual((await message(world, 'hamlet', id)).flags, ['read', 'has_alert_word']);
});
