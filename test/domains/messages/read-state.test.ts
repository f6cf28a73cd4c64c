import assert from 'node:assert/strict';
import type { UserName } from '../../world/fixture.ts';
import type { World } from '../../world/world.ts';
import { followed } from './follower.ts';
import { BAD_REQUEST, inWorlds, listening, refusal, say } from './in-worlds.ts';

async function unread(world: World, user: UserName): Promise<number[]> {
  const { messages } = await world.as(user).messages.list({
    anchor: 'oldest',
    num_after: 1_000,
    narrow: [{ operator: 'is', operand: 'unread' }],
  });
  return messages.map(({ id }) => id);
}

async function some(world: World): Promise<{ acts: number[]; scenes: number[]; square: number[] }> {
  const { public: denmark, default: square } = world.channels;
  const told = { acts: [] as number[], scenes: [] as number[], square: [] as number[] };
  await world.as('cordelia').messages.markAllRead();
  for (let n = 0; n < 3; n++) {
    told.acts.push(await say(world, 'hamlet', denmark, 'acts'));
    told.scenes.push(await say(world, 'hamlet', denmark, 'scenes'));
    told.square.push(await say(world, 'hamlet', square, 'acts'));
  }
  return told;
}

const inCordelia = async (world: World) => {
  await world.as('cordelia').subscriptions.add({ subscriptions: [{ name: 'Square' }] });
  return some(world);
};

inWorlds('marking all messages as read sends one event, to the reader alone', async (world) => {
  const { acts, scenes, square } = await inCordelia(world);
  const all = [...acts, ...scenes, ...square].sort((a, b) => a - b);
  assert.deepEqual(await unread(world, 'cordelia'), all);
  const heard = await listening(world, ['cordelia', 'hamlet']);
  assert.deepEqual(await world.as('cordelia').messages.markAllRead(), { complete: true });
  assert.deepEqual(await unread(world, 'cordelia'), []);
  await world.as('cordelia').messages.markAllRead();
  assert.deepEqual(await heard('cordelia'), [
    { type: 'update_message_flags', op: 'add', operation: 'add', flag: 'read', messages: [], all: true },
  ]);
  assert.deepEqual(await heard('hamlet'), []);
});

inWorlds('a channel or a topic is marked as read, and the rest stays unread', async (world) => {
  const { acts, scenes, square } = await inCordelia(world);
  const { messages } = world.as('cordelia');
  await messages.markTopicRead({ stream_id: world.channels.public, topic_name: 'ACTS' });
  assert.deepEqual(
    await unread(world, 'cordelia'),
    [...scenes, ...square].sort((a, b) => a - b),
  );
  await messages.updateFlags({ messages: [acts[1] as number], op: 'remove', flag: 'read' });
  await messages.markChannelRead({ stream_id: world.channels.public });
  assert.deepEqual(await unread(world, 'cordelia'), square);
});

inWorlds('marking a hidden channel or an unknown topic as read is refused', async (world) => {
  const { messages } = world.as('hamlet');
  const { protected: hidden, public: stream_id } = world.channels;
  assert.deepEqual(await refusal(messages.markChannelRead({ stream_id: hidden })), BAD_REQUEST);
  assert.deepEqual(await refusal(messages.markTopicRead({ stream_id: hidden, topic_name: 'gold' })), BAD_REQUEST);
  assert.deepEqual(await refusal(messages.markTopicRead({ stream_id, topic_name: 'never' })), BAD_REQUEST);
});

inWorlds('flags change in the given window of a narrow, and the response has its counts', async (world) => {
  const { acts } = await inCordelia(world);
  const narrow = [
    { operator: 'channel', operand: 'Denmark' },
    { operator: 'topic', operand: 'acts' },
  ];
  const mark = (params: object) =>
    world.as('cordelia').messages.updateFlagsNarrow({
      anchor: 'oldest',
      num_before: 0,
      num_after: 2,
      narrow,
      op: 'add',
      flag: 'read',
      ...params,
    });
  const counts = { ignored_because_not_subscribed_channels: [] };
  assert.deepEqual(await mark({}), {
    processed_count: 2,
    updated_count: 2,
    first_processed_id: acts[0],
    last_processed_id: acts[1],
    found_oldest: true,
    found_newest: false,
    ...counts,
  });
  assert.deepEqual(await mark({ anchor: acts[1], include_anchor: false }), {
    processed_count: 1,
    updated_count: 1,
    first_processed_id: acts[2],
    last_processed_id: acts[2],
    found_oldest: false,
    found_newest: true,
    ...counts,
  });
  assert.deepEqual(
    await mark({
      narrow: [
        { operator: 'channel', operand: 'Denmark' },
        { operator: 'topic', operand: 'never' },
      ],
    }),
    {
      processed_count: 0,
      updated_count: 0,
      first_processed_id: null,
      last_processed_id: null,
      found_oldest: true,
      found_newest: true,
      ...counts,
    },
  );
});

inWorlds('messages outside the window of a narrow stay unread', async (world) => {
  const { as, channels } = world;
  await as('cordelia').messages.markAllRead();
  const told: number[] = [];
  for (const user of ['hamlet', 'moderator', 'hamlet', 'hamlet', 'moderator'] as const) {
    told.push(await say(world, user, channels.public, 'acts'));
  }
  const [a, b, c, d, e] = told as [number, number, number, number, number];
  const topic = [
    { operator: 'channel', operand: channels.public },
    { operator: 'topic', operand: 'acts' },
  ];
  const mark = async (narrow: typeof topic, window: object = {}) => {
    const all = { anchor: 'oldest', num_before: 0, num_after: 10, op: 'add', flag: 'read' } as const;
    const { updated_count } = await as('cordelia').messages.updateFlagsNarrow({ ...all, ...window, narrow });
    return { updated_count, unread: await unread(world, 'cordelia') };
  };
  const around = { anchor: c, include_anchor: false, num_before: 1, num_after: 1 };
  assert.deepEqual(await mark(topic, around), { updated_count: 2, unread: [a, c, e] });
  await as('cordelia').messages.updateFlags({ messages: told, op: 'remove', flag: 'read' });
  const bySender = [...topic, { operator: 'sender', operand: world.users.hamlet }];
  assert.deepEqual(await mark(bySender), { updated_count: 3, unread: [b, e] });
  const unreadThere = [...topic, { operator: 'is', operand: 'unread' }];
  assert.deepEqual(await mark(unreadThere, { num_after: 1 }), { updated_count: 1, unread: [e] });
  assert.deepEqual(await mark(unreadThere), { updated_count: 1, unread: [] });
  await as('cordelia').messages.updateFlags({ messages: [a, d], op: 'remove', flag: 'read' });
  assert.deepEqual(await mark(topic, { anchor: d, num_before: 1 }), { updated_count: 1, unread: [a] });
});

inWorlds('changing flags in a narrow follows the same rules as changing flags of listed messages', async (world) => {
  const mark = (params: object) =>
    world.as('hamlet').messages.updateFlagsNarrow({
      anchor: 'newest',
      num_before: 5,
      num_after: 0,
      narrow: [],
      op: 'add',
      flag: 'starred',
      ...params,
    });
  assert.deepEqual(await refusal(mark({ flag: 'mentioned' })), BAD_REQUEST);
  assert.deepEqual(await refusal(mark({ num_before: 5_001 })), BAD_REQUEST);
  assert.equal((await refusal(mark({ narrow: [{ operator: 'whatever', operand: '1' }] }))).code, 'BAD_NARROW');
  const { ignored_because_not_subscribed_channels } = await world.as('moderator').messages.updateFlagsNarrow({
    anchor: 'oldest',
    num_before: 0,
    num_after: 10,
    op: 'remove',
    flag: 'read',
    narrow: [{ operator: 'channel', operand: 'Denmark' }],
  });
  assert.deepEqual(ignored_because_not_subscribed_channels, [world.channels.public]);
});

inWorlds('read receipts leave out the sender and users with send_read_receipts false', async (world) => {
  const { as, channels, users, storage } = world;
  const message_id = await say(world, 'hamlet', channels.public, 'acts');
  const readers = async () => (await as('hamlet').messages.readReceipts({ message_id })).user_ids;
  await world.settings({ enable_read_receipts: false });
  assert.deepEqual(await refusal(readers()), BAD_REQUEST);
  await world.settings({ enable_read_receipts: true });
  assert.deepEqual(await readers(), []);
  for (const user of ['hamlet', 'cordelia', 'administrator'] as const) await as(user).messages.markAllRead();
  assert.deepEqual(await readers(), [users.administrator, users.cordelia]);
  await storage.write((tx) => tx.users.update(users.cordelia, { settings: { send_read_receipts: false } }));
  assert.deepEqual(await readers(), [users.administrator]);
  assert.deepEqual(
    await refusal(as('hamlet').messages.readReceipts({ message_id: world.messages.vaultAfter })),
    BAD_REQUEST,
  );
});

inWorlds('messages marked as unread before leaving a channel are read after rejoining', async (world) => {
  const { as, messages } = world;
  await as('cordelia').messages.markAllRead();
  await as('cordelia').messages.updateFlags({ messages: [messages.ghost], op: 'remove', flag: 'read' });
  assert.deepEqual(await unread(world, 'cordelia'), [messages.ghost]);
  await as('cordelia').subscriptions.remove({ subscriptions: ['Denmark'] });
  await as('cordelia').subscriptions.add({ subscriptions: [{ name: 'Denmark' }] });
  assert.deepEqual(await unread(world, 'cordelia'), []);
});

inWorlds('the events of read state give a client the same state as a new register', async (world) => {
  const { acts, scenes, square } = await inCordelia(world);
  await followed(world, ['cordelia', 'hamlet'], async () => {
    const { messages } = world.as('cordelia');
    await messages.updateFlags({ messages: [acts[0] as number, scenes[2] as number], op: 'add', flag: 'read' });
    await messages.updateFlags({ messages: [acts[0] as number], op: 'remove', flag: 'read' });
    await messages.markTopicRead({ stream_id: world.channels.public, topic_name: 'scenes' });
    await world
      .as('hamlet')
      .messages.edit({ message_id: acts[1] as number, topic: 'scenes', propagate_mode: 'change_later' });
    await messages.markChannelRead({ stream_id: world.channels.default });
    await messages.updateFlags({ messages: square, op: 'remove', flag: 'read' });
    await world.as('hamlet').messages.edit({
      message_id: square[0] as number,
      stream_id: world.channels.public,
      propagate_mode: 'change_all',
    });
    await messages.updateFlagsNarrow({
      anchor: 'newest',
      num_before: 2,
      num_after: 0,
      narrow: [],
      op: 'add',
      flag: 'starred',
    });
  });
});
