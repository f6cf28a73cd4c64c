import { type Case, cases } from '../../../world/case.ts';
import { ABSENT } from '../../../world/matching.ts';
import { after, edited, NOTHING_ELSE, ofGhost, ofKept, said } from './histories.ts';

export const getMessageHistoryCases = cases('messages.history', [
  {
    name: 'snapshots are ordered oldest first, and have prev_ fields only for what was edited',
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
          topic: 'acts',
          content: 'two',
          rendered_content: '<p>two</p>',
          ...NOTHING_ELSE,
          prev_content: 'one',
          prev_rendered_content: '<p>one</p>',
          content_html_diff:
            /^<div><p><span class="highlight_text_deleted">one<\/span><span class="highlight_text_inserted">two/,
        },
        { topic: 'scenes', content: 'two', ...NOTHING_ELSE, prev_topic: 'acts' },
        { topic: 'scenes', content: 'two', ...NOTHING_ELSE, stream: channels.default, prev_stream: channels.public },
      ],
    }),
  },
  {
    name: 'a message_id that is not an integer is refused with status 404',
    as: 'hamlet',
    call: ['messages.history', { message_id: 'first' }],
    only: 'HTTP',
    refuses: { code: 'NOT_FOUND', status: 404 },
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
    name: 'allow_empty_topic_name with another value than a boolean is refused',
    as: 'hamlet',
    call: ofGhost({ allow_empty_topic_name: 'yes' }),
    refuses: { code: 'BAD_REQUEST', says: /allow_empty_topic_name/ },
  },
  {
    name: 'unsupported parameters are listed in ignored_parameters_unsupported',
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
    name: 'a message the caller cannot read is refused like a missing one',
    as: 'hamlet',
    call: ['messages.history', ({ messages }) => ({ message_id: messages.vaultAfter })],
    refuses: { code: 'BAD_REQUEST', says: /^There is no message with ID \d+ that you can access/ },
  },
  {
    name: 'the history of a deleted message is refused',
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
    name: 'the history is refused when the history policy is "none"',
    as: 'hamlet',
    given: ({ settings }) => settings({ message_edit_history_visibility_policy: 'none' }),
    call: ofGhost(),
    refuses: { code: 'BAD_REQUEST' },
  },
  {
    name: 'the history policy "moves" leaves out content edits, and each snapshot has the present content',
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
    name: 'each snapshot of a direct message has the empty topic',
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
    name: 'an owner cannot see the history of a direct message of others',
    as: 'owner',
    call: ['messages.history', ({ messages }) => ({ message_id: messages.direct })],
    refuses: { code: 'BAD_REQUEST' },
  },
  after(
    'H11: a message edited to empty content shows its text as deleted and "(deleted)" as inserted',
    [{ content: '' }],
    () => [
      {},
      { content: '(deleted)', prev_content: 'one', content_html_diff: /_deleted">one<.*_inserted">\(deleted\)</ },
    ],
  ),
]);
