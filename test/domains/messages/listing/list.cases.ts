import { type Case, cases } from '../../../world/case.ts';
import { ABSENT } from '../../../world/matching.ts';
import { all } from './listing.ts';

const inDenmark = [
  { operator: 'channel', operand: 'Denmark' },
  { operator: 'topic', operand: 'ghosts' },
];

const windows: Case[] = [
  {
    name: 'num_before and num_after give messages around the anchor',
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
    name: 'anchor newest starts at the end',
    as: 'hamlet',
    call: ['messages.list', { anchor: 'newest', num_before: 1, narrow: inDenmark }],
    returns: ({ messages }) => ({ messages: [{ id: messages.ghostReply }], found_newest: true, found_oldest: false }),
  },
  {
    name: 'anchor oldest starts at the beginning',
    as: 'hamlet',
    call: ['messages.list', { anchor: 'oldest', num_after: 1, narrow: inDenmark }],
    returns: ({ messages }) => ({ messages: [{ id: messages.ghost }], found_oldest: true, found_newest: false }),
  },
  {
    name: 'anchor first_unread starts at the first unread message',
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
    name: 'anchor first_unread in a narrow of a muted channel starts at its first unread message',
    as: 'cordelia',
    given: async ({ as, channels, messages }) => {
      await as('cordelia').messages.updateFlags({ messages: [messages.ghost], op: 'add', flag: 'read' });
      await as('cordelia').subscriptions.updateProperties({
        subscription_data: [{ stream_id: channels.public, property: 'is_muted', value: true }],
      });
    },
    call: ['messages.list', { anchor: 'first_unread', num_after: 3, narrow: inDenmark }],
    returns: ({ messages }) => ({ messages: [{ id: messages.ghostReply }], anchor: messages.ghostReply }),
  },
  {
    name: 'anchor first_unread without unread messages starts at the end',
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
    name: 'message_ids gives exactly these messages, without those the caller cannot read',
    as: 'cordelia',
    call: ['messages.list', ({ messages }) => ({ message_ids: [messages.council, messages.ghost, 99_999] })],
    returns: ({ messages }) => ({ messages: [{ id: messages.ghost }] }),
  },
  {
    name: 'a request without anchor and message_ids is refused',
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
    name: 'a negative num_before is refused',
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
    given: ({ storage, users }) => storage.write((tx) => tx.users.update(users.hamlet, { avatar_source: 'G' })),
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
          avatar_url: /^\/user_avatars\/generated\//,
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
    name: 'a direct message lists all participants, including the sender',
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
    name: 'a request without credentials is refused',
    as: 'anonymous',
    call: ['messages.list', all],
    refuses: { code: 'UNAUTHORIZED', status: 401 },
  },
];

export const listMessagesCases = cases('messages.list', [...windows, ...shapes]);
