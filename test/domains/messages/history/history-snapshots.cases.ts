import { cases } from '../../../world/case.ts';
import { ABSENT } from '../../../world/matching.ts';
import { after, edited, NOTHING_ELSE, ofGhost, ofKept, said } from './histories.ts';

/** Fields of each snapshot. */
export const historySnapshotCases = cases('messages.history', [
  {
    name: 'a message that was never edited has one snapshot of five fields',
    as: 'cordelia',
    call: ofGhost(),
    returns: ({ users }) => ({
      message_history: [
        {
          topic: 'ghosts',
          content: 'Something is **rotten** here.',
          user_id: users.hamlet,
          ...NOTHING_ELSE,
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
        topic: 'acts',
        content: 'one',
        rendered_content: '<p>one</p>',
        ...NOTHING_ELSE,
        timestamp: kept.sent,
        user_id: users.hamlet,
      },
      {},
    ],
  ),
  after(
    'topic, content, rendered_content, timestamp and user_id are in every snapshot',
    [{ content: 'two' }, { topic: 'scenes' }, ({ channels }) => ({ stream_id: channels.quiet })],
    ({ users, kept }) => {
      const always = (later: number, topic: string, content: string) => ({
        topic,
        content,
        rendered_content: `<p>${content}</p>`,
        timestamp: (kept.sent as number) + later,
        user_id: users.hamlet,
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
    name: 'user_id is null for an edit whose editor is unknown',
    as: 'cordelia',
    given: async ({ storage, messages }) => {
      await storage.write(async (tx) => {
        const { conversation_id } = (await tx.messages.byId(messages.ghost)) as { conversation_id: number };
        await tx.edits.add({
          message_id: messages.ghost,
          conversation_id,
          prev_conversation_id: conversation_id,
          up_to_message_id: null,
          part_of: null,
          editor_id: null,
          timestamp: 1_480_000_000,
          prev_content: 'old',
          prev_rendered_content: '<p>old</p>',
          prev_topic: null,
          topic: null,
          prev_channel_id: null,
          channel_id: null,
        });
      });
    },
    call: ofGhost(),
    returns: ({ users }) => ({ message_history: [{ user_id: users.hamlet }, { user_id: null }] }),
  },
  after('prev_topic is only in snapshots of topic edits', [{ topic: 'scenes' }, { content: 'two' }], () => [
    { topic: 'acts', prev_topic: ABSENT },
    { topic: 'scenes', ...NOTHING_ELSE, prev_topic: 'acts' },
    { topic: 'scenes', prev_topic: ABSENT },
  ]),
  after(
    'stream and prev_stream are only in snapshots of moves between channels, with both channel IDs',
    [({ channels }) => ({ stream_id: channels.quiet }), { topic: 'scenes' }],
    ({ channels }) => [
      { stream: ABSENT, prev_stream: ABSENT },
      { topic: 'acts', ...NOTHING_ELSE, stream: channels.quiet, prev_stream: channels.public },
      { topic: 'scenes', stream: ABSENT, prev_stream: ABSENT },
    ],
  ),
  after(
    'a move to another topic of another channel has prev_topic, stream and prev_stream',
    [({ channels }) => ({ stream_id: channels.quiet, topic: 'scenes' })],
    ({ channels }) => [
      NOTHING_ELSE,
      { ...NOTHING_ELSE, prev_topic: 'acts', topic: 'scenes', stream: channels.quiet, prev_stream: channels.public },
    ],
  ),
  after(
    'prev_content, prev_rendered_content and content_html_diff are only in snapshots of content edits',
    [{ content: '*two*' }, { topic: 'scenes' }],
    () => [
      NOTHING_ELSE,
      {
        ...NOTHING_ELSE,
        prev_content: 'one',
        prev_rendered_content: '<p>one</p>',
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
  after('an edit to the present topic leaves no snapshot', [{ topic: ' acts' }], () => [NOTHING_ELSE]),
  after('an edit to the present content is a snapshot', [{ content: 'one ' }], () => [
    NOTHING_ELSE,
    { content: 'one', prev_content: 'one' },
  ]),
]);
