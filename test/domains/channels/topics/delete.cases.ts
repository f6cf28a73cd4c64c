import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import type { ChannelName, UserName } from '../../../world/fixture.ts';

const deleting = (channel: ChannelName, topic_name = 'ghosts'): Case['call'] => [
  'topics.delete',
  ({ channels }) => ({ stream_id: channels[channel], topic_name }),
];
const refused = (name: string, as: UserName, call: Case['call']): Case => ({
  name,
  as,
  call,
  refuses: { code: 'BAD_REQUEST', says: /that you can access/ },
});

export const deleteTopicCases = cases('topics.delete', [
  {
    name: 'all messages of a topic are deleted, whatever its case, and so are the topic settings of users',
    as: 'administrator',
    call: deleting('public', 'GHOSTS'),
    returns: { complete: true },
    events: ({ channels, messages }) => ({
      cordelia: [
        { type: 'delete_message', message_id: messages.ghost, stream_id: channels.public, topic: 'ghosts' },
        { type: 'delete_message', message_id: messages.ghostReply },
      ],
      // They started the topic, so they followed it.
      hamlet: [
        { type: 'delete_message' },
        { type: 'delete_message' },
        { type: 'muted_topics' },
        { type: 'user_topic', topic_name: 'ghosts', visibility_policy: 0 },
      ],
      guest: [],
    }),
    state: async ({ as, channels }) => {
      const { topics } = await as('hamlet').topics.list({ stream_id: channels.public });
      assert.deepEqual(
        topics.map((topic) => topic.name),
        ['channel events'],
      );
    },
  },
  {
    name: 'deleting a topic without messages succeeds',
    as: 'administrator',
    call: deleting('public', 'nothing'),
    returns: { complete: true },
  },
  {
    name: 'in protected history only messages the caller received are deleted; topic settings of other readers stay',
    as: 'administrator',
    given: async ({ as, users, channels, kept }) => {
      await as('cordelia').subscriptions.add({
        subscriptions: [{ name: 'Vault' }],
        principals: [users.administrator],
        send_new_subscription_messages: false,
      });
      const sent = { type: 'channel', to: channels.protected, topic: 'gold', content: 'Seven.' } as const;
      kept.received = (await as('cordelia').messages.send(sent)).id;
      await as('administrator').userTopics.set({ stream_id: channels.protected, topic: 'gold', visibility_policy: 3 });
    },
    call: deleting('protected', 'gold'),
    state: async ({ as, channels, messages, users, storage }) => {
      const { topics } = await as('cordelia').topics.list({ stream_id: channels.protected });
      assert.deepEqual(topics.find((topic) => topic.name === 'gold')?.max_id, messages.vaultAfter);
      const left = await storage.read((tx) =>
        tx.userTopics.inChannels([channels.protected], [users.cordelia, users.administrator], 9),
      );
      assert.deepEqual(
        left.map((one) => one.user_id),
        [users.cordelia],
      );
    },
  },
  refused('an administrator who cannot read the channel is refused', 'administrator', deleting('shared')),
  {
    ...refused('F10: a topic of an archived channel is refused', 'owner', deleting('archived', 'stones')),
    refuses: { code: 'BAD_REQUEST', says: /is archived/ },
  },
  {
    name: 'an unknown channel is refused',
    as: 'administrator',
    call: ['topics.delete', { stream_id: 9999, topic_name: 'x' }],
    refuses: { code: 'BAD_REQUEST', says: /that you can access/ },
  },
  {
    name: 'only administrators delete topics',
    as: 'moderator',
    call: deleting('public'),
    refuses: { code: 'UNAUTHORIZED_PRINCIPAL' },
  },
]);
