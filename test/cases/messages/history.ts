import { cases } from '../../faces/case.ts';
import { ABSENT } from '../../faces/matching.ts';
import type { World } from '../../faces/world.ts';

const ofGhost = (given: object = {}) =>
  ['messages.history', ({ messages }: World) => ({ message_id: messages.ghost, ...given })] as const;

/** Within the time that its content may be edited. */
const said = async (world: World, topic: string) => {
  const to = world.channels.public;
  const { id } = await world.as('hamlet').messages.send({ type: 'channel', to, topic, content: 'one' });
  world.kept.id = id;
};
const edited = (world: World, change: { content?: string; topic?: string; stream_id?: number }) =>
  world
    .as('hamlet')
    .messages.edit({ message_id: world.kept.id as number, send_notification_to_new_thread: false, ...change });
const ofKept = (given: object = {}) =>
  ['messages.history', ({ kept }: World) => ({ message_id: kept.id, ...given })] as const;

const NOTHING_ELSE = {
  ...{ prev_topic: ABSENT, stream: ABSENT, prev_stream: ABSENT },
  ...{ prev_content: ABSENT, prev_rendered_content: ABSENT, content_html_diff: ABSENT },
};

export const getMessageHistoryCases = cases('messages.history', [
  {
    name: 'a message that was never edited has one snapshot of five fields',
    as: 'cordelia',
    call: ofGhost(),
    returns: ({ users }) => ({
      message_history: [
        {
          ...{ topic: 'ghosts', content: 'Something is **rotten** here.', user_id: users.hamlet, ...NOTHING_ELSE },
          rendered_content: '<p>Something is <strong>rotten</strong> here.</p>',
          timestamp: (one: unknown) => Number.isInteger(one),
        },
      ],
    }),
  },
  {
    name: 'snapshots are ordered oldest first, and prev_ fields are there only where something was edited',
    as: 'hamlet',
    given: async (world) => {
      await said(world, 'acts');
      await edited(world, { content: 'two' });
      await edited(world, { topic: 'scenes' });
      await edited(world, { stream_id: world.channels.default });
    },
    call: ofKept(),
    returns: ({ users, channels }) => ({
      message_history: [
        { topic: 'acts', content: 'one', user_id: users.hamlet, ...NOTHING_ELSE },
        {
          ...{ topic: 'acts', content: 'two', rendered_content: '<p>two</p>', ...NOTHING_ELSE },
          ...{ prev_content: 'one', prev_rendered_content: '<p>one</p>' },
          content_html_diff:
            /^<div><p><span class="highlight_text_deleted">one<\/span><span class="highlight_text_inserted">two/,
        },
        { topic: 'scenes', content: 'two', ...NOTHING_ELSE, prev_topic: 'acts' },
        { topic: 'scenes', content: 'two', ...NOTHING_ELSE, stream: channels.default, prev_stream: channels.public },
      ],
    }),
  },
  {
    name: 'an empty topic is replaced by its display name',
    as: 'hamlet',
    given: async (world) => {
      await said(world, '');
      await edited(world, { topic: 'acts' });
    },
    call: ofKept(),
    returns: { message_history: [{ topic: 'general chat' }, { topic: 'acts', prev_topic: 'general chat' }] },
  },
  {
    name: 'with allow_empty_topic_name the empty topic stays empty',
    as: 'hamlet',
    given: async (world) => {
      await said(world, '');
      await edited(world, { topic: 'acts' });
    },
    call: ofKept({ allow_empty_topic_name: true }),
    returns: { message_history: [{ topic: '' }, { topic: 'acts', prev_topic: '' }] },
  },
  {
    name: 'a message that does not exist is refused',
    as: 'hamlet',
    call: ['messages.history', { message_id: 999_999 }],
    refuses: { code: 'BAD_REQUEST' },
  },
  {
    name: 'a message out of sight is refused',
    as: 'hamlet',
    call: ['messages.history', ({ messages }) => ({ message_id: messages.vaultAfter })],
    refuses: { code: 'BAD_REQUEST' },
  },
  {
    name: 'the organization may have disabled edit history',
    as: 'hamlet',
    given: ({ settings }) => settings({ message_edit_history_visibility_policy: 'none' }),
    call: ofGhost(),
    refuses: { code: 'BAD_REQUEST' },
  },
]);
