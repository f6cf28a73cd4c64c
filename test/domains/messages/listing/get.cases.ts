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
    name: 'the response has the message and its Markdown',
    as: 'hamlet',
    call: ['messages.get', ({ messages }) => ({ message_id: messages.ghost })],
    returns: ({ messages }) => ({
      message: { id: messages.ghost, content: '<p>Something is <strong>rotten</strong> here.</p>', flags: [] },
      raw_content: 'Something is **rotten** here.',
    }),
  },
  {
    name: 'an edited message comes with its previous content',
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
  reads('a member can read a message of a public channel', 'newcomer', 'ghost'),
  readsNot('a guest cannot read a public channel without a subscription', 'guest', 'ghost'),
  reads('a guest can read a message of a web-public channel', 'guest', 'harbour'),
  readsNot('a member cannot read a private channel without a subscription', 'cordelia', 'council'),
  readsNot('owners cannot read private channels they are not in', 'owner', 'council'),
  reads('a user who may subscribe can read shared history', 'cordelia', 'council', grants('shared')),
  readsNot('a user who may subscribe cannot read protected history', 'hamlet', 'vaultBefore', grants('protected')),
  readsNot('a subscriber cannot read protected history from before the subscription', 'guest', 'vaultBefore'),
  reads('a subscriber can read protected history from the subscription on', 'guest', 'vaultAfter'),
  reads('a message of an archived channel can be read', 'cordelia', 'ruins'),
  reads('a participant can read a direct message', 'cordelia', 'direct'),
  readsNot('an owner cannot read a direct message of others', 'owner', 'direct'),
  readsNot('administrators cannot read private channels they are not in', 'administrator', 'council'),
  reads('a bot can read the messages that its role allows', 'bot', 'ghost'),
  readsNot('a bot cannot read messages that only its owner can read', 'bot', 'council'),
  readsNot('a user who left a private channel cannot read its messages', 'moderator', 'council', ({ as }) =>
    as('moderator').subscriptions.remove({ subscriptions: ['Council'] }),
  ),
  readsNot(
    'a user who left a channel with protected history cannot read even received messages',
    'guest',
    'vaultAfter',
    ({ as }) => as('guest').subscriptions.remove({ subscriptions: ['Vault'] }),
  ),
  reads('a guest who left a web-public channel can still read its messages', 'guest', 'harbour', ({ as }) =>
    as('guest').subscriptions.remove({ subscriptions: ['Harbour'] }),
  ),
  {
    name: 'apply_markdown false returns Markdown',
    as: 'hamlet',
    call: ['messages.get', ({ messages }) => ({ message_id: messages.ghost, apply_markdown: false })],
    returns: { message: { content: 'Something is **rotten** here.', content_type: 'text/x-markdown' } },
  },
  ...([true, false] as const).map(
    (allow_empty_topic_name): Case => ({
      name: allow_empty_topic_name
        ? 'allow_empty_topic_name shows the empty topic as it is'
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
    name: 'a message ID that is not an integer is refused',
    as: 'hamlet',
    call: ['messages.get', { message_id: '1.5' }],
    only: 'HTTP',
    refuses: { code: 'NOT_FOUND', status: 404 },
  },
  {
    name: 'a message ID beyond all messages is refused as missing',
    as: 'hamlet',
    call: ['messages.get', { message_id: '99999999999999999999' }],
    refuses: { code: 'BAD_REQUEST' },
  },
  {
    name: 'a request without credentials is refused',
    as: 'anonymous',
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
