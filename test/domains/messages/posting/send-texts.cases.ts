import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import { channelSettings, found, posting, refused, stores, writing } from './sending.ts';

/** Forms of content and topic, including the empty topic. */
export const sendTextCases = cases('messages.send', [
  stores(
    'trailing white space and leading newlines of the content are removed',
    posting('public', { content: '\n \n  Boo \n\n' }),
    {
      content: '  Boo',
    },
  ),
  stores(
    'content that is too long is cut with truncate',
    posting('public', { content: 'x'.repeat(10_001), truncate: true }),
    {
      content: `${'x'.repeat(10_000 - 20)}\n[message truncated]`,
    },
  ),
  refused(
    'content that is too long is refused without truncate',
    'hamlet',
    posting('public', { content: 'x'.repeat(10_001), truncate: false }),
    /The content is too long \(limit: 10000 characters\)/,
  ),
  refused('empty content is refused', 'hamlet', posting('public', { content: ' \n ' }), /empty/),
  refused('content with NUL is refused', 'hamlet', posting('public', { content: 'a\0b' }), /NUL/),
  ...['$$\\char0$$', '$$a\\text{\\char"D800}$$', '$$\\char2 0\\char3$$', '```math\n\\char0\n```'].map((content) =>
    stores(
      `a formula of characters that cannot be stored is stored as text: ${JSON.stringify(content)}`,
      posting('public', { content }),
      {
        content,
      },
    ),
  ),
  stores('a topic is trimmed', posting('public', { topic: ' swords ' }), { subject: 'swords' }),
  stores(
    'a topic that is too long is cut with truncate',
    posting('public', { topic: 'x'.repeat(61), truncate: true }),
    {
      subject: `${'x'.repeat(57)}...`,
    },
  ),
  refused(
    'a topic that is too long is refused without truncate',
    'hamlet',
    posting('public', { topic: 'x'.repeat(61), truncate: false }),
    /The topic is too long \(limit: 60 characters\)/,
  ),
  stores('a topic keeps the spelling of its first message', posting('public', { topic: 'GHOSTS' }), {
    subject: 'ghosts',
  }),
  {
    ...stores('a topic without messages takes the spelling of its next message', posting('public', { topic: 'ACTS' }), {
      subject: 'ACTS',
    }),
    given: async ({ as, channels }) => {
      const one = { type: 'channel', to: channels.public, topic: 'acts', content: 'y' } as const;
      const { id } = await as('hamlet').messages.send(one);
      await as('hamlet').messages.delete({ message_id: id });
    },
  },
  stores('(no topic) is the empty topic', posting('public', { topic: '(no topic)' }), { subject: '' }),
  stores('the display name of the empty topic is the empty topic', posting('public', { topic: ' general chat ' }), {
    subject: '',
  }),
  refused(
    'a topic with control characters is refused',
    'hamlet',
    posting('public', { topic: 'gh\u0007ost' }),
    /Character 3/,
  ),
  refused(
    'a channel message without a topic is refused',
    'hamlet',
    ['messages.send', { type: 'channel', to: 'Denmark', content: 'y' }],
    /topic/,
  ),
  stores(
    'subject is the legacy name of topic',
    ['messages.send', { type: 'stream', to: 'Denmark', subject: 'x', content: 'y' }],
    { subject: 'x' },
  ),
  {
    name: 'topic and subject together are refused',
    as: 'hamlet',
    call: ['messages.send', { type: 'stream', to: 'Denmark', subject: 'x', topic: 'x', content: 'y' }],
    refuses: { code: 'REQUEST_CONFUSING_VAR', data: { var_name1: 'topic', var_name2: 'subject' } },
  },
  refused(
    'a channel that requires topics refuses the empty topic',
    'hamlet',
    posting('public', { topic: '' }),
    /general chat/,
    channelSettings('public', { topics_policy: 'disable_empty_topic' }),
  ),
  refused(
    'an empty_topic_only channel refuses any other topic',
    'hamlet',
    posting('public'),
    /general chat/,
    channelSettings('public', { topics_policy: 'empty_topic_only' }),
  ),
  refused(
    'a channel that inherits follows the topics policy of the organization',
    'hamlet',
    posting('public', { topic: '' }),
    /general chat/,
    (world) => world.settings({ topics_policy: 'disable_empty_topic' }),
  ),
  stores('the length of content is counted in code points', posting('public', { content: '🎭'.repeat(10_000) }), {
    content: '🎭'.repeat(10_000),
  }),
  stores('the length of a topic is counted in code points', posting('public', { topic: '🎭'.repeat(60) }), {
    subject: '🎭'.repeat(60),
  }),
  stores('a topic may be empty', posting('public', { topic: '' }), { subject: '' }),
  stores('a topic that is only white space is the empty topic', posting('public', { topic: ' \t ' }), { subject: '' }),
  stores('an empty_topic_only channel accepts the empty topic', posting('quiet', { topic: '' }), { subject: '' }),
  {
    name: 'the display name that the organization has chosen is the empty topic, and the usual one is not',
    as: 'hamlet',
    given: ({ settings }) => settings({ empty_topic_display_name: 'chatter' }),
    call: posting('public', { topic: 'chatter' }),
    state: async (world, { id }) => {
      assert.equal((await found(world, id)).subject, '');
      const other = await world.as('hamlet').messages.send({
        type: 'channel',
        to: 'Denmark',
        topic: 'general chat',
        content: 'y',
      });
      assert.equal((await found(world, other.id)).subject, 'general chat');
    },
  },
  stores('the topic of a direct message is ignored, and counts as supported', writing(['cordelia'], { topic: 'x' }), {
    type: 'private',
    subject: '',
  }),
  {
    name: 'content is rendered to HTML',
    as: 'hamlet',
    call: posting('public', { content: 'a **b**' }),
    state: async (world, { id }) => {
      const { message } = await world.as('hamlet').messages.get({ message_id: id });
      assert.equal(message.content, '<p>a <strong>b</strong></p>');
      assert.equal(message.content_type, 'text/html');
    },
  },
  {
    name: '/me makes a status message',
    as: 'hamlet',
    call: posting('public', { content: '/me shudders' }),
    state: async (world, { id }) => assert.equal((await found(world, id)).is_me_message, true),
  },
  ...['type', 'to', 'content'].map(
    (missing): Case => ({
      name: `${missing} is required`,
      as: 'hamlet',
      call: posting('public', { [missing]: undefined }),
      refuses: { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: missing } },
    }),
  ),
]);
