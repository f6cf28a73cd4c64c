import { type Case, cases } from '../../faces/case.ts';
import type { UserName } from '../../faces/fixture.ts';
import { ABSENT } from '../../faces/matching.ts';
import type { World } from '../../faces/world.ts';

type MessageName = keyof World['messages'];

const all = { anchor: 'newest', num_before: 100 };
const narrowed = (...narrow: unknown[]) => ({ ...all, narrow });

/** Exactly these messages of the fixture, besides those of the notification bot. */
const finds =
  (...names: MessageName[]): Case['returns'] =>
  (world) => ({
    messages: (messages: { id: number; sender_full_name: string }[]) => {
      const ids = messages.filter((one) => one.sender_full_name !== 'Notification Bot').map((one) => one.id);
      return JSON.stringify(ids) === JSON.stringify(names.map((name) => world.messages[name]));
    },
  });

const list = (
  name: string,
  as: UserName,
  params: Record<string, unknown> | ((world: World) => Record<string, unknown>),
  ...names: MessageName[]
): Case => ({
  name,
  as,
  call: ['messages.list', params],
  returns: finds(...names),
});

const badNarrow = (name: string, ...narrow: unknown[]): Case => ({
  name,
  as: 'hamlet',
  call: ['messages.list', narrowed(...narrow)],
  refuses: { code: 'BAD_NARROW', data: () => ({ desc: DESCRIPTIONS[name] }) },
});

const DESCRIPTIONS: Record<string, string> = {
  'an unknown operator is BAD_NARROW, with desc': 'unknown operator "colour"',
  'a channel that one cannot read is BAD_NARROW': 'there is no channel "Vault" that you can read',
  'a channel that does not exist gives the same': 'there is no channel "Elba" that you can read',
  'a topic alone is BAD_NARROW': 'a topic needs its channel',
};

const narrows: Case[] = [
  list(
    'without a narrow one gets everything one received, and no more',
    'hamlet',
    all,
    'ghost',
    'ghostReply',
    'council',
    'harbour',
    'ruins',
    'direct',
    'group',
  ),
  list('a guest gets what they received', 'guest', all, 'vaultAfter', 'harbour'),
  list(
    'narrows to a channel by name',
    'hamlet',
    narrowed({ operator: 'channel', operand: 'Denmark' }),
    'ghost',
    'ghostReply',
  ),
  list(
    'narrows to a channel by ID',
    'hamlet',
    ({ channels }) => narrowed({ operator: 'stream', operand: channels.public }),
    'ghost',
    'ghostReply',
  ),
  list(
    'takes pairs as older clients send them',
    'hamlet',
    narrowed(['stream', 'Denmark'], ['topic', 'ghosts']),
    'ghost',
    'ghostReply',
  ),
  list(
    'reads a public channel without a subscription',
    'moderator',
    narrowed({ operator: 'channel', operand: 'Denmark' }),
    'ghost',
    'ghostReply',
  ),
  list(
    'narrows to a topic without regard to case',
    'hamlet',
    narrowed(['stream', 'Denmark'], ['topic', 'GHOSTS']),
    'ghost',
    'ghostReply',
  ),
  list('a topic without messages is empty', 'hamlet', narrowed(['stream', 'Denmark'], ['topic', 'nothing'])),
  list(
    'protected history begins with the subscription',
    'guest',
    narrowed({ operator: 'channel', operand: 'Vault' }),
    'vaultAfter',
  ),
  list(
    'who was there before sees all of a protected history',
    'cordelia',
    narrowed({ operator: 'channel', operand: 'Vault' }),
    'vaultBefore',
    'vaultAfter',
  ),
  list('an archived channel can be read', 'hamlet', narrowed({ operator: 'channel', operand: 'Ruins' }), 'ruins'),
  list(
    'narrows to a conversation by IDs',
    'cordelia',
    ({ users }) => narrowed({ operator: 'dm', operand: [users.hamlet] }),
    'direct',
  ),
  list(
    'narrows to a conversation by addresses',
    'cordelia',
    narrowed(['pm-with', 'hamlet@example.com,moderator@example.com']),
    'group',
  ),
  list('a conversation that does not exist is empty', 'newcomer', ({ users }) =>
    narrowed({ operator: 'dm', operand: [users.hamlet] }),
  ),
  list(
    'narrows to a sender',
    'hamlet',
    ({ users }) => narrowed({ operator: 'sender', operand: users.cordelia }),
    'ghostReply',
  ),
  list(
    'narrows to a sender by address',
    'hamlet',
    narrowed({ operator: 'sender', operand: 'cordelia@example.com' }),
    'ghostReply',
  ),
  list('narrows to direct messages', 'hamlet', narrowed({ operator: 'is', operand: 'dm' }), 'direct', 'group'),
  list(
    'narrows to one ID',
    'hamlet',
    ({ messages }) => narrowed({ operator: 'id', operand: messages.council }),
    'council',
  ),
  list('an ID that one cannot read is not there', 'cordelia', ({ messages }) =>
    narrowed({ operator: 'id', operand: messages.council }),
  ),
  list('searches for words', 'hamlet', narrowed({ operator: 'search', operand: 'ROTTEN' }), 'ghost'),
  {
    ...list('narrows to starred messages', 'hamlet', narrowed({ operator: 'is', operand: 'starred' }), 'council'),
    given: ({ as, messages }) =>
      as('hamlet').messages.updateFlags({ messages: [messages.council], op: 'add', flag: 'starred' }),
  },
  {
    ...list(
      'narrows to unread messages',
      'cordelia',
      narrowed(['is', 'unread'], ['stream', 'Denmark']),
      'ghost',
      'ghostReply',
    ),
    given: ({ as, messages }) =>
      as('cordelia').messages.updateFlags({ messages: [messages.direct], op: 'add', flag: 'read' }),
  },
  badNarrow('an unknown operator is BAD_NARROW, with desc', { operator: 'colour', operand: 'red' }),
  badNarrow('a channel that one cannot read is BAD_NARROW', { operator: 'channel', operand: 'Vault' }),
  badNarrow('a channel that does not exist gives the same', { operator: 'channel', operand: 'Elba' }),
  badNarrow('a topic alone is BAD_NARROW', { operator: 'topic', operand: 'ghosts' }),
];

const inDenmark = [
  { operator: 'channel', operand: 'Denmark' },
  { operator: 'topic', operand: 'ghosts' },
];

const windows: Case[] = [
  {
    name: 'an anchor with messages before and after it',
    as: 'hamlet',
    call: [
      'messages.list',
      ({ messages }) => ({ anchor: messages.ghost, num_before: 1, num_after: 1, narrow: inDenmark }),
    ],
    returns: ({ messages }) => ({
      messages: [{ id: messages.ghost }, { id: messages.ghostReply }],
      anchor: messages.ghost,
      found_anchor: true,
      found_oldest: true,
      found_newest: false,
      history_limited: false,
    }),
  },
  {
    name: 'include_anchor false leaves the anchor out',
    as: 'hamlet',
    call: [
      'messages.list',
      ({ messages }) => ({ anchor: messages.ghost, include_anchor: false, num_after: 5, narrow: inDenmark }),
    ],
    returns: ({ messages }) => ({ messages: [{ id: messages.ghostReply }], found_newest: true, found_oldest: false }),
  },
  {
    name: 'newest means the end',
    as: 'hamlet',
    call: ['messages.list', { anchor: 'newest', num_before: 1, narrow: inDenmark }],
    returns: ({ messages }) => ({ messages: [{ id: messages.ghostReply }], found_newest: true, found_oldest: false }),
  },
  {
    name: 'oldest means the beginning',
    as: 'hamlet',
    call: ['messages.list', { anchor: 'oldest', num_after: 1, narrow: inDenmark }],
    returns: ({ messages }) => ({ messages: [{ id: messages.ghost }], found_oldest: true, found_newest: false }),
  },
  {
    name: 'first_unread means the first message not read',
    as: 'cordelia',
    given: ({ as, messages }) =>
      as('cordelia').messages.updateFlags({ messages: [messages.ghost], op: 'add', flag: 'read' }),
    call: ['messages.list', { anchor: 'first_unread', num_after: 3, narrow: inDenmark }],
    returns: ({ messages }) => ({
      messages: [{ id: messages.ghostReply }],
      anchor: messages.ghostReply,
      found_anchor: true,
    }),
  },
  {
    name: 'first_unread without unread messages means the end',
    as: 'cordelia',
    given: ({ as, messages }) =>
      as('cordelia').messages.updateFlags({ messages: [messages.ghost, messages.ghostReply], op: 'add', flag: 'read' }),
    call: ['messages.list', { use_first_unread_anchor: true, num_before: 1, narrow: inDenmark }],
    returns: ({ messages }) => ({
      messages: [{ id: messages.ghostReply }],
      anchor: 10_000_000_000_000_000,
      found_newest: true,
    }),
  },
  {
    name: 'message_ids gives just these, as far as one can read them',
    as: 'cordelia',
    call: ['messages.list', ({ messages }) => ({ message_ids: [messages.council, messages.ghost, 99_999] })],
    returns: ({ messages }) => ({ messages: [{ id: messages.ghost }] }),
  },
  {
    name: 'an anchor is needed without message_ids',
    as: 'hamlet',
    call: ['messages.list', {}],
    refuses: { code: 'BAD_REQUEST', says: /anchor/ },
  },
  {
    name: 'num_before and num_after together are at most 5000',
    as: 'hamlet',
    call: ['messages.list', { anchor: 'newest', num_before: 5000, num_after: 1 }],
    refuses: { code: 'BAD_REQUEST', says: /5000/ },
  },
  {
    name: 'num_before is not negative',
    as: 'hamlet',
    call: ['messages.list', { anchor: 'newest', num_before: -1 }],
    refuses: { code: 'BAD_REQUEST', says: /num_before/ },
  },
  {
    name: 'an anchor is an ID or one of three words',
    as: 'hamlet',
    call: ['messages.list', { anchor: 'middle' }],
    refuses: { code: 'BAD_REQUEST', says: /anchor/ },
  },
];

const shapes: Case[] = [
  {
    name: 'apply_markdown false gives the Markdown',
    as: 'hamlet',
    call: ['messages.list', ({ messages }) => ({ message_ids: [messages.ghost], apply_markdown: false })],
    returns: { messages: [{ content: 'Something is **rotten** here.', content_type: 'text/x-markdown' }] },
  },
  {
    name: 'client_gravatar decides about avatar_url',
    as: 'hamlet',
    call: ['messages.list', ({ messages }) => ({ message_ids: [messages.ghost], client_gravatar: false })],
    returns: { messages: [{ avatar_url: /gravatar/ }] },
  },
  {
    name: 'a channel message has the legacy names and no channel type',
    as: 'hamlet',
    call: ['messages.list', ({ messages }) => ({ message_ids: [messages.ghost] })],
    returns: ({ users, channels, messages }) => ({
      messages: [
        {
          id: messages.ghost,
          type: 'stream',
          display_recipient: 'Denmark',
          stream_id: channels.public,
          subject: 'ghosts',
          sender_id: users.hamlet,
          avatar_url: null,
          content: '<p>Something is <strong>rotten</strong> here.</p>',
          content_type: 'text/html',
          client: 'Parlance',
          is_me_message: false,
          reactions: [],
          submessages: [],
          topic_links: [],
          last_edit_timestamp: ABSENT,
          flags: [],
        },
      ],
    }),
  },
  {
    name: 'a direct message lists everybody taking part, the sender included',
    as: 'cordelia',
    call: ['messages.list', ({ messages }) => ({ message_ids: [messages.direct] })],
    returns: ({ users, emails }) => ({
      messages: [
        {
          type: 'private',
          subject: '',
          stream_id: ABSENT,
          display_recipient: [
            { id: users.hamlet, email: emails.hamlet, full_name: 'Hamlet', is_mirror_dummy: false },
            { id: users.cordelia, email: emails.cordelia, full_name: 'Cordelia', is_mirror_dummy: false },
          ],
        },
      ],
    }),
  },
  {
    name: 'nobody reads without credentials',
    as: 'nobody',
    call: ['messages.list', all],
    refuses: { code: 'UNAUTHORIZED', status: 401 },
  },
];

export const listMessagesCases = cases('messages.list', [...narrows, ...windows, ...shapes]);
