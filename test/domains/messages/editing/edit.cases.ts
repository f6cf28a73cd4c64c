import { type Case, cases } from '../../../world/case.ts';
import { ABSENT } from '../../../world/matching.ts';
import type { World } from '../../../world/world.ts';
import { editing, QUIET, said } from './said.ts';

const ofDirect = (given: object) =>
  ['messages.edit', ({ messages }: World) => ({ message_id: messages.direct, ...given })] as const;

const refused = (name: string, given: object, more: Partial<Case> = {}): Case => ({
  name,
  as: 'hamlet',
  given: said,
  call: editing(given),
  refuses: { code: 'BAD_REQUEST' },
  ...more,
});

/** Combinations of parameters. */
export const editMessageCases = cases('messages.edit', [
  {
    name: 'all recipients get the event of new content, without the fields of a move',
    as: 'hamlet',
    given: said,
    call: editing({ content: 'two' }),
    returns: { detached_uploads: [] },
    events: ({ kept, users, channels }) => ({
      cordelia: [
        {
          type: 'update_message',
          message_id: kept.id,
          message_ids: [kept.id],
          user_id: users.hamlet,
          stream_id: channels.public,
          rendering_only: false,
          flags: [],
          is_me_message: false,
          orig_content: 'one',
          content: 'two',
          rendered_content: '<p>two</p>',
          propagate_mode: ABSENT,
          orig_subject: ABSENT,
          subject: ABSENT,
          new_stream_id: ABSENT,
        },
      ],
      guest: [],
    }),
  },
  {
    name: 'a whole topic moves, and the event lists its messages',
    as: 'moderator',
    call: [
      'messages.edit',
      ({ messages }) => ({ message_id: messages.ghostReply, topic: 'spirits', propagate_mode: 'change_all', ...QUIET }),
    ],
    events: ({ messages, channels }) => ({
      hamlet: [
        // They follow the topic under any name.
        { type: 'muted_topics' },
        { type: 'user_topic', topic_name: 'ghosts', visibility_policy: 0 },
        { type: 'user_topic', topic_name: 'spirits', visibility_policy: 3 },
        {
          type: 'update_message',
          message_id: messages.ghostReply,
          message_ids: [messages.ghost, messages.ghostReply],
          stream_id: channels.public,
          orig_subject: 'ghosts',
          subject: 'spirits',
          propagate_mode: 'change_all',
          topic_links: [],
          content: ABSENT,
          new_stream_id: ABSENT,
        },
      ],
    }),
  },
  {
    name: 'a request with only notification options is refused',
    as: 'hamlet',
    given: said,
    call: editing({ ...QUIET, send_notification_to_old_thread: false }),
    refuses: { code: 'BAD_REQUEST', says: /Nothing to change/ },
  },
  refused('a request without changes is refused', {}),
  refused('propagate_mode without a move is refused', { content: 'two', propagate_mode: 'change_all' }),
  refused('a channel that does not exist is refused', { stream_id: 999_999 }),
  {
    name: 'a topic with messages too old to move is refused, with the number that could be moved',
    as: 'hamlet',
    given: async (world) => {
      world.clock.advance({ days: 8 });
      await said(world);
    },
    call: [
      'messages.edit',
      ({ messages }) => ({ message_id: messages.ghost, topic: 'x', propagate_mode: 'change_all' }),
    ],
    refuses: {
      code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
      data: { first_message_id_allowed_to_move: null, total_messages_in_topic: 2, total_messages_allowed_to_move: 0 },
    },
  },
  refused('an unknown propagate_mode is refused', { topic: 'scenes', propagate_mode: 'change_some' }),
  refused(
    'a move to another channel together with new content is refused',
    {},
    {
      call: [
        'messages.edit',
        ({ kept, channels }) => ({ message_id: kept.id, content: 'two', stream_id: channels.default }),
      ],
    },
  ),
  {
    name: 'content and topic change together, in one event',
    as: 'hamlet',
    given: said,
    call: editing({ content: 'two', topic: 'scenes', ...QUIET }),
    events: () => ({
      cordelia: [
        { type: 'update_message', orig_content: 'one', content: 'two', orig_subject: 'acts', subject: 'scenes' },
      ],
    }),
  },
  {
    name: 'the present channel as stream_id does not move the message',
    as: 'hamlet',
    given: said,
    call: [
      'messages.edit',
      ({ kept, channels }) => ({ message_id: kept.id, stream_id: channels.public, content: 'two' }),
    ],
    events: () => ({ cordelia: [{ type: 'update_message', content: 'two', new_stream_id: ABSENT }] }),
  },
  {
    name: 'the present topic succeeds and sends no event',
    as: 'hamlet',
    given: said,
    call: editing({ topic: ' acts' }),
    returns: { detached_uploads: [] },
    events: () => ({ hamlet: [], cordelia: [] }),
  },
  {
    // Clients show an edit as being saved until its event arrives.
    name: 'the present content counts as an edit, and all recipients get the event',
    as: 'hamlet',
    given: said,
    call: editing({ content: 'one ', topic: ' acts' }),
    returns: { detached_uploads: [] },
    events: () => {
      const told = [{ type: 'update_message', orig_content: 'one', content: 'one', orig_subject: ABSENT }];
      return { hamlet: told, cordelia: told };
    },
  },
  refused('a topic for a direct message is refused', { topic: 'x' }, { call: ofDirect({ topic: 'x' }) }),
  refused(
    'a direct message is not moved to a channel',
    {},
    {
      call: [
        'messages.edit',
        ({ messages, channels }) => ({ message_id: messages.direct, stream_id: channels.public }),
      ],
    },
  ),
  refused(
    'a message that does not exist is refused',
    {},
    {
      call: ['messages.edit', { message_id: 999_999, content: 'two' }],
      refuses: { code: 'BAD_REQUEST', says: /that you can access/ },
    },
  ),
  refused(
    'a message the caller cannot read is refused like a missing one',
    {},
    {
      as: 'cordelia',
      call: ['messages.edit', ({ messages }) => ({ message_id: messages.council, topic: 'x' })],
      refuses: { code: 'BAD_REQUEST', says: /that you can access/ },
    },
  ),
  refused(
    'a message in an archived channel is refused',
    {},
    {
      call: ['messages.edit', ({ messages }) => ({ message_id: messages.ruins, topic: 'x' })],
      refuses: { code: 'BAD_REQUEST', says: /that you can access/ },
    },
  ),
  refused(
    'a request without credentials is refused',
    { content: 'two' },
    {
      as: 'anonymous',
      refuses: { code: 'UNAUTHORIZED', status: 401 },
    },
  ),
  {
    name: 'unsupported parameters are listed in ignored_parameters_unsupported',
    as: 'hamlet',
    given: said,
    call: editing({ content: 'two', colour: 'red' }),
    returns: { ignored_parameters_unsupported: ['colour'] },
  },
]);
