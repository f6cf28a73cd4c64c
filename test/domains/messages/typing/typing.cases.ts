import { type Case, cases } from '../../../world/case.ts';
import { RESTRICTED } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';

const person = ({ users, emails }: World, name: 'hamlet' | 'cordelia' | 'guest') => ({
  user_id: users[name],
  email: emails[name],
});
const direct = ({ users }: World) => ({ op: 'start', to: [users.cordelia] });
const inPublic = ({ channels }: World) => ({
  op: 'start',
  type: 'channel',
  stream_id: channels.public,
  topic: 'ghosts',
});

const refused = (
  name: string,
  params: (world: World) => Record<string, unknown>,
  says: RegExp,
  given?: Case['given'],
): Case => ({
  name,
  as: 'hamlet',
  ...(given ? { given } : {}),
  call: ['typing.send', params],
  refuses: { code: 'BAD_REQUEST', says },
});

export const sendTypingCases = cases('typing.send', [
  {
    name: 'all participants of a direct conversation get the typing start event',
    as: 'hamlet',
    call: ['typing.send', direct],
    events: (world) => {
      const event = {
        type: 'typing',
        op: 'start',
        message_type: 'direct',
        sender: person(world, 'hamlet'),
        recipients: [person(world, 'hamlet'), person(world, 'cordelia')],
        stream_id: undefined,
        topic: undefined,
      };
      return { cordelia: [event], hamlet: [event], administrator: [] };
    },
  },
  {
    name: 'participants get the typing stop event, also with the type private',
    as: 'hamlet',
    call: ['typing.send', ({ users }) => ({ op: 'stop', type: 'private', to: [users.cordelia, users.hamlet] })],
    events: () => ({ cordelia: [{ type: 'typing', op: 'stop', message_type: 'direct' }] }),
  },
  {
    name: 'a user who turned off typing notifications gets no event',
    as: 'hamlet',
    given: ({ as }) => as('cordelia').settings.edit({ receives_typing_notifications: false }),
    call: ['typing.send', direct],
    events: () => ({ cordelia: [], hamlet: [{ type: 'typing', op: 'start' }] }),
  },
  {
    name: 'a client without the stream_typing_notifications capability gets no channel typing event',
    as: 'hamlet',
    call: ['typing.send', inPublic],
    events: () => ({ cordelia: [], hamlet: [] }),
  },
  {
    name: 'a restricted guest gets no typing event of a user they cannot see',
    as: 'moderator',
    given: ({ settings }) => settings(RESTRICTED),
    call: ['typing.send', ({ users }) => ({ op: 'start', to: [users.guest, users.cordelia] })],
    events: () => ({ guest: [], cordelia: [{ type: 'typing', op: 'start' }] }),
  },
  {
    name: 'a restricted guest gets typing events of a user who wrote to them',
    as: 'moderator',
    given: async ({ as, users, settings }) => {
      await as('moderator').messages.send({ type: 'direct', to: [users.guest], content: 'Hello' });
      await settings(RESTRICTED);
    },
    call: ['typing.send', ({ users }) => ({ op: 'start', to: [users.guest] })],
    events: () => ({ guest: [{ type: 'typing', op: 'start' }] }),
  },
  refused(
    'a direct typing request without recipients is refused',
    () => ({ op: 'start' }),
    /user IDs of the recipients/,
  ),
  refused('an empty list of recipients is refused', () => ({ op: 'start', to: [] }), /user IDs of the recipients/),
  refused('an unknown recipient is refused', ({ users }) => ({ op: 'start', to: [users.cordelia, 9_999] }), /9999/),
  refused('an unknown op is refused', () => ({ op: 'pause', to: [1] }), /must be one of start, stop/),
  refused(
    'a channel typing request without stream_id is refused',
    () => ({ op: 'start', type: 'stream', topic: 'x' }),
    /stream_id/,
  ),
  refused(
    'a channel typing request without a topic is refused',
    ({ channels }) => ({ op: 'start', type: 'stream', stream_id: channels.public }),
    /needs a topic/,
  ),
  refused(
    'a user who turned off private typing notifications is refused in direct messages',
    direct,
    /send_private_typing_notifications/,
    ({ as }) => as('hamlet').settings.edit({ send_private_typing_notifications: false }),
  ),
  refused(
    'a user who turned off stream typing notifications is refused in channels',
    inPublic,
    /send_stream_typing_notifications/,
    ({ as }) => as('hamlet').settings.edit({ send_stream_typing_notifications: false }),
  ),
  refused(
    'a channel the caller may not post in is refused',
    ({ channels }) => ({ op: 'start', type: 'channel', stream_id: channels.archived, topic: 'x' }),
    /archived/,
  ),
  {
    name: 'a channel the caller cannot see is refused as missing',
    as: 'hamlet',
    call: [
      'typing.send',
      ({ channels }) => ({ op: 'start', type: 'channel', stream_id: channels.protected, topic: 'x' }),
    ],
    refuses: { code: 'STREAM_DOES_NOT_EXIST', data: ({ channels }) => ({ stream_id: channels.protected }) },
  },
  {
    name: 'a channel that does not exist is refused as missing',
    as: 'hamlet',
    call: ['typing.send', { op: 'start', type: 'channel', stream_id: 9_999, topic: 'x' }],
    refuses: { code: 'STREAM_DOES_NOT_EXIST', data: { stream_id: 9_999 } },
  },
]);

export const sendTypingEditCases = cases('typing.sendEdit', [
  {
    name: 'all participants of a direct conversation get the typing event of an edit',
    as: 'hamlet',
    given: async (world) => {
      const { as, users } = world;
      world.kept.id = (await as('hamlet').messages.send({ type: 'direct', to: [users.cordelia], content: 'x' })).id;
    },
    call: ['typing.sendEdit', ({ kept }) => ({ message_id: kept.id, op: 'start' })],
    events: ({ users, kept }) => ({
      cordelia: [
        {
          type: 'typing_edit_message',
          op: 'start',
          sender_id: users.hamlet,
          message_id: kept.id,
          recipient: { type: 'direct', user_ids: [users.hamlet, users.cordelia] },
        },
      ],
      administrator: [],
    }),
  },
  {
    name: 'a message of another user is refused',
    as: 'hamlet',
    call: ['typing.sendEdit', ({ messages }) => ({ message_id: messages.ghostReply, op: 'start' })],
    refuses: { code: 'BAD_REQUEST', says: /your own messages/ },
  },
  {
    name: 'a message past the edit time limit is refused',
    as: 'hamlet',
    call: ['typing.sendEdit', ({ messages }) => ({ message_id: messages.ghost, op: 'start' })],
    refuses: { code: 'BAD_REQUEST', says: /too old to be edited/ },
  },
  {
    name: 'a message the caller cannot read is refused',
    as: 'hamlet',
    call: ['typing.sendEdit', ({ messages }) => ({ message_id: messages.vaultAfter, op: 'start' })],
    refuses: { code: 'BAD_REQUEST', says: /no message with ID/ },
  },
  {
    name: 'a user who turned off typing notifications is refused while editing',
    as: 'hamlet',
    given: async (world) => {
      const { as, channels } = world;
      const to = { type: 'channel', to: channels.public, topic: 'x' } as const;
      world.kept.id = (await as('hamlet').messages.send({ ...to, content: 'x' })).id;
      await as('hamlet').settings.edit({ send_stream_typing_notifications: false });
    },
    call: ['typing.sendEdit', ({ kept }) => ({ message_id: kept.id, op: 'stop' })],
    refuses: { code: 'BAD_REQUEST', says: /send_stream_typing_notifications/ },
  },
]);
