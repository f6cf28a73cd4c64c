import { type Case, cases } from '../../../world/case.ts';
import { ABSENT } from '../../../world/matching.ts';
import type { World } from '../../../world/world.ts';
import { edited, NOTHING_ELSE, ofKept, said } from '../history/histories.ts';
import { editing, QUIET, saidThree } from './said.ts';

type OrganizationChange = Parameters<ReturnType<World['as']>['organization']['edit']>[0];

const decides = (world: World, change: OrganizationChange) => world.as('owner').organization.edit(change);

/** A message of Hamlet with an edit, an edit with a move, and a move. */
const storied = async (world: World) => {
  await said(world);
  await edited(world, { content: 'two' });
  await edited(world, { content: 'three', topic: 'scenes' });
  await edited(world, { stream_id: world.channels.default });
};

const storiedUnder =
  (...policies: ('all' | 'moves' | 'none')[]) =>
  async (world: World) => {
    await storied(world);
    for (const policy of policies) await decides(world, { message_edit_history_visibility_policy: policy });
  };

const whole = ({ channels }: World) => [
  { topic: 'acts', content: 'one', ...NOTHING_ELSE },
  { topic: 'acts', content: 'two', prev_content: 'one', prev_topic: ABSENT },
  { topic: 'scenes', content: 'three', prev_content: 'two', prev_topic: 'acts' },
  { topic: 'scenes', content: 'three', stream: channels.default, prev_stream: channels.public, prev_content: ABSENT },
];

/** The history policy applies to earlier messages and can be changed back. */
export const historyPolicyCases = cases('messages.history', [
  {
    name: 'by default the whole history is shown',
    as: 'hamlet',
    given: storied,
    call: ofKept(),
    returns: (world) => ({ message_history: whole(world) }),
  },
  {
    name: 'the history policy "moves" shows every move and no previous content',
    as: 'hamlet',
    given: storiedUnder('moves'),
    call: ofKept(),
    returns: ({ channels }) => ({
      message_history: [
        { topic: 'acts', content: 'three', rendered_content: '<p>three</p>', ...NOTHING_ELSE },
        { topic: 'scenes', content: 'three', ...NOTHING_ELSE, prev_topic: 'acts' },
        { topic: 'scenes', content: 'three', ...NOTHING_ELSE, stream: channels.default, prev_stream: channels.public },
      ],
    }),
  },
  ...(['hamlet', 'owner'] as const).map(
    (as): Case => ({
      name: `the history policy "none" shows no history to the ${as === 'owner' ? 'owner' : 'author'}`,
      as,
      given: storiedUnder('none'),
      call: ofKept(),
      refuses: { code: 'BAD_REQUEST', says: /does not show edit history/ },
    }),
  ),
  {
    name: 'the whole history is shown again after the policy was "none"',
    as: 'hamlet',
    given: storiedUnder('none', 'moves', 'all'),
    call: ofKept(),
    returns: (world) => ({ message_history: whole(world) }),
  },
]);

const getting = ['messages.get', ({ kept }: World) => ({ message_id: kept.id, apply_markdown: false })] as const;

/** The history policy for the edit_history of a message. */
export const messagePolicyCases = cases('messages.get', [
  {
    name: 'the history policy "all" gives a message its edits and moves, newest first',
    as: 'hamlet',
    given: storied,
    call: getting,
    returns: ({ channels }) => ({
      message: {
        edit_history: [
          { prev_stream: channels.public, stream: channels.default, prev_content: ABSENT },
          { prev_topic: 'acts', topic: 'scenes', prev_content: 'two', prev_rendered_content: '<p>two</p>' },
          { prev_content: 'one', prev_topic: ABSENT },
        ],
      },
    }),
  },
  {
    name: 'the history policy "moves" gives a message only its moves',
    as: 'hamlet',
    given: storiedUnder('moves'),
    call: getting,
    returns: () => {
      const nothingSaid = { prev_content: ABSENT, prev_rendered_content: ABSENT };
      return { message: { edit_history: [{ ...nothingSaid }, { prev_topic: 'acts', ...nothingSaid }] } };
    },
  },
  {
    name: 'the history policy "none" gives a message only the times of its last edit and move',
    as: 'hamlet',
    given: storiedUnder('none'),
    call: getting,
    returns: {
      message: { edit_history: ABSENT, last_edit_timestamp: Number.isInteger, last_moved_timestamp: Number.isInteger },
    },
  },
]);

const HOUR = 3600;
/** One message a second too old and one in time, for a limit that was set after they were sent. */
const aged = (seconds: number, change: OrganizationChange) => async (world: World) => {
  await saidThree(world);
  world.clock.advance({ seconds });
  await decides(world, change);
};

const edits = (name: string, given: Case['given'], as: 'hamlet' | 'moderator', change: object): Case => ({
  name,
  as,
  given,
  call: editing({ ...QUIET, ...change }),
  returns: { detached_uploads: [] },
});
const refusesTo = (name: string, given: Case['given'], change: object, says: RegExp): Case => ({
  name,
  as: 'hamlet',
  given,
  call: editing({ ...QUIET, ...change }),
  refuses: { code: 'BAD_REQUEST', says },
});

/** Limits apply to earlier messages, by the present limit alone. */
export const editPolicyCases = cases('messages.edit', [
  edits(
    'a longer limit lets an older message be edited again',
    aged(HOUR, { message_content_edit_limit_seconds: HOUR }),
    'hamlet',
    { content: 'two' },
  ),
  edits(
    'content can be edited until 20 seconds after the limit',
    aged(HOUR + 20, { message_content_edit_limit_seconds: HOUR }),
    'hamlet',
    { content: 'two' },
  ),
  edits(
    'a message can be moved until 20 seconds after the limit',
    aged(HOUR + 20, { move_messages_within_stream_limit_seconds: HOUR }),
    'hamlet',
    { topic: 'scenes', propagate_mode: 'change_all' },
  ),
  refusesTo(
    'a message more than 20 seconds older than the longer limit cannot be edited',
    aged(HOUR + 21, { message_content_edit_limit_seconds: HOUR }),
    { content: 'two' },
    /too old to be edited/,
  ),
  refusesTo(
    'a shorter limit ends the time at once',
    aged(22, { message_content_edit_limit_seconds: 1 }),
    { content: 'two' },
    /too old to be edited/,
  ),
  refusesTo(
    'content cannot be edited when editing is off, however long the limit is',
    aged(0, { allow_message_editing: false, message_content_edit_limit_seconds: 'unlimited' }),
    { content: 'two' },
    /turned off message editing/,
  ),
  edits('a message can be moved when editing is off', aged(0, { allow_message_editing: false }), 'hamlet', {
    topic: 'scenes',
  }),
  refusesTo(
    'a limit for moves between topics does not apply to edits',
    aged(22, { move_messages_within_stream_limit_seconds: 1 }),
    { topic: 'scenes' },
    /too old to be moved/,
  ),
  edits(
    'content can be edited when the time for moves is over',
    aged(22, { move_messages_within_stream_limit_seconds: 1 }),
    'hamlet',
    {
      content: 'two',
    },
  ),
  edits(
    'a moderator moves a message too old for members',
    aged(22, { move_messages_within_stream_limit_seconds: 1 }),
    'moderator',
    {
      topic: 'scenes',
    },
  ),
  edits('a topic can be resolved at any age', aged(22, { move_messages_within_stream_limit_seconds: 1 }), 'hamlet', {
    topic: '✔ acts',
    propagate_mode: 'change_all',
  }),
  {
    ...refusesTo(
      'moves between channels have their own limit',
      aged(22, { move_messages_between_streams_limit_seconds: 1 }),
      {},
      /too old to be moved/,
    ),
    call: ['messages.edit', ({ kept, channels }) => ({ message_id: kept.id, stream_id: channels.default })],
  },
  {
    name: 'a topic with some messages too old is refused, with the number that can be moved',
    as: 'hamlet',
    given: async (world) => {
      await saidThree(world);
      world.clock.advance({ seconds: 30 });
      const to = world.channels.public;
      const { id } = await world.as('hamlet').messages.send({ type: 'channel', to, topic: 'acts', content: 'four' });
      world.kept.fourth = id;
      await decides(world, { move_messages_within_stream_limit_seconds: 5 });
    },
    call: editing({ topic: 'scenes', propagate_mode: 'change_all' }),
    refuses: {
      code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
      data: ({ kept }: World) => ({
        first_message_id_allowed_to_move: kept.fourth,
        total_messages_in_topic: 4,
        total_messages_allowed_to_move: 1,
      }),
    },
  },
  {
    name: 'the edit event has the previous content whatever the history policy',
    as: 'hamlet',
    given: aged(0, { message_edit_history_visibility_policy: 'none' }),
    call: editing({ content: 'zwei' }),
    events: ({ kept }) => ({
      cordelia: [
        {
          type: 'update_message',
          message_id: kept.id,
          content: 'zwei',
          orig_content: 'one',
          rendered_content: '<p>zwei</p>',
          orig_rendered_content: '<p>one</p>',
        },
      ],
    }),
  },
]);

const deleting = ['messages.delete', ({ kept }: World) => ({ message_id: kept.id })] as const;

export const deletePolicyCases = cases('messages.delete', [
  {
    name: 'a longer limit lets an older message be deleted',
    as: 'hamlet',
    given: aged(HOUR, { message_content_delete_limit_seconds: HOUR }),
    call: deleting,
    returns: {},
  },
  {
    name: 'a message older than the limit cannot be deleted',
    as: 'hamlet',
    given: aged(HOUR + 1, { message_content_delete_limit_seconds: HOUR }),
    call: deleting,
    refuses: { code: 'BAD_REQUEST', says: /too old to be deleted/ },
  },
  {
    name: 'a user who may delete any message has no time limit',
    as: 'administrator',
    given: aged(22, { message_content_delete_limit_seconds: 1 }),
    call: deleting,
    returns: {},
  },
]);

const sendsWithoutTopic = [
  'messages.send',
  ({ channels }: World) => ({ type: 'channel', to: channels.public, topic: '', content: 'y' }),
] as const;

export const sendPolicyCases = cases('messages.send', [
  {
    name: 'a channel that inherits the policy refuses a message without a topic when topics are required',
    as: 'hamlet',
    given: (world) => decides(world, { topics_policy: 'disable_empty_topic' }),
    call: sendsWithoutTopic,
    refuses: { code: 'BAD_REQUEST', says: /requires a topic/ },
  },
  {
    name: 'a channel that inherits the policy takes a message without a topic when topics are no longer required',
    as: 'hamlet',
    given: async (world) => {
      await decides(world, { topics_policy: 'disable_empty_topic' });
      await decides(world, { topics_policy: 'allow_empty_topic' });
    },
    call: sendsWithoutTopic,
    returns: { id: Number.isInteger },
  },
]);

export const receiptPolicyCases = cases('messages.readReceipts', [
  {
    name: 'read receipts are refused after the organization turned them off again',
    as: 'hamlet',
    given: async (world) => {
      await decides(world, { enable_read_receipts: true });
      await decides(world, { enable_read_receipts: false });
    },
    call: ['messages.readReceipts', ({ messages }) => ({ message_id: messages.ghost })],
    refuses: { code: 'BAD_REQUEST', says: /turned off read receipts/ },
  },
]);
