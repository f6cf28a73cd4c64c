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
    name: 'those of a direct conversation see somebody begin to type, the sender too',
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
    name: 'and stop, in the older word for direct too',
    as: 'hamlet',
    call: ['typing.send', ({ users }) => ({ op: 'stop', type: 'private', to: [users.cordelia, users.hamlet] })],
    events: () => ({ cordelia: [{ type: 'typing', op: 'stop', message_type: 'direct' }] }),
  },
  {
    name: 'who does not want to see that others type does not',
    as: 'hamlet',
    given: ({ as }) => as('cordelia').settings.edit({ receives_typing_notifications: false }),
    call: ['typing.send', direct],
    events: () => ({ cordelia: [], hamlet: [{ type: 'typing', op: 'start' }] }),
  },
  {
    name: 'a client that knows nothing of typing in channels is told nothing of it',
    as: 'hamlet',
    call: ['typing.send', inPublic],
    events: () => ({ cordelia: [], hamlet: [] }),
  },
  {
    name: 'a restricted guest learns of no stranger by their typing',
    as: 'moderator',
    given: ({ settings }) => settings(RESTRICTED),
    call: ['typing.send', ({ users }) => ({ op: 'start', to: [users.guest, users.cordelia] })],
    events: () => ({ guest: [], cordelia: [{ type: 'typing', op: 'start' }] }),
  },
  {
    name: 'a restricted guest who has been written to sees the next message being typed',
    as: 'moderator',
    given: async ({ as, users, settings }) => {
      await as('moderator').messages.send({ type: 'direct', to: [users.guest], content: 'Hello' });
      await settings(RESTRICTED);
    },
    call: ['typing.send', ({ users }) => ({ op: 'start', to: [users.guest] })],
    events: () => ({ guest: [{ type: 'typing', op: 'start' }] }),
  },
  refused('a direct message goes to somebody', () => ({ op: 'start' }), /who it goes to/),
  refused('an empty list is nobody', () => ({ op: 'start', to: [] }), /who it goes to/),
  refused('all who are named must be there', ({ users }) => ({ op: 'start', to: [users.cordelia, 9_999] }), /9999/),
  refused('an op is start or stop', () => ({ op: 'pause', to: [1] }), /must be one of start, stop/),
  refused('a channel is needed', () => ({ op: 'start', type: 'stream', topic: 'x' }), /stream_id/),
  refused(
    'a topic is needed',
    ({ channels }) => ({ op: 'start', type: 'stream', stream_id: channels.public }),
    /needs a topic/,
  ),
  refused('who types in secret in direct messages is told so', direct, /send_private_typing_notifications/, ({ as }) =>
    as('hamlet').settings.edit({ send_private_typing_notifications: false }),
  ),
  refused('who types in secret in channels is told so', inPublic, /send_stream_typing_notifications/, ({ as }) =>
    as('hamlet').settings.edit({ send_stream_typing_notifications: false }),
  ),
  refused(
    'nobody types where they may not send',
    ({ channels }) => ({ op: 'start', type: 'channel', stream_id: channels.archived, topic: 'x' }),
    /archived/,
  ),
  {
    name: 'a channel one may not know of is not there',
    as: 'hamlet',
    call: [
      'typing.send',
      ({ channels }) => ({ op: 'start', type: 'channel', stream_id: channels.protected, topic: 'x' }),
    ],
    refuses: { code: 'STREAM_DOES_NOT_EXIST', data: ({ channels }) => ({ stream_id: channels.protected }) },
  },
  {
    name: 'nor is one that never was',
    as: 'hamlet',
    call: ['typing.send', { op: 'start', type: 'channel', stream_id: 9_999, topic: 'x' }],
    refuses: { code: 'STREAM_DOES_NOT_EXIST', data: { stream_id: 9_999 } },
  },
]);

export const sendTypingEditCases = cases('typing.sendEdit', [
  {
    name: 'those of a direct conversation see a message being edited',
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
    name: 'nobody edits what others wrote',
    as: 'hamlet',
    call: ['typing.sendEdit', ({ messages }) => ({ message_id: messages.ghostReply, op: 'start' })],
    refuses: { code: 'BAD_REQUEST', says: /wrote yourself/ },
  },
  {
    name: 'nor what can be edited no more',
    as: 'hamlet',
    call: ['typing.sendEdit', ({ messages }) => ({ message_id: messages.ghost, op: 'start' })],
    refuses: { code: 'BAD_REQUEST', says: /time in which/ },
  },
  {
    name: 'nor what they may not read',
    as: 'hamlet',
    call: ['typing.sendEdit', ({ messages }) => ({ message_id: messages.vaultAfter, op: 'start' })],
    refuses: { code: 'BAD_REQUEST', says: /no message with ID/ },
  },
  {
    name: 'who types in secret is told so while editing too',
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
