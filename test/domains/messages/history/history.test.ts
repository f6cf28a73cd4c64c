import assert from 'node:assert/strict';
import { editedAndMoved, partedAndJoined, QUIET } from '../changed-messages.ts';
import { BAD_REQUEST, inWorlds, refusal, say } from '../in-worlds.ts';

const ORIGINAL_KEYS = ['content', 'rendered_content', 'timestamp', 'topic', 'user_id'];

inWorlds('the history of a message that was never edited is the message itself, in five fields', async (world) => {
  const { as, channels, clock, users } = world;
  const message_id = await say(world, 'hamlet', channels.public, 'acts', 'a **b**');
  const { message_history } = await as('cordelia').messages.history({ message_id });
  assert.deepEqual(message_history, [
    {
      topic: 'acts',
      content: 'a **b**',
      rendered_content: '<p>a <strong>b</strong></p>',
      timestamp: Math.floor(clock.now() / 1000),
      user_id: users.hamlet,
    },
  ]);
});

inWorlds('a message history lists edits and moves oldest first, each with only what it changed', async (world) => {
  const { as, channels, users } = world;
  const { message_id, start } = await editedAndMoved(world, 'one two');
  const { message_history } = await as('hamlet').messages.history({ message_id });
  const html = (text: string) => ({ content: text, rendered_content: `<p>${text}</p>` });
  const before = (text: string) => ({ prev_content: text, prev_rendered_content: `<p>${text}</p>` });
  assert.deepEqual(message_history, [
    { topic: 'acts', ...html('one'), timestamp: start, user_id: users.hamlet },
    {
      topic: 'acts',
      ...html('one two'),
      timestamp: start + 10,
      user_id: users.hamlet,
      ...before('one'),
      content_html_diff: '<div><p>one<span class="highlight_text_inserted"> two</span></p></div>',
    },
    { topic: 'scenes', prev_topic: 'acts', ...html('one two'), timestamp: start + 20, user_id: users.owner },
    {
      topic: 'finale',
      prev_topic: 'scenes',
      ...html('two'),
      timestamp: start + 30,
      user_id: users.hamlet,
      ...before('one two'),
      content_html_diff: '<div><p><span class="highlight_text_deleted">one </span>two</p></div>',
    },
    {
      topic: 'finale',
      ...html('two'),
      timestamp: start + 40,
      user_id: users.owner,
      stream: channels.default,
      prev_stream: channels.public,
    },
    {
      topic: 'end',
      prev_topic: 'finale',
      ...html('two'),
      timestamp: start + 50,
      user_id: users.owner,
      stream: channels.webPublic,
      prev_stream: channels.default,
    },
  ]);
  assert.deepEqual(Object.keys(message_history[0] as object).sort(), ORIGINAL_KEYS);
});

inWorlds('a message history has topic moves only of the time when the message was in the topic', async (world) => {
  const { early, stays, late } = await partedAndJoined(world);
  const path = async (message_id: number) =>
    (await world.as('hamlet').messages.history({ message_id })).message_history.map(({ topic }) => topic);
  assert.deepEqual(await path(stays), ['a', 'b', 'c', 'd']);
  assert.deepEqual(await path(early), ['a', 'b', 'x', 'y', 'c', 'd']);
  assert.deepEqual(await path(late), ['c', 'd']);
});

inWorlds(
  'a message history has the display name of the empty topic unless allow_empty_topic_name is set',
  async (world) => {
    const { as, channels } = world;
    const message_id = await say(world, 'hamlet', channels.public, '');
    await as('hamlet').messages.edit({ message_id, topic: 'acts', ...QUIET });
    await as('hamlet').messages.edit({ message_id, topic: '', ...QUIET });
    const topics = async (allow_empty_topic_name?: boolean) => {
      const { message_history } = await as('hamlet').messages.history({
        message_id,
        ...(allow_empty_topic_name === undefined ? {} : { allow_empty_topic_name }),
      });
      return message_history.map(({ topic, prev_topic }) => [topic, prev_topic]);
    };
    const shown = [
      ['general chat', undefined],
      ['acts', 'general chat'],
      ['general chat', 'acts'],
    ];
    assert.deepEqual(await topics(), shown);
    assert.deepEqual(await topics(false), shown);
    assert.deepEqual(await topics(true), [
      ['', undefined],
      ['acts', ''],
      ['', 'acts'],
    ]);
  },
);

inWorlds('each snapshot of a direct message history has the empty topic', async (world) => {
  const { as, users } = world;
  const { id: message_id } = await as('hamlet').messages.send({
    type: 'direct',
    to: [users.cordelia],
    content: 'dear',
  });
  await as('hamlet').messages.edit({ message_id, content: 'dearest' });
  const { message_history } = await as('cordelia').messages.history({ message_id });
  assert.deepEqual(
    message_history.map(({ topic }) => topic),
    ['', ''],
  );
});

inWorlds('a message history has user_id null for an edit by an unknown user', async (world) => {
  const { as, storage, messages } = world;
  await storage.write(async (tx) => {
    const message = await tx.messages.byId(messages.ghost);
    const { conversation_id } = message as NonNullable<typeof message>;
    await tx.edits.add({
      message_id: messages.ghost,
      conversation_id,
      prev_conversation_id: conversation_id,
      up_to_message_id: null,
      part_of: null,
      editor_id: null,
      timestamp: 1_480_000_000,
      prev_content: 'old',
      prev_rendered_content: '<p>old</p>',
      prev_topic: null,
      topic: null,
      prev_channel_id: null,
      channel_id: null,
    });
  });
  const { message_history } = await as('hamlet').messages.history({ message_id: messages.ghost });
  assert.equal(message_history[1]?.user_id, null);
});

inWorlds('the history policy limits a message history to moves or refuses it', async (world) => {
  const { as, channels } = world;
  const message_id = await say(world, 'hamlet', channels.public, 'acts', 'old');
  await as('hamlet').messages.edit({ message_id, content: 'new' });
  await as('hamlet').messages.edit({ message_id, topic: 'scenes', content: 'newest', ...QUIET });
  await world.settings({ message_edit_history_visibility_policy: 'moves' });
  const { message_history } = await as('hamlet').messages.history({ message_id });
  assert.deepEqual(
    message_history.map(({ topic, content }) => [topic, content]),
    [
      ['acts', 'newest'],
      ['scenes', 'newest'],
    ],
  );
  assert.ok(!('prev_content' in (message_history[1] as object)));
  await world.settings({ message_edit_history_visibility_policy: 'none' });
  assert.deepEqual(await refusal(as('hamlet').messages.history({ message_id })), BAD_REQUEST);
});

inWorlds('the history of a missing or hidden message is refused with BAD_REQUEST', async ({ as, messages }) => {
  assert.deepEqual(await refusal(as('hamlet').messages.history({ message_id: 999_999 })), BAD_REQUEST);
  assert.deepEqual(await refusal(as('hamlet').messages.history({ message_id: messages.vaultBefore })), BAD_REQUEST);
});

inWorlds('history can be read in archived channels', async ({ as, messages }) => {
  assert.equal((await as('hamlet').messages.history({ message_id: messages.ruins })).message_history.length, 1);
});

inWorlds('computing the differences of a long message history does not block the event loop', async (world) => {
  const { as, channels, users, storage } = world;
  const message_id = await say(world, 'hamlet', channels.public, 'acts', 'as it is');
  const signs = (start: number) => Array.from({ length: 8_000 }, (_, n) => '.,;!'[(start + n * n * 7) % 4]).join(' ');
  await storage.write(async (tx) => {
    const message = (await tx.messages.byId(message_id)) ?? assert.fail();
    const edit = {
      message_id,
      conversation_id: message.conversation_id,
      prev_conversation_id: message.conversation_id,
      up_to_message_id: null,
      part_of: null,
      editor_id: users.hamlet,
      prev_content: 'as it was',
      prev_topic: null,
      topic: null,
      prev_channel_id: null,
      channel_id: null,
    };
    for (let n = 0; n < 20; n++) {
      const prev_rendered_content = `<p>${signs(n)}</p>`;
      await tx.edits.add({ ...edit, timestamp: message.timestamp + n, prev_rendered_content });
    }
  });
  let turns = 0;
  const counting = setInterval(() => turns++, 0);
  const { message_history } = await as('cordelia').messages.history({ message_id });
  clearInterval(counting);
  assert.equal(message_history.length, 21);
  assert.ok(turns >= 3, `${turns} turns`);
});
