import { createHash } from 'node:crypto';
import { type Case, cases } from '../../faces/case.ts';
import { ABSENT } from '../../faces/matching.ts';
import type { World } from '../../faces/world.ts';

const said = async (world: World) => {
  const to = world.channels.public;
  const { id } = await world.as('hamlet').messages.send({ type: 'channel', to, topic: 'acts', content: 'one' });
  world.kept.id = id;
};
const editing = (given: object) => ['messages.edit', ({ kept }: World) => ({ message_id: kept.id, ...given })] as const;
const QUIET = { send_notification_to_new_thread: false };

const refused = (name: string, given: object, more: Partial<Case> = {}): Case => ({
  name,
  as: 'hamlet',
  given: said,
  call: editing(given),
  refuses: { code: 'BAD_REQUEST' },
  ...more,
});

export const editMessageCases = cases('messages.edit', [
  {
    name: 'new content reaches everybody, and nothing says that the message moved',
    as: 'hamlet',
    given: said,
    call: editing({ content: 'two' }),
    returns: { detached_uploads: [] },
    events: ({ kept, users, channels }) => ({
      cordelia: [
        {
          ...{ type: 'update_message', message_id: kept.id, message_ids: [kept.id], user_id: users.hamlet },
          ...{ stream_id: channels.public, rendering_only: false, flags: [], is_me_message: false },
          ...{ orig_content: 'one', content: 'two', rendered_content: '<p>two</p>' },
          ...{ propagate_mode: ABSENT, orig_subject: ABSENT, subject: ABSENT, new_stream_id: ABSENT },
        },
      ],
      guest: [],
    }),
  },
  {
    name: 'a whole topic moves, and the event names its messages',
    as: 'moderator',
    call: [
      'messages.edit',
      ({ messages }) => ({ message_id: messages.ghostReply, topic: 'spirits', propagate_mode: 'change_all', ...QUIET }),
    ],
    events: ({ messages, channels }) => ({
      hamlet: [
        {
          ...{
            type: 'update_message',
            message_id: messages.ghostReply,
            message_ids: [messages.ghost, messages.ghostReply],
          },
          ...{ stream_id: channels.public, orig_subject: 'ghosts', subject: 'spirits', propagate_mode: 'change_all' },
          ...{ topic_links: [], content: ABSENT, new_stream_id: ABSENT },
        },
      ],
    }),
  },
  {
    name: 'something must change',
    as: 'hamlet',
    given: said,
    call: editing({ ...QUIET, send_notification_to_old_thread: false }),
    refuses: { code: 'BAD_REQUEST', says: /Nothing to change/ },
  },
  refused(
    'prev_content_sha256 of another content is refused',
    { content: 'two', prev_content_sha256: createHash('sha256').update('x').digest('hex') },
    {
      refuses: { code: 'EXPECTATION_MISMATCH' },
    },
  ),
  refused('content of others cannot be edited', { content: 'two' }, { as: 'owner' }),
  refused('propagate_mode needs something that moves', { content: 'two', propagate_mode: 'change_all' }),
  refused('a channel that does not exist is refused', { stream_id: 999_999 }),
  {
    name: 'what is too old to be moved as a whole is refused, with what could be moved',
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
]);
