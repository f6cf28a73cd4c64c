import { type Case, cases } from '../../faces/case.ts';
import { ABSENT } from '../../faces/matching.ts';
import type { World } from '../../faces/world.ts';

const ofGhost = (given: object = {}) =>
  ['messages.history', ({ messages }: World) => ({ message_id: messages.ghost, ...given })] as const;

/** Within the time that its content may be edited. */
const said = async (world: World, topic = 'acts', content = 'one') => {
  const to = world.channels.public;
  const { id } = await world.as('hamlet').messages.send({ type: 'channel', to, topic, content });
  world.kept.id = id;
  world.kept.sent = Math.floor(world.clock.now() / 1000);
};
const edited = (
  world: World,
  change: { content?: string; topic?: string; stream_id?: number },
  as: 'hamlet' | 'moderator' = 'hamlet',
) =>
  world
    .as(as)
    .messages.edit({ message_id: world.kept.id as number, send_notification_to_new_thread: false, ...change });
const ofKept = (given: object = {}) =>
  ['messages.history', ({ kept }: World) => ({ message_id: kept.id, ...given })] as const;

const NOTHING_ELSE = {
  ...{ prev_topic: ABSENT, stream: ABSENT, prev_stream: ABSENT },
  ...{ prev_content: ABSENT, prev_rendered_content: ABSENT, content_html_diff: ABSENT },
};

/** The snapshots of a message of Hamlet's after these changes of his, each ten seconds after the last. */
const after = (
  name: string,
  changes: readonly (Parameters<typeof edited>[1] | ((world: World) => Parameters<typeof edited>[1]))[],
  snapshots: (world: World) => readonly object[],
): Case => ({
  name,
  as: 'cordelia',
  given: async (world) => {
    await said(world);
    for (const change of changes) {
      world.clock.advance({ seconds: 10 });
      await edited(world, typeof change === 'function' ? change(world) : change);
    }
  },
  call: ofKept(),
  returns: (world) => ({ message_history: snapshots(world) }),
});

/** Spec, "Message edit history snapshot". */
const snapshots: Case[] = [
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
  after(
    'the first snapshot of an edited message is the original, in the same five fields',
    [{ content: 'two', topic: 'scenes' }],
    ({ users, kept }) => [
      {
        ...{ topic: 'acts', content: 'one', rendered_content: '<p>one</p>', ...NOTHING_ELSE },
        ...{ timestamp: kept.sent, user_id: users.hamlet },
      },
      {},
    ],
  ),
  after(
    'topic, content, rendered_content, timestamp and user_id are in every snapshot',
    [{ content: 'two' }, { topic: 'scenes' }, ({ channels }) => ({ stream_id: channels.quiet })],
    ({ users, kept }) => {
      const always = (later: number, topic: string, content: string) => ({
        ...{ topic, content, rendered_content: `<p>${content}</p>` },
        ...{ timestamp: (kept.sent as number) + later, user_id: users.hamlet },
      });
      return [
        always(0, 'acts', 'one'),
        always(10, 'acts', 'two'),
        always(20, 'scenes', 'two'),
        always(30, 'scenes', 'two'),
      ];
    },
  ),
  after('content is the Markdown after the edit, rendered_content its HTML', [{ content: '**two**' }], () => [
    { content: 'one', rendered_content: '<p>one</p>' },
    { content: '**two**', rendered_content: '<p><strong>two</strong></p>' },
  ]),
  {
    name: 'timestamp is when the edit was made, in whole seconds, and user_id is who made it',
    as: 'cordelia',
    given: async (world) => {
      await said(world);
      world.clock.advance({ seconds: 61 });
      await edited(world, { topic: 'scenes' }, 'moderator');
    },
    call: ofKept(),
    returns: ({ users, kept }) => ({
      message_history: [
        { timestamp: kept.sent, user_id: users.hamlet },
        { timestamp: (kept.sent as number) + 61, user_id: users.moderator },
      ],
    }),
  },
  {
    name: 'user_id is null where nobody knows any more who edited',
    as: 'cordelia',
    given: async ({ storage, messages }) => {
      await storage.write(async (tx) => {
        const { conversation_id } = (await tx.messages.byId(messages.ghost)) as { conversation_id: number };
        await tx.edits.add({
          ...{ message_id: messages.ghost, conversation_id, prev_conversation_id: conversation_id },
          ...{ up_to_message_id: null, part_of: null, editor_id: null, timestamp: 1_480_000_000 },
          ...{ prev_content: 'old', prev_rendered_content: '<p>old</p>' },
          ...{ prev_topic: null, topic: null, prev_channel_id: null, channel_id: null },
        });
      });
    },
    call: ofGhost(),
    returns: ({ users }) => ({ message_history: [{ user_id: users.hamlet }, { user_id: null }] }),
  },
  after('prev_topic is there only where the topic was edited', [{ topic: 'scenes' }, { content: 'two' }], () => [
    { topic: 'acts', prev_topic: ABSENT },
    { topic: 'scenes', ...NOTHING_ELSE, prev_topic: 'acts' },
    { topic: 'scenes', prev_topic: ABSENT },
  ]),
  after(
    'stream and prev_stream are there only where the channel was edited, with its IDs after and before',
    [({ channels }) => ({ stream_id: channels.quiet }), { topic: 'scenes' }],
    ({ channels }) => [
      { stream: ABSENT, prev_stream: ABSENT },
      { topic: 'acts', ...NOTHING_ELSE, stream: channels.quiet, prev_stream: channels.public },
      { topic: 'scenes', stream: ABSENT, prev_stream: ABSENT },
    ],
  ),
  after(
    'a move to another topic of another channel has both',
    [({ channels }) => ({ stream_id: channels.quiet, topic: 'scenes' })],
    ({ channels }) => [
      NOTHING_ELSE,
      { ...NOTHING_ELSE, prev_topic: 'acts', topic: 'scenes', stream: channels.quiet, prev_stream: channels.public },
    ],
  ),
  after(
    'prev_content, prev_rendered_content and content_html_diff are there only where the content was edited',
    [{ content: '*two*' }, { topic: 'scenes' }],
    () => [
      NOTHING_ELSE,
      {
        ...NOTHING_ELSE,
        ...{ prev_content: 'one', prev_rendered_content: '<p>one</p>' },
        content_html_diff: (one: unknown) => typeof one === 'string',
      },
      { prev_content: ABSENT, prev_rendered_content: ABSENT, content_html_diff: ABSENT },
    ],
  ),
  after(
    'content_html_diff is an HTML difference from the version before, not from the original',
    [{ content: 'two' }, { content: 'three' }],
    () => [
      {},
      {
        content_html_diff:
          /^<div><p><span class="highlight_text_deleted">one<\/span><span class="highlight_text_inserted">two<\/span><\/p><\/div>$/,
      },
      {
        prev_content: 'two',
        content_html_diff: /highlight_text_deleted">two<.*highlight_text_inserted">three</,
      },
    ],
  ),
  after('an edit of topic and content at once is one snapshot with both', [{ content: 'two', topic: 'scenes' }], () => [
    { topic: 'acts', content: 'one' },
    { topic: 'scenes', content: 'two', prev_topic: 'acts', prev_content: 'one', stream: ABSENT },
  ]),
  after('an edit that changes nothing leaves no snapshot', [{ content: 'one ', topic: ' acts' }], () => [NOTHING_ELSE]),
];

/** Spec, "GET /messages/{message_id}/history"; the organization's choice by reference 6.15. */
const answers: Case[] = [
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
    name: 'message_id is an integer',
    as: 'hamlet',
    call: ['messages.history', { message_id: 'first' }],
    only: 'HTTP',
    refuses: { code: 'BAD_REQUEST', status: 404 },
  },
  ...[undefined, false].map(
    (allow_empty_topic_name): Case => ({
      name:
        allow_empty_topic_name === undefined
          ? 'allow_empty_topic_name is false when it is left out'
          : 'an empty topic is replaced by its display name, in topic and in prev_topic',
      as: 'hamlet',
      given: async (world) => {
        await said(world, '');
        await edited(world, { topic: 'acts' });
      },
      call: ofKept(allow_empty_topic_name === undefined ? {} : { allow_empty_topic_name }),
      returns: { message_history: [{ topic: 'general chat' }, { topic: 'acts', prev_topic: 'general chat' }] },
    }),
  ),
  {
    name: 'the display name of the empty topic is the one the organization has chosen',
    as: 'hamlet',
    given: async (world) => {
      await world.settings({ empty_topic_display_name: 'chatter' });
      await said(world, '');
      await edited(world, { topic: 'general chat' });
    },
    call: ofKept(),
    returns: { message_history: [{ topic: 'chatter' }, { topic: 'general chat', prev_topic: 'chatter' }] },
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
    name: 'allow_empty_topic_name is a boolean',
    as: 'hamlet',
    call: ofGhost({ allow_empty_topic_name: 'yes' }),
    refuses: { code: 'BAD_REQUEST', says: /allow_empty_topic_name/ },
  },
  {
    name: 'parameters that it does not support are listed in ignored_parameters_unsupported',
    as: 'hamlet',
    call: ofGhost({ limit: 3, after: 'never' }),
    returns: { message_history: [{}], ignored_parameters_unsupported: ['after', 'limit'] },
  },
  {
    name: 'a message that does not exist is refused',
    as: 'hamlet',
    call: ['messages.history', { message_id: 999_999 }],
    refuses: { code: 'BAD_REQUEST' },
  },
  {
    name: 'a message out of sight is refused like one that does not exist',
    as: 'hamlet',
    call: ['messages.history', ({ messages }) => ({ message_id: messages.vaultAfter })],
    refuses: { code: 'BAD_REQUEST', says: /^There is no message with ID \d+ that you can access/ },
  },
  {
    name: 'a deleted message has no history any more',
    as: 'hamlet',
    given: async (world) => {
      await said(world);
      await edited(world, { content: 'two' });
      await world.as('hamlet').messages.delete({ message_id: world.kept.id as number });
    },
    call: ofKept(),
    refuses: { code: 'BAD_REQUEST' },
  },
  {
    name: 'the organization may have disabled edit history',
    as: 'hamlet',
    given: ({ settings }) => settings({ message_edit_history_visibility_policy: 'none' }),
    call: ofGhost(),
    refuses: { code: 'BAD_REQUEST' },
  },
  {
    name: 'where only moves are shown, edits of the content are left out and every snapshot has the present content',
    as: 'cordelia',
    given: async (world) => {
      await said(world);
      await edited(world, { content: 'two' });
      await edited(world, { content: 'three', topic: 'scenes' });
      await world.settings({ message_edit_history_visibility_policy: 'moves' });
    },
    call: ofKept(),
    returns: {
      message_history: [
        { topic: 'acts', content: 'three', ...NOTHING_ELSE },
        { topic: 'scenes', content: 'three', ...NOTHING_ELSE, prev_topic: 'acts' },
      ],
    },
  },
  {
    name: 'history can be read in archived channels',
    as: 'hamlet',
    call: ['messages.history', ({ messages }) => ({ message_id: messages.ruins })],
    returns: { message_history: [{ topic: 'stones', content: 'Nothing stands here.' }] },
  },
  {
    name: 'a direct message has the empty topic throughout',
    as: 'cordelia',
    given: async (world) => {
      const to = [world.users.cordelia];
      world.kept.id = (await world.as('hamlet').messages.send({ type: 'direct', to, content: 'dear' })).id;
      await edited(world, { content: 'dearest' });
    },
    call: ofKept(),
    returns: {
      message_history: [
        { topic: '', content: 'dear' },
        { topic: '', content: 'dearest', prev_topic: ABSENT },
      ],
    },
  },
  {
    name: 'who does not take part in a direct message does not see its history, not even an owner',
    as: 'owner',
    call: ['messages.history', ({ messages }) => ({ message_id: messages.direct })],
    refuses: { code: 'BAD_REQUEST' },
  },
  after('a message edited to nothing shows an empty difference', [{ content: '' }], () => [
    {},
    { content: '(deleted)', prev_content: 'one', content_html_diff: '<div></div>' },
  ]),
];

export const getMessageHistoryCases = cases('messages.history', [...snapshots, ...answers]);
