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

/** What a client is told: the older event first. */
const told = (muted: unknown[], user_topic: object) => [
  { type: 'muted_topics', muted_topics: muted },
  { type: 'user_topic', last_updated: Number.isSafeInteger, ...user_topic },
];

export const muteTopicCases = cases('userTopics.mute', [
  {
    name: 'a topic of a channel one is subscribed to is muted by the ID of the channel; nobody else learns of it',
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
    name: 'by the name of the channel, whatever its case',
    as: 'cordelia',
    call: ['userTopics.mute', { stream: 'dENMARK', topic: 'ghosts', op: 'add' }],
    events: () => ({ cordelia: told([['Denmark', 'ghosts', Number.isSafeInteger]], { visibility_policy: 1 }) }),
  },
  {
    name: 'it succeeds for a topic without messages',
    as: 'cordelia',
    call: ['userTopics.mute', call('public', 'add', { topic: 'nothing here' })],
    events: () => ({
      cordelia: told([['Denmark', 'nothing here', Number.isSafeInteger]], { topic_name: 'nothing here' }),
    }),
  },
  {
    name: 'a muted topic is muted no more',
    as: 'cordelia',
    given: (world) => setTopic(world, 1),
    call: ['userTopics.mute', call('public', 'remove')],
    events: () => ({ cordelia: told([], { topic_name: 'ghosts', visibility_policy: 0 }) }),
  },
  {
    name: 'muting what is muted succeeds, changes nothing and tells nobody, whatever the case of its name',
    as: 'cordelia',
    given: (world) => setTopic(world, 1),
    call: ['userTopics.mute', call('public', 'add', { topic: 'GHOSTS' })],
    events: () => ({ cordelia: [] }),
  },
  {
    name: 'taking back what is not muted succeeds likewise',
    as: 'cordelia',
    call: ['userTopics.mute', call('public', 'remove')],
    events: () => ({ cordelia: [] }),
  },
  {
    name: 'muting overrides following',
    as: 'cordelia',
    given: (world) => setTopic(world, 3),
    call: ['userTopics.mute', call('public', 'add')],
    events: () => ({ cordelia: told([['Denmark', 'ghosts', Number.isSafeInteger]], { visibility_policy: 1 }) }),
  },
  {
    name: 'remove takes following back too',
    as: 'cordelia',
    given: (world) => setTopic(world, 3),
    call: ['userTopics.mute', call('public', 'remove')],
    events: () => ({ cordelia: told([], { visibility_policy: 0 }) }),
  },
  {
    name: 'one need not be subscribed, if one can read the channel',
    as: 'newcomer',
    call: ['userTopics.mute', call('public', 'add')],
    events: () => ({ newcomer: told([['Denmark', 'ghosts', Number.isSafeInteger]], { visibility_policy: 1 }) }),
  },
  {
    name: 'the empty topic has its display name for clients that do not know it',
    as: 'cordelia',
    call: ['userTopics.mute', call('public', 'add', { topic: '' })],
    events: () => ({
      cordelia: told([['Denmark', 'general chat', Number.isSafeInteger]], { topic_name: 'general chat' }),
    }),
  },
  {
    name: 'a topic is taken back after one has lost the channel',
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
  refused('a channel has to be given', () => ({ topic: 'x', op: 'add' }), /"stream_id" is required/),
  refused(
    'a channel is given once',
    ({ channels }) => ({ stream_id: channels.public, stream: 'Denmark', topic: 'x', op: 'add' }),
    /not both/,
    { parameters: 'stream_id, stream' },
  ),
  refused('an unknown channel is refused', () => ({ stream_id: 9999, topic: 'x', op: 'add' }), /9999/),
  refused('an unknown name is refused', () => ({ stream: 'Nowhere', topic: 'x', op: 'add' }), /"Nowhere"/),
  refused(
    'an unknown channel is refused for taking back too',
    () => ({ stream_id: 9999, topic: 'x', op: 'remove' }),
    /nothing/,
  ),
  refused('a hidden channel is refused as if there were none', call('shared', 'add'), /that you can access/),
  refused('so it is for taking back', call('shared', 'remove'), /nothing/),
  refused('nothing of an archived channel is muted', call('archived', 'add'), /that you can access/),
  refused(
    'a name of more than 60 characters is refused',
    call('public', 'add', { topic: 'x'.repeat(61) }),
    /limit: 60/,
  ),
  {
    name: 'a name may have 60 characters, which are kept as they are',
    as: 'cordelia',
    call: ['userTopics.mute', call('public', 'add', { topic: ` ${'x'.repeat(58)} ` })],
    events: () => ({
      cordelia: told([['Denmark', ` ${'x'.repeat(58)} `, Number.isSafeInteger]], {
        topic_name: ` ${'x'.repeat(58)} `,
      }),
    }),
  },
  refused('the name is read before a channel is missed', () => ({ topic: 'x'.repeat(61), op: 'add' }), /limit: 60/),
  refused('op is read before a channel is missed', () => ({ topic: 'x', op: 'toggle' }), /add, remove/),
  refused(
    'a channel given twice is refused before it is looked up',
    () => ({ stream_id: 9999, stream: 'Nowhere', topic: 'x', op: 'add' }),
    /not both/,
    { parameters: 'stream_id, stream' },
  ),
  refused('op is add or remove', call('public', 'add', { op: 'toggle' }), /add, remove/),
  {
    name: 'an administrator who cannot read a private channel mutes nothing there',
    as: 'administrator',
    call: ['userTopics.mute', call('shared', 'add')],
    refuses: { code: 'BAD_REQUEST' },
  },
  {
    name: 'a topic has to be given',
    as: 'cordelia',
    call: ['userTopics.mute', ({ channels }) => ({ stream_id: channels.public, op: 'add' })],
    refuses: { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'topic' } },
  },
]);
