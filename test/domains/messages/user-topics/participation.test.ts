import assert from 'node:assert/strict';
import type { UserName } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';
import { inWorlds, listening } from '../in-worlds.ts';

type Setting = 1 | 2 | 3 | 4;

const settings = ({ as }: World, who: UserName, follow: Setting, unmute: Setting = 4) =>
  as(who).settings.edit({
    automatically_follow_topics_policy: follow,
    automatically_unmute_topics_in_muted_streams_policy: unmute,
  });

const send = ({ as, channels }: World, who: UserName, topic: string, content = 'x') =>
  as(who).messages.send({ type: 'channel', to: channels.public, topic, content });

async function policy({ storage, users, channels }: World, who: UserName, topic: string): Promise<number> {
  const stored = await storage.read((tx) => tx.userTopics.get(users[who], { channel_id: channels.public, topic }));
  return stored?.visibility_policy ?? 0;
}

const muteChannel = ({ as, channels }: World, who: UserName) =>
  as(who).subscriptions.updateProperties({
    subscription_data: [{ stream_id: channels.public, property: 'is_muted', value: true }],
  });

inWorlds(
  'a user who starts a topic follows it, and the response says so; later senders do not follow',
  async (world) => {
    assert.equal((await send(world, 'cordelia', 'new')).automatic_new_visibility_policy, 3);
    assert.equal('automatic_new_visibility_policy' in (await send(world, 'hamlet', 'new')), false);
    assert.equal('automatic_new_visibility_policy' in (await send(world, 'cordelia', 'new')), false);
    assert.deepEqual([await policy(world, 'cordelia', 'new'), await policy(world, 'hamlet', 'new')], [3, 0]);
  },
);

inWorlds('automatically_follow_topics_policy follows on participation, sending, starting or never', async (world) => {
  const { as, messages } = world;
  const done: [Setting, number, number, number][] = [
    [1, 3, 3, 3],
    [2, 0, 3, 3],
    [3, 0, 0, 3],
    [4, 0, 0, 0],
  ];
  await settings(world, 'hamlet', 4);
  for (const [setting, reacting, sending, starting] of done) {
    await settings(world, 'cordelia', setting);
    const { id } = await send(world, 'hamlet', `react ${setting}`);
    await as('cordelia').messages.addReaction({ message_id: id, emoji_name: 'tada' });
    assert.equal(await policy(world, 'cordelia', `react ${setting}`), reacting, `reacts with ${setting}`);
    await send(world, 'hamlet', `send ${setting}`);
    await send(world, 'cordelia', `send ${setting}`);
    assert.equal(await policy(world, 'cordelia', `send ${setting}`), sending, `sends with ${setting}`);
    await send(world, 'cordelia', `start ${setting}`);
    assert.equal(await policy(world, 'cordelia', `start ${setting}`), starting, `starts with ${setting}`);
  }
  await settings(world, 'cordelia', 1);
  await as('cordelia').messages.addReaction({ message_id: messages.direct, emoji_name: 'tada' });
});

inWorlds('sending to a topic of a muted channel unmutes it, or follows it if both policies apply', async (world) => {
  await settings(world, 'cordelia', 4, 2);
  assert.equal('automatic_new_visibility_policy' in (await send(world, 'cordelia', 'ghosts')), false);
  await muteChannel(world, 'cordelia');
  assert.equal((await send(world, 'cordelia', 'ghosts')).automatic_new_visibility_policy, 2);
  assert.equal('automatic_new_visibility_policy' in (await send(world, 'cordelia', 'ghosts')), false);
  await settings(world, 'cordelia', 2, 2);
  assert.equal((await send(world, 'cordelia', 'ghosts')).automatic_new_visibility_policy, 3);
  await settings(world, 'cordelia', 4, 1);
  assert.equal('automatic_new_visibility_policy' in (await send(world, 'cordelia', 'ghosts')), false, 'never less');
});

inWorlds(
  'sending to a muted topic follows it, and old clients get the event of the shorter muted list',
  async (world) => {
    await settings(world, 'cordelia', 2);
    await world
      .as('cordelia')
      .userTopics.set({ stream_id: world.channels.public, topic: 'ghosts', visibility_policy: 1 });
    const events = await listening(world, ['cordelia']);
    await send(world, 'cordelia', 'ghosts');
    const told = await events('cordelia');
    assert.deepEqual(
      told.map(({ type, muted_topics, visibility_policy }) => muted_topics ?? visibility_policy ?? type),
      [[], 3, 'message'],
    );
  },
);

inWorlds('a mentioned user follows the topic unless it is muted or their setting is off', async (world) => {
  const { as, channels } = world;
  await as('administrator').userTopics.set({ stream_id: channels.public, topic: 'ghosts', visibility_policy: 1 });
  await send(world, 'hamlet', 'ghosts', '@**Cordelia** @**Adam Administrator** @**Newcomer**');
  assert.equal(await policy(world, 'cordelia', 'ghosts'), 3);
  assert.equal(await policy(world, 'administrator', 'ghosts'), 1, 'a muted topic stays muted');
  await as('cordelia').settings.edit({ automatically_follow_topics_where_mentioned: false });
  await send(world, 'hamlet', 'others', '@**Cordelia** @**all**');
  assert.equal(await policy(world, 'cordelia', 'others'), 0);
  assert.equal(await policy(world, 'administrator', 'others'), 0, 'a wildcard mention does not follow the topic');
});

inWorlds('subscribed members of a mentioned group follow the topic, other users do not', async (world) => {
  const events = await listening(world, ['cordelia', 'hamlet', 'administrator']);
  await send(world, 'administrator', 'ghosts', '@*kitchen*');
  for (const who of ['cordelia', 'hamlet'] as const) assert.equal(await policy(world, who, 'ghosts'), 3);
  assert.equal(await policy(world, 'newcomer', 'ghosts'), 0, 'not subscribed');
  const followers = (await events('cordelia')).filter(({ type }) => type === 'user_topic');
  assert.equal(followers.length, 1);
});

inWorlds('a bot that starts a topic does not follow it', async (world) => {
  assert.equal('automatic_new_visibility_policy' in (await send(world, 'bot', 'automata')), false);
  assert.equal(await policy(world, 'bot', 'automata'), 0);
});

inWorlds('in protected history, a user who sees no earlier message of a topic starts and follows it', async (world) => {
  const { as, channels, users } = world;
  await as('cordelia').subscriptions.add({
    subscriptions: [{ name: 'Vault' }],
    principals: [users.newcomer],
    send_new_subscription_messages: false,
  });
  const answer = await as('newcomer').messages.send({
    type: 'channel',
    to: channels.protected,
    topic: 'gold',
    content: 'x',
  });
  assert.equal(answer.automatic_new_visibility_policy, 3);
});
