import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import type { ChannelName, UserName } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';

const call =
  (channel: ChannelName, op: 'add' | 'remove', more: object = {}) =>
  ({ channels }: World) => ({ stream_id: channels[channel], topic: 'ghosts', op, ...more });

export const setTopic = (
  { as, channels }: World,
  visibility_policy: 0 | 1 | 2 | 3,
  topic = 'ghosts',
  who: UserName = 'cordelia',
) => as(who).userTopics.set({ stream_id: channels.public, topic, visibility_policy });

const refused = (name: string, given: (world: World) => object, says: RegExp, data: object = {}): Case => ({
  name,
  as: 'cordelia',
  call: ['userTopics.mute', given as never],
  refuses: { code: 'BAD_REQUEST', says, data: data as never },
});

/** Events for clients: the older event first. */
const told = (muted: unknown[], user_topic: object) => [
  { type: 'muted_topics', muted_topics: muted },
  { type: 'user_topic', last_updated: Number.isSafeInteger, ...user_topic },
];

export const muteTopicCases = cases('userTopics.mute', [
  {
    name: 'a topic is muted by the ID of its channel, and only the user gets the event',
    as: 'cordelia',
    call: ['userTopics.mute', call('public', 'add')],
    returns: {},
    events: ({ channels }) => ({
      cordelia: told([['Denmark', 'ghosts', Number.isSafeInteger]], {
        stream_id: channels.public,
        topic_name: 'ghosts',
        visibility_policy: 1,
      }),
      hamlet: [],
      owner: [],
    }),
    state: async ({ as, channels }) => {
      const state = await as('cordelia').register({ fetch_event_types: ['muted_topics', 'user_topic'] });
      const [topic] = (state.user_topics ?? []).filter((one) => one.stream_id === channels.public);
      assert.deepEqual([topic?.topic_name, topic?.visibility_policy], ['ghosts', 1]);
      assert.deepEqual(
        state.muted_topics?.map(([channel, name]) => [channel, name]),
        [['Denmark', 'ghosts']],
      );
    },
  },
  {
    name: 'a topic is muted by the name of its channel, whatever its case',
    as: 'cordelia',
    call: ['userTopics.mute', { stream: 'dENMARK', topic: 'ghosts', op: 'add' }],
    events: () => ({ cordelia: told([['Denmark', 'ghosts', Number.isSafeInteger]], { visibility_policy: 1 }) }),
  },
  {
    name: 'a topic without messages is muted',
    as: 'cordelia',
    call: ['userTopics.mute', call('public', 'add', { topic: 'nothing here' })],
    events: () => ({
      cordelia: told([['Denmark', 'nothing here', Number.isSafeInteger]], { topic_name: 'nothing here' }),
    }),
  },
  {
    name: 'a muted topic is unmuted',
    as: 'cordelia',
    given: (world) => setTopic(world, 1),
    call: ['userTopics.mute', call('public', 'remove')],
    events: () => ({ cordelia: told([], { topic_name: 'ghosts', visibility_policy: 0 }) }),
  },
  {
    name: 'muting a muted topic changes nothing and sends no event, whatever the case of its name',
    as: 'cordelia',
    given: (world) => setTopic(world, 1),
    call: ['userTopics.mute', call('public', 'add', { topic: 'GHOSTS' })],
    events: () => ({ cordelia: [] }),
  },
  {
    name: 'unmuting a topic that is not muted succeeds and sends no event',
    as: 'cordelia',
    call: ['userTopics.mute', call('public', 'remove')],
    events: () => ({ cordelia: [] }),
  },
  {
    name: 'muting a followed topic replaces the follow',
    as: 'cordelia',
    given: (world) => setTopic(world, 3),
    call: ['userTopics.mute', call('public', 'add')],
    events: () => ({ cordelia: told([['Denmark', 'ghosts', Number.isSafeInteger]], { visibility_policy: 1 }) }),
  },
  {
    name: 'remove unfollows a followed topic too',
    as: 'cordelia',
    given: (world) => setTopic(world, 3),
    call: ['userTopics.mute', call('public', 'remove')],
    events: () => ({ cordelia: told([], { visibility_policy: 0 }) }),
  },
  {
    name: 'a topic of a readable channel is muted without a subscription',
    as: 'newcomer',
    call: ['userTopics.mute', call('public', 'add')],
    events: () => ({ newcomer: told([['Denmark', 'ghosts', Number.isSafeInteger]], { visibility_policy: 1 }) }),
  },
  {
    name: 'clients that do not support the empty topic get its display name',
    as: 'cordelia',
    call: ['userTopics.mute', call('public', 'add', { topic: '' })],
    events: () => ({
      cordelia: told([['Denmark', 'general chat', Number.isSafeInteger]], { topic_name: 'general chat' }),
    }),
  },
  {
    name: 'a topic is unmuted after the user lost access to the channel',
    as: 'cordelia',
    given: async ({ as, channels, users }) => {
      await as('cordelia').userTopics.set({ stream_id: channels.protected, topic: 'gold', visibility_policy: 1 });
      await as('owner').subscriptions.remove({ subscriptions: ['Vault'], principals: [users.cordelia] });
    },
    call: ['userTopics.mute', call('protected', 'remove', { topic: 'gold' })],
    state: async ({ storage, users }) => {
      const left = await storage.read((tx) => tx.userTopics.ofUser(users.cordelia));
      assert.deepEqual(left, []);
    },
  },
  refused('a request without a channel is refused', () => ({ topic: 'x', op: 'add' }), /"stream_id" is required/),
  refused(
    'stream_id and stream together are refused',
    ({ channels }) => ({ stream_id: channels.public, stream: 'Denmark', topic: 'x', op: 'add' }),
    /not both/,
    { parameters: 'stream_id, stream' },
  ),
  refused('an unknown channel is refused', () => ({ stream_id: 9999, topic: 'x', op: 'add' }), /9999/),
  refused('an unknown channel name is refused', () => ({ stream: 'Nowhere', topic: 'x', op: 'add' }), /"Nowhere"/),
  refused(
    'unmuting in an unknown channel is refused',
    () => ({ stream_id: 9999, topic: 'x', op: 'remove' }),
    /no setting/,
  ),
  refused(
    'muting in a channel the caller cannot see is refused as missing',
    call('shared', 'add'),
    /that you can access/,
  ),
  refused('unmuting in a channel the caller cannot see is refused as missing', call('shared', 'remove'), /no setting/),
  refused('muting in an archived channel is refused', call('archived', 'add'), /is archived/),
  refused(
    'a topic of more than 60 characters is refused',
    call('public', 'add', { topic: 'x'.repeat(61) }),
    /limit: 60/,
  ),
  {
    name: 'a topic of 60 characters is muted as it is',
    as: 'cordelia',
    call: ['userTopics.mute', call('public', 'add', { topic: ` ${'x'.repeat(58)} ` })],
    events: () => ({
      cordelia: told([['Denmark', ` ${'x'.repeat(58)} `, Number.isSafeInteger]], {
        topic_name: ` ${'x'.repeat(58)} `,
      }),
    }),
  },
  refused(
    'a too long topic is refused before a missing stream_id',
    () => ({ topic: 'x'.repeat(61), op: 'add' }),
    /limit: 60/,
  ),
  refused('an unknown op is refused before a missing stream_id', () => ({ topic: 'x', op: 'toggle' }), /add, remove/),
  refused(
    'stream_id and stream together are refused before the channel is looked up',
    () => ({ stream_id: 9999, stream: 'Nowhere', topic: 'x', op: 'add' }),
    /not both/,
    { parameters: 'stream_id, stream' },
  ),
  refused('an unknown op is refused', call('public', 'add', { op: 'toggle' }), /add, remove/),
  {
    name: 'an administrator who cannot read a private channel is refused',
    as: 'administrator',
    call: ['userTopics.mute', call('shared', 'add')],
    refuses: { code: 'BAD_REQUEST' },
  },
  {
    name: 'a request without a topic is refused',
    as: 'cordelia',
    call: ['userTopics.mute', ({ channels }) => ({ stream_id: channels.public, op: 'add' })],
    refuses: { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'topic' } },
  },
]);
