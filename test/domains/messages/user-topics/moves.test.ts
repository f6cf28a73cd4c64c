import assert from 'node:assert/strict';
import { CHANNELS, type ChannelName, type UserName } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';
import { inWorlds, listening } from '../in-worlds.ts';

type Policy = 0 | 1 | 2 | 3;

const set = (
  { as, channels }: World,
  who: UserName,
  topic: string,
  visibility_policy: Policy,
  where: ChannelName = 'public',
) => as(who).userTopics.set({ stream_id: channels[where], topic, visibility_policy });

const say = ({ as, channels }: World, who: UserName, topic: string, where: ChannelName = 'public') =>
  as(who).messages.send({ type: 'channel', to: channels[where], topic, content: 'x' });

/** Policies that a user has set in a channel, by topic. */
async function policies({ storage, users, channels }: World, who: UserName, where: ChannelName = 'public') {
  const topics = await storage.read((tx) => tx.userTopics.inChannels([channels[where]], [users[who]], 9));
  return Object.fromEntries(topics.map((one) => [one.topic, one.visibility_policy]));
}

const rename = ({ as, messages }: World, topic: string, more: object = {}) =>
  as('moderator').messages.edit({
    message_id: messages.ghost,
    topic,
    propagate_mode: 'change_all',
    send_notification_to_new_thread: false,
    ...more,
  });

inWorlds(
  'visibility policies follow a renamed topic, and each user gets only the events of their own',
  async (world) => {
    const { channels } = world;
    await set(world, 'cordelia', 'ghosts', 1);
    await set(world, 'newcomer', 'ghosts', 2);
    const events = await listening(world, ['cordelia', 'newcomer', 'administrator']);
    await rename(world, 'spirits');
    assert.deepEqual(await policies(world, 'cordelia'), { spirits: 1 });
    assert.deepEqual(await policies(world, 'newcomer'), { spirits: 2 });
    assert.deepEqual(await policies(world, 'hamlet'), { spirits: 3 });
    const mine = (await events('cordelia')).filter(({ type }) => type !== 'update_message');
    assert.deepEqual(
      mine.map(({ type, topic_name, visibility_policy, muted_topics }) =>
        type === 'user_topic' ? [topic_name, visibility_policy] : muted_topics.map((one: unknown[]) => one.slice(0, 2)),
      ),
      [[['Denmark', 'spirits']], ['ghosts', 0], ['spirits', 1]],
    );
    assert.deepEqual(
      (await events('newcomer')).map(({ type, stream_id }) => [type, stream_id]),
      [
        ['muted_topics', undefined],
        ['user_topic', channels.public],
        ['user_topic', channels.public],
      ],
    );
    assert.ok((await events('administrator')).every(({ type }) => type === 'update_message'));
  },
);

inWorlds('a topic that changes its case keeps its visibility policies', async (world) => {
  await rename(world, 'GHOSTS');
  assert.deepEqual(await policies(world, 'hamlet'), { GHOSTS: 3 });
});

inWorlds('a topic merged into another gets the more visible policy of the two', async (world) => {
  await say(world, 'administrator', 'spirits');
  const cases: [UserName, Policy, Policy, Policy][] = [
    ['hamlet', 1, 3, 3],
    ['cordelia', 3, 1, 3],
    ['newcomer', 1, 0, 0],
    ['owner', 0, 1, 0],
    ['moderator', 2, 1, 2],
    ['secondOwner', 1, 1, 1],
  ];
  for (const [who, from, to] of cases) {
    await set(world, who, 'ghosts', from);
    await set(world, who, 'spirits', to);
  }
  await rename(world, 'spirits');
  for (const [who, , , result] of cases) {
    assert.deepEqual(await policies(world, who), result === 0 ? {} : { spirits: result }, who);
  }
});

inWorlds('a topic renamed to a name without messages ignores the visibility policy of that name', async (world) => {
  await set(world, 'newcomer', 'spirits', 1);
  await rename(world, 'spirits');
  assert.deepEqual(await policies(world, 'newcomer'), {});
});

inWorlds(
  "a user who cannot read a topic's new channel loses its policy, and no event names the channel",
  async (world) => {
    const { as, messages, channels } = world;
    await set(world, 'newcomer', 'ghosts', 1);
    const events = await listening(world, ['newcomer', 'hamlet']);
    await as('moderator').messages.edit({
      message_id: messages.ghost,
      stream_id: channels.shared,
      propagate_mode: 'change_all',
      send_notification_to_new_thread: false,
    });
    assert.deepEqual(await policies(world, 'newcomer'), {});
    assert.deepEqual(await policies(world, 'newcomer', 'shared'), {});
    assert.deepEqual(await policies(world, 'hamlet', 'shared'), { plans: 3, ghosts: 3 });
    const told = await events('newcomer');
    assert.ok(told.every((event) => event.stream_id === undefined || event.stream_id === channels.public));
    assert.deepEqual(
      told.filter(({ type }) => type === 'user_topic').map((event) => event.visibility_policy),
      [0],
    );
  },
);

inWorlds(
  'a message moved out of a topic takes no visibility policies; its author follows the new topic',
  async (world) => {
    const { messages } = world;
    await set(world, 'newcomer', 'ghosts', 3);
    await rename(world, 'answers', { message_id: messages.ghostReply, propagate_mode: 'change_one' });
    assert.deepEqual(await policies(world, 'newcomer'), { ghosts: 3 });
    assert.deepEqual(await policies(world, 'hamlet'), { ghosts: 3 });
    assert.deepEqual(await policies(world, 'cordelia'), { answers: 3 });
  },
);

inWorlds('moving the last message of a topic moves its visibility policies', async (world) => {
  const { as, messages } = world;
  await as('owner').messages.delete({ message_id: messages.ghost });
  await rename(world, 'answers', { message_id: messages.ghostReply, propagate_mode: 'change_one' });
  assert.deepEqual(await policies(world, 'hamlet'), { answers: 3 });
});

inWorlds('several changes of muted topics send one muted_topics event with the final list', async (world) => {
  const events = await listening(world, ['cordelia']);
  for (const topic of ['one', 'two', 'three']) await set(world, 'cordelia', topic, 1);
  await set(world, 'cordelia', 'two', 0);
  const mine = await events('cordelia');
  const lists = mine.filter(({ type }) => type === 'muted_topics');
  assert.deepEqual(
    lists.map(({ muted_topics }) => muted_topics.map(([, topic]: string[]) => topic)),
    [['one', 'three']],
  );
  assert.equal(mine.filter(({ type }) => type === 'user_topic').length, 4);
});

inWorlds(
  'a move into another topic sends each user the settings of the channels that they can read, and of no others',
  async (world) => {
    const { as, channels, messages } = world;
    const subscriptions = (where: ChannelName) => [{ name: CHANNELS[where] }];
    // Each user has muted the new topic and followed the old one. Some then leave one of the two channels.
    const cases: [who: UserName, leaves: ChannelName | undefined, events: [ChannelName, string, Policy][]][] = [
      [
        'hamlet',
        undefined,
        [
          ['public', 'ghosts', 0],
          ['shared', 'plans', 3],
        ],
      ],
      ['cordelia', 'shared', [['public', 'ghosts', 0]]],
      ['guest', 'public', [['shared', 'plans', 3]]],
    ];
    const principals = cases.map(([who]) => world.users[who]);
    await as('owner').channels.edit({ stream_id: channels.shared, can_administer_channel_group: { new: 2 } });
    await as('hamlet').subscriptions.add({ subscriptions: subscriptions('shared'), principals });
    await as('hamlet').subscriptions.add({ subscriptions: subscriptions('public'), principals });
    for (const [who] of cases) {
      await set(world, who, 'ghosts', 3);
      await set(world, who, 'plans', 1, 'shared');
    }
    for (const [who, leaves] of cases)
      if (leaves) await as(who).subscriptions.remove({ subscriptions: [CHANNELS[leaves]] });
    const events = await listening(
      world,
      cases.map(([who]) => who),
    );
    await as('moderator').messages.edit({
      message_id: messages.ghost,
      stream_id: channels.shared,
      topic: 'plans',
      propagate_mode: 'change_all',
      send_notification_to_new_thread: false,
    });
    for (const [who, , expected] of cases)
      assert.deepEqual(
        (await events(who))
          .filter(({ type }) => type === 'user_topic')
          .map(({ stream_id, topic_name, visibility_policy }) => [stream_id, topic_name, visibility_policy]),
        expected.map(([where, topic, policy]) => [channels[where], topic, policy]),
        who,
      );
  },
);
