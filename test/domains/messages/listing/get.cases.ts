import { type Case, cases } from '../../../world/case.ts';
import type { UserName } from '../../../world/fixture.ts';
import { ABSENT } from '../../../world/matching.ts';
import type { World } from '../../../world/world.ts';

type MessageName = keyof World['messages'];

const reads = (name: string, as: UserName, which: MessageName, given?: Case['given']): Case => ({
  name,
  as,
  call: ['messages.get', ({ messages }) => ({ message_id: messages[which] })],
  ...(given ? { given } : {}),
  returns: ({ messages }) => ({ message: { id: messages[which] } }),
});
const readsNot = (name: string, as: UserName, which: MessageName, given?: Case['given']): Case => ({
  name,
  as,
  call: ['messages.get', ({ messages }) => ({ message_id: messages[which] })],
  ...(given ? { given } : {}),
  refuses: { code: 'BAD_REQUEST', says: /that you can access/ },
});

const grants = (channel: 'shared' | 'protected') => (world: World) =>
  world.storage.write((tx) => tx.channels.update(world.channels[channel], { settings: { can_subscribe_group: 6 } }));

export const getMessageCases = cases('messages.get', [
  {
    name: 'gives the message, and its Markdown beside',
    as: 'hamlet',
    call: ['messages.get', ({ messages }) => ({ message_id: messages.ghost })],
    returns: ({ messages }) => ({
      message: { id: messages.ghost, content: '<p>Something is <strong>rotten</strong> here.</p>', flags: [] },
      raw_content: 'Something is **rotten** here.',
    }),
  },
  {
    name: 'tells of an edited message what it said before',
    as: 'cordelia',
    given: async ({ as, channels, kept }) => {
      const { id } = await as('hamlet').messages.send({
        type: 'channel',
        to: channels.public,
        topic: 'x',
        content: 'a',
      });
      await as('hamlet').messages.edit({ message_id: id, content: 'b' });
      await as('hamlet').messages.edit({ message_id: id, topic: 'y', send_notification_to_new_thread: false });
      kept.id = id;
    },
    call: ['messages.get', ({ kept }) => ({ message_id: kept.id })],
    returns: ({ users }) => ({
      message: {
        edit_history: [
          { user_id: users.hamlet, prev_topic: 'x', topic: 'y', prev_content: ABSENT, prev_stream: ABSENT },
          { user_id: users.hamlet, prev_content: 'a', prev_rendered_content: '<p>a</p>', topic: ABSENT },
        ],
      },
    }),
  },
  reads('members read public channels', 'newcomer', 'ghost'),
  readsNot('guests do not read public channels they are not in', 'guest', 'ghost'),
  reads('guests read web-public channels', 'guest', 'harbour'),
  readsNot('others do not read private channels', 'cordelia', 'council'),
  readsNot('owners do not read private channels they are not in', 'owner', 'council'),
  reads('who may subscribe reads the shared history', 'cordelia', 'council', grants('shared')),
  readsNot('who may subscribe does not read the protected history', 'hamlet', 'vaultBefore', grants('protected')),
  readsNot('protected history is closed to later subscribers', 'guest', 'vaultBefore'),
  reads('protected history is open from the subscription on', 'guest', 'vaultAfter'),
  reads('archived channels are read', 'cordelia', 'ruins'),
  reads('who takes part reads a direct message', 'cordelia', 'direct'),
  readsNot('who does not take part does not, not even an owner', 'owner', 'direct'),
  readsNot('administrators do not read private channels they are not in', 'administrator', 'council'),
  reads('bots read what their role reads', 'bot', 'ghost'),
  readsNot('a bot does not read what only its owner may read', 'bot', 'council'),
  readsNot('somebody who left a private channel does not read on', 'moderator', 'council', ({ as }) =>
    as('moderator').subscriptions.remove({ subscriptions: ['Council'] }),
  ),
  readsNot(
    'who left a channel of protected history does not read even what they received',
    'guest',
    'vaultAfter',
    ({ as }) => as('guest').subscriptions.remove({ subscriptions: ['Vault'] }),
  ),
  reads('a guest who left a web-public channel reads on', 'guest', 'harbour', ({ as }) =>
    as('guest').subscriptions.remove({ subscriptions: ['Harbour'] }),
  ),
  {
    name: 'Markdown is given where apply_markdown is false',
    as: 'hamlet',
    call: ['messages.get', ({ messages }) => ({ message_id: messages.ghost, apply_markdown: false })],
    returns: { message: { content: 'Something is **rotten** here.', content_type: 'text/x-markdown' } },
  },
  ...([true, false] as const).map(
    (allow_empty_topic_name): Case => ({
      name: allow_empty_topic_name
        ? 'the empty topic stays empty for who allows it'
        : 'the empty topic is shown by its display name',
      as: 'hamlet',
      given: async (world) => {
        const to = world.channels.public;
        world.kept.id = (await world.as('hamlet').messages.send({ type: 'channel', to, topic: '', content: 'y' })).id;
      },
      call: [
        'messages.get',
        ({ kept }) => ({ message_id: kept.id, ...(allow_empty_topic_name ? { allow_empty_topic_name } : {}) }),
      ],
      returns: { message: { subject: allow_empty_topic_name ? '' : 'general chat' } },
    }),
  ),
  {
    name: 'an ID is a whole number',
    as: 'hamlet',
    call: ['messages.get', { message_id: '1.5' }],
    only: 'HTTP',
    refuses: { code: 'BAD_REQUEST', status: 404 },
  },
  {
    name: 'an ID beyond all messages, and beyond all numbers, is of no message',
    as: 'hamlet',
    call: ['messages.get', { message_id: '99999999999999999999' }],
    refuses: { code: 'BAD_REQUEST' },
  },
  {
    name: 'nobody reads without credentials',
    as: 'nobody',
    call: ['messages.get', ({ messages }) => ({ message_id: messages.harbour })],
    refuses: { code: 'UNAUTHORIZED', status: 401 },
  },
  {
    name: 'a message that does not exist gives the same refusal as a hidden one',
    as: 'owner',
    call: ['messages.get', { message_id: 99_999 }],
    refuses: { code: 'BAD_REQUEST', says: /that you can access/ },
  },
]);
