import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import type { ChannelName } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';
import { setTopic } from './mute.cases.ts';

const call =
  (visibility_policy: number, channel: ChannelName = 'public', topic = 'ghosts') =>
  ({ channels }: World) => ({ stream_id: channels[channel], topic, visibility_policy });

const refused = (name: string, given: (world: World) => object, says: RegExp): Case => ({
  name,
  as: 'cordelia',
  call: ['userTopics.set', given as never],
  refuses: { code: 'BAD_REQUEST', says },
});

export const setUserTopicCases = cases('userTopics.set', [
  ...([1, 2, 3] as const).map(
    (policy): Case => ({
      name: `a topic gets the policy ${policy} under its first spelling, and only the user gets the event`,
      as: 'cordelia',
      call: ['userTopics.set', call(policy, 'public', 'Ghosts')],
      events: ({ channels }) => ({
        cordelia: [
          { type: 'muted_topics' },
          { type: 'user_topic', stream_id: channels.public, topic_name: 'Ghosts', visibility_policy: policy },
        ],
        hamlet: [],
      }),
    }),
  ),
  {
    name: 'the policy 0 removes any other policy',
    as: 'cordelia',
    given: (world) => setTopic(world, 2),
    call: ['userTopics.set', call(0)],
    events: () => ({ cordelia: [{ type: 'muted_topics' }, { type: 'user_topic', visibility_policy: 0 }] }),
    state: async ({ as, channels }) => {
      const { user_topics } = await as('cordelia').userTopics.list();
      assert.ok(!user_topics.some((one) => one.stream_id === channels.public));
    },
  },
  {
    name: 'setting the same policy again sends no event',
    as: 'cordelia',
    given: (world) => setTopic(world, 3),
    call: ['userTopics.set', call(3)],
    events: () => ({ cordelia: [] }),
  },
  {
    name: 'the empty topic by its display name is the empty topic',
    as: 'cordelia',
    given: (world) => setTopic(world, 3, ''),
    call: ['userTopics.set', call(3, 'public', 'general chat')],
    events: () => ({ cordelia: [] }),
  },
  {
    name: 'a guest sets topics of channels they are subscribed to',
    as: 'guest',
    call: ['userTopics.set', call(3, 'webPublic', 'ships')],
    events: () => ({ guest: [{ type: 'muted_topics' }, { type: 'user_topic' }] }),
  },
  {
    name: 'a guest is refused for a public channel without a subscription',
    as: 'guest',
    call: ['userTopics.set', call(3)],
    refuses: { code: 'BAD_REQUEST', says: /that you can access/ },
  },
  refused('an unknown policy is refused', call(4), /0, 1, 2, 3/),
  refused('an unknown channel is refused', () => ({ stream_id: 99, topic: 'x', visibility_policy: 3 }), /99/),
  refused(
    'an unknown channel is refused for the policy 0 too',
    () => ({ stream_id: 99, topic: 'x', visibility_policy: 0 }),
    /no setting/,
  ),
  refused('a channel the caller cannot see is refused like an unknown one', call(0, 'shared'), /no setting/),
  refused('a topic of more than 60 characters is refused', call(1, 'public', 'x'.repeat(61)), /limit: 60/),
]);

export const listUserTopicsCases = cases('userTopics.list', [
  {
    name: 'the list has the topic settings of the caller, without archived channels and channels they lost',
    as: 'cordelia',
    given: async (world) => {
      const { as, channels, users } = world;
      await setTopic(world, 1, '');
      for (const [name, topic] of [
        ['quiet', 'cold'],
        ['protected', 'gold'],
      ] as const)
        await as('cordelia').userTopics.set({ stream_id: channels[name], topic, visibility_policy: 2 });
      await as('owner').channels.archive({ stream_id: channels.quiet });
      await as('owner').subscriptions.remove({ subscriptions: ['Vault'], principals: [users.cordelia] });
    },
    call: ['userTopics.list'],
    returns: ({ channels }) => ({
      user_topics: [{ stream_id: channels.public, topic_name: 'general chat', visibility_policy: 1 }],
    }),
  },
  {
    name: 'allow_empty_topic_name shows the empty topic as it is',
    as: 'newcomer',
    given: (world) => setTopic(world, 1, '', 'newcomer'),
    call: ['userTopics.list', { allow_empty_topic_name: true }],
    returns: { user_topics: [{ topic_name: '' }] },
  },
]);
