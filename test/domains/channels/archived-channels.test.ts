import assert from 'node:assert/strict';
import { CHANNELS } from '../../world/fixture.ts';
import type { World } from '../../world/world.ts';
import { type AnyEvent, inWorlds, listening } from '../messages/in-worlds.ts';

const KNOWING = { archived_channels: true };

/** Type and op of an event, and the changed property of an update. */
const outline = (events: AnyEvent[]) =>
  events.map(({ type, op, property }) => [type, op, property].filter((part) => part !== undefined).join(' '));

const archive = ({ as, channels }: World, channel: keyof World['channels'] = 'public') =>
  as('owner').channels.archive({ stream_id: channels[channel] });
const edit = ({ as, channels }: World, change: object, channel: keyof World['channels'] = 'archived') =>
  as('owner').channels.edit({ stream_id: channels[channel], ...change });

inWorlds('archiving a channel sends a delete event to clients without archived_channels', async (world) => {
  const stream_id = world.channels.public;
  await world.as('cordelia').messages.markAllRead();
  const [older, newer] = [
    await listening(world, ['cordelia', 'newcomer', 'guest'], {}),
    await listening(world, ['cordelia', 'newcomer', 'guest'], KNOWING),
  ];
  await archive(world);
  const deleted = { type: 'stream', op: 'delete', stream_ids: [stream_id], streams: [{ stream_id }] };
  const updated = {
    type: 'stream',
    op: 'update',
    stream_id,
    name: CHANNELS.public,
    property: 'is_archived',
    value: true,
  };
  for (const user of ['cordelia', 'newcomer'] as const) {
    assert.deepEqual(await older(user), [deleted]);
    assert.deepEqual(await newer(user), [updated]);
  }
  assert.deepEqual([await older('guest'), await newer('guest')], [[], []]);
});

inWorlds(
  'unarchiving a channel sends create and subscription events to clients without archived_channels',
  async (world) => {
    const { as, channels, users } = world;
    const stream_id = channels.public;
    await as('cordelia').subscriptions.updateProperties({
      subscription_data: [{ stream_id, property: 'color', value: '#123456' }],
    });
    await archive(world);
    const [older, newer] = [
      await listening(world, ['cordelia', 'hamlet', 'newcomer', 'guest'], {}),
      await listening(world, ['cordelia', 'newcomer', 'guest'], KNOWING),
    ];
    await edit(world, { is_archived: false, new_name: 'Dania' }, 'public');
    const [created, added, ...nothing] = await older('cordelia');
    assert.deepEqual(
      nothing.map(({ type }) => type),
      ['message'],
      'the create event has the new name',
    );
    assert.deepEqual([created.op, created.streams[0].name, created.streams[0].is_archived], ['create', 'Dania', false]);
    const [subscription] = added.subscriptions;
    assert.deepEqual(
      [added.op, subscription.stream_id, subscription.name, subscription.color],
      ['add', stream_id, 'Dania', '#123456'],
    );
    assert.notEqual((await older('hamlet'))[1].subscriptions[0].color, '#123456');
    const [, peers] = await older('newcomer');
    assert.deepEqual(peers, {
      type: 'subscription',
      op: 'peer_add',
      stream_ids: [stream_id],
      user_ids: [users.administrator, users.hamlet, users.cordelia].sort((a, b) => a - b),
    });
    assert.deepEqual(outline(await newer('newcomer')), ['stream update name', 'stream update is_archived']);
    assert.deepEqual(outline(await newer('cordelia')).slice(0, 2), ['stream update name', 'stream update is_archived']);
    assert.deepEqual([await older('guest'), await newer('guest')], [[], []]);
  },
);

inWorlds('unarchiving a private channel sends its subscribers their settings for its topics', async (world) => {
  const { as, channels } = world;
  const stream_id = channels.shared;
  await as('hamlet').userTopics.set({ stream_id, topic: 'plans', visibility_policy: 3 });
  await archive(world, 'shared');
  const heard = await listening(world, ['hamlet', 'moderator'], {});
  await edit(world, { is_archived: false }, 'shared');
  const topics = async (user: 'hamlet' | 'moderator') =>
    (await heard(user)).filter(({ type }) => type === 'user_topic').map((event) => [event.stream_id, event.topic_name]);
  assert.deepEqual(await topics('hamlet'), [[stream_id, 'plans']]);
  assert.deepEqual(await topics('moderator'), []);
});

inWorlds('changes of an archived channel send no event to clients without archived_channels', async (world) => {
  const { as, channels, users } = world;
  const heard = {
    older: await listening(world, ['hamlet', 'newcomer', 'owner'], {}),
    newer: await listening(world, ['hamlet', 'newcomer', 'owner'], KNOWING),
  };
  await edit(world, { description: 'The attic', can_subscribe_group: { new: 6 } });
  await edit(world, { is_private: true });
  await as('hamlet').subscriptions.updateProperties({
    subscription_data: [{ stream_id: channels.archived, property: 'is_muted', value: true }],
  });
  await as('owner').subscriptions.remove({ subscriptions: [CHANNELS.archived], principals: [users.hamlet] });
  await edit(world, { is_private: false });
  for (const user of ['hamlet', 'newcomer', 'owner'] as const) {
    // The messages still exist, and so does their read state.
    const events = (await heard.older(user)).filter(({ type }) => type !== 'update_message_flags');
    assert.deepEqual(outline(events), []);
    assert.ok((await heard.newer(user)).length > 0);
  }
  const subscriptionEvents = (await heard.newer('hamlet')).filter(({ type }) => type === 'subscription');
  assert.deepEqual(outline(subscriptionEvents).slice(0, 3), [
    'subscription update is_muted',
    'subscription update in_home_view',
    'subscription remove',
  ]);
});

inWorlds(
  'deactivating a user named by an archived channel sends clients without archived_channels no event of it',
  async (world) => {
    const { as, users, channels } = world;
    const anonymous = { direct_members: [users.moderator, users.hamlet], direct_subgroups: [] };
    await edit(world, { can_add_subscribers_group: { new: anonymous } });
    const [older, newer] = [await listening(world, ['owner'], {}), await listening(world, ['owner'], KNOWING)];
    await as('owner').users.deactivate({ user_id: users.hamlet });
    const about = (events: AnyEvent[]) =>
      events.filter(
        ({ stream_id, stream_ids }) => stream_id === channels.archived || stream_ids?.includes(channels.archived),
      );
    assert.deepEqual(about(await older('owner')), []);
    assert.deepEqual(outline(about(await newer('owner'))).sort(), [
      'stream update can_add_subscribers_group',
      'subscription peer_remove',
    ]);
  },
);
