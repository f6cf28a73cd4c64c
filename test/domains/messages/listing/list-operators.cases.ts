import { type Case, cases } from '../../../world/case.ts';
import type { World } from '../../../world/world.ts';
import { list, narrowed, not, said } from './listing.ts';

const everything = ['ghost', 'ghostReply', 'council', 'harbour', 'ruins', 'direct', 'group'] as const;
const allBut = (...names: (typeof everything)[number][]) => everything.filter((one) => !names.includes(one));

/** Results of each operator and of its negation for Hamlet, and for users with other access. */
export const listOperatorCases = cases('messages.list', [
  list(
    'a negated channel leaves its messages out',
    'hamlet',
    narrowed(not('channel', 'Denmark')),
    ...allBut('ghost', 'ghostReply'),
  ),
  list(
    'a negated channel adds no messages the caller did not receive',
    'guest',
    narrowed(not('channel', 'Harbour')),
    'vaultAfter',
  ),
  {
    ...list(
      'a text of digits means a channel name first, then an ID',
      'hamlet',
      ({ channels }) => narrowed(['channel', String(channels.shared)]),
      'ghost',
      'ghostReply',
    ),
    given: ({ as, channels }) =>
      as('owner').channels.edit({ stream_id: channels.public, new_name: String(channels.shared) }),
  },
  list('two channel terms find no message', 'hamlet', narrowed(['channel', 'Denmark'], ['channel', 'Council'])),
  list(
    'the same channel twice counts once',
    'hamlet',
    narrowed(['channel', 'Council'], ['stream', 'council']),
    'council',
  ),
  list(
    'channels:public is the history of all public channels',
    'newcomer',
    narrowed(['channels', 'public']),
    'ghost',
    'ghostReply',
    'harbour',
    'ruins',
  ),
  list(
    'channels:public gives a guest only messages they received',
    'guest',
    narrowed(['streams', 'public']),
    'harbour',
  ),
  list(
    'channels:web-public is the history of all web-public channels',
    'newcomer',
    narrowed(['channels', 'web-public']),
    'harbour',
  ),
  list(
    'channels:archived is the messages the caller received in archived channels',
    'hamlet',
    narrowed(['channels', 'archived']),
    'ruins',
  ),
  list(
    'negated channels:public is private channels and direct messages',
    'hamlet',
    narrowed(not('channels', 'public')),
    'council',
    'direct',
    'group',
  ),
  list(
    'a topic without a channel finds received messages of any channel',
    'hamlet',
    narrowed(['topic', 'Ghosts']),
    'ghost',
    'ghostReply',
  ),
  list(
    'a topic without a channel adds no messages the caller did not receive',
    'newcomer',
    narrowed(['topic', 'ghosts']),
  ),
  list(
    'a topic without a channel finds only received messages of protected history',
    'guest',
    narrowed(['topic', 'gold']),
    'vaultAfter',
  ),
  list('a negated topic leaves its messages out', 'hamlet', narrowed(not('topic', 'GHOSTS'), ['stream', 'Denmark'])),
  list(
    'a negated topic without a channel leaves its messages out in every channel',
    'hamlet',
    narrowed(not('subject', 'ghosts')),
    ...allBut('ghost', 'ghostReply'),
  ),
  list('two topics have no message in common', 'hamlet', narrowed(['topic', 'ghosts'], ['topic', 'plans'])),
  list('dm takes a user ID as text', 'hamlet', ({ users }) => narrowed(['dm', String(users.cordelia)]), 'direct'),
  list(
    "dm takes several user IDs, the caller's own among them",
    'hamlet',
    ({ users }) => narrowed({ operator: 'pm-with', operand: [users.cordelia, users.hamlet, users.moderator] }),
    'group',
  ),
  list(
    'a negated conversation leaves its messages out',
    'hamlet',
    narrowed(not('dm', 'cordelia@example.com')),
    ...allBut('direct'),
  ),
  list(
    'two conversations have no message in common',
    'hamlet',
    narrowed(['dm', 'cordelia@example.com'], ['dm', 'moderator@example.com']),
  ),
  list(
    'dm-including finds every conversation with the user',
    'hamlet',
    ({ users }) => narrowed({ operator: 'dm-including', operand: users.cordelia }),
    'direct',
    'group',
  ),
  list(
    "dm-including with the caller's own ID finds every direct message",
    'hamlet',
    narrowed(['dm-including', 'me']),
    'direct',
    'group',
  ),
  list('dm-including adds no conversation of others', 'newcomer', narrowed(['dm-including', 'cordelia@example.com'])),
  list(
    'negated dm-including leaves out every conversation with the user',
    'hamlet',
    narrowed(not('dm-including', 'moderator@example.com'), ['is', 'dm']),
    'direct',
  ),
  list(
    'group-pm-with is conversations of three and more',
    'hamlet',
    narrowed(['group-pm-with', 'cordelia@example.com']),
    'group',
  ),
  list('sender:me is the caller', 'cordelia', narrowed(['sender', 'me']), 'ghostReply', 'vaultBefore', 'vaultAfter'),
  list('from means the same as sender', 'hamlet', narrowed(['from', 'cordelia@example.com']), 'ghostReply'),
  list('a negated sender leaves out the messages of the user', 'hamlet', narrowed(not('sender', 'me')), 'ghostReply'),
  list(
    'two senders have no message in common',
    'hamlet',
    narrowed(['sender', 'me'], ['sender', 'cordelia@example.com']),
  ),
  list('is:private means the same as is:dm', 'hamlet', narrowed(['is', 'private']), 'direct', 'group'),
  list('negated is:dm is channel messages', 'hamlet', narrowed(not('is', 'dm')), ...allBut('direct', 'group')),
  list('negated is:dm adds no channel message', 'newcomer', narrowed(not('is', 'dm'))),
  {
    ...list(
      'is:starred with a channel finds the starred messages of the channel',
      'hamlet',
      narrowed(['is', 'starred'], ['channel', 'Council']),
      'council',
    ),
    given: ({ as, messages }) =>
      as('hamlet').messages.updateFlags({ messages: [messages.council, messages.direct], op: 'add', flag: 'starred' }),
  },
  {
    ...list(
      'negated is:starred leaves starred messages out',
      'hamlet',
      narrowed(not('is', 'starred')),
      ...allBut('council'),
    ),
    given: ({ as, messages }) =>
      as('hamlet').messages.updateFlags({ messages: [messages.council], op: 'add', flag: 'starred' }),
  },
  said(
    'is:mentioned finds personal and wildcard mentions',
    'cordelia',
    ['Dear @**Cordelia**', 'plain', 'Dear @**all**', 'Dear @**topic**'],
    [
      ['is', 'mentioned'],
      ['topic', 'words'],
    ],
    [0, 2],
  ),
  said(
    'negated is:mentioned leaves out personal and wildcard mentions',
    'cordelia',
    ['Dear @**Cordelia**', 'plain', 'Dear @**all**'],
    [not('is', 'mentioned'), ['topic', 'words']],
    [1],
  ),
  list('is:alerted finds messages with an alert word', 'hamlet', narrowed(['is', 'alerted'])),
  list(
    'negated is:alerted finds messages without an alert word',
    'hamlet',
    narrowed(not('is', 'alerted'), ['is', 'dm']),
    'direct',
    'group',
  ),
  ...(
    [
      ['negated is:unread finds read messages', not('is', 'unread'), ['direct']],
      ['is:read finds read messages', ['is', 'read'], ['direct']],
      [
        'negated is:read finds unread messages',
        not('is', 'read'),
        ['ghost', 'ghostReply', 'vaultBefore', 'vaultAfter', 'group'],
      ],
    ] as const
  ).map(([name, term, found]) => ({
    ...list(name, 'cordelia', narrowed(term), ...found),
    given: ({ as, messages }: World) =>
      as('cordelia').messages.updateFlags({ messages: [messages.direct], op: 'add', flag: 'read' }),
  })),
  {
    ...list(
      'is:resolved finds messages of resolved topics',
      'hamlet',
      narrowed(['is', 'resolved']),
      'ghost',
      'ghostReply',
    ),
    given: ({ as, messages }) =>
      as('hamlet').messages.edit({
        message_id: messages.ghost,
        topic: '✔ ghosts',
        propagate_mode: 'change_all',
        send_notification_to_new_thread: false,
      }),
  },
  list(
    'negated is:resolved finds messages of topics that are not resolved',
    'hamlet',
    narrowed(not('is', 'resolved')),
    ...everything,
  ),
  list(
    'is:followed finds messages of followed topics, even those followed automatically',
    'cordelia',
    narrowed(['is', 'followed']),
    'vaultBefore',
    'vaultAfter',
  ),
  {
    ...list(
      'negated is:followed finds messages of topics that are not followed',
      'hamlet',
      narrowed(not('is', 'followed')),
      'direct',
      'group',
    ),
    given: ({ as, channels }) =>
      as('cordelia').userTopics.set({ stream_id: channels.public, topic: 'ghosts', visibility_policy: 3 }),
  },
  {
    ...list('is:muted finds messages of muted channels', 'hamlet', narrowed(['is', 'muted']), 'ghost', 'ghostReply'),
    given: muteDenmark,
  },
  {
    ...list(
      'negated is:muted finds messages outside muted channels',
      'hamlet',
      narrowed(not('is', 'muted')),
      ...allBut('ghost', 'ghostReply'),
    ),
    given: muteDenmark,
  },
  {
    ...list(
      'in:home finds messages outside muted channels',
      'hamlet',
      narrowed(['in', 'home']),
      ...allBut('ghost', 'ghostReply'),
    ),
    given: muteDenmark,
  },
  {
    ...list('in:all includes messages of muted channels', 'hamlet', narrowed(['in', 'all']), ...everything),
    given: muteDenmark,
  },
  {
    ...list('has:reaction finds messages with a reaction', 'hamlet', narrowed(['has', 'reaction']), 'ghost'),
    given: ({ as, messages }) =>
      as('cordelia').messages.addReaction({ message_id: messages.ghost, emoji_name: 'tada' }),
  },
  {
    ...list(
      'negated has:reaction finds messages without a reaction',
      'hamlet',
      narrowed(not('has', 'reaction')),
      ...allBut('ghost'),
    ),
    given: ({ as, messages }) =>
      as('cordelia').messages.addReaction({ message_id: messages.ghost, emoji_name: 'tada' }),
  },
  has('has:link finds messages with any link', 'See https://example.com/a.', ['has', 'link'], true),
  has('has:link does not find a link to a channel', 'See #**Denmark**.', ['has', 'link'], false),
  has('has:link does not find text that only looks like a link', '`<a href="x">`', ['has', 'link'], false),
  has('negated has:link finds messages without a link', 'See https://example.com/a.', not('has', 'link'), false),
  has('has:image finds messages that show an image', 'https://example.com/a.png', ['has', 'image'], true),
  has('has:image does not find an emoji', ':tada:', ['has', 'image'], false),
  has('negated has:image finds messages without an image', 'https://example.com/a.png', not('has', 'image'), false),
  has(
    'has:attachment finds messages that link to an upload',
    '[a.txt](/user_uploads/2/ab/a.txt)',
    ['has', 'attachment'],
    true,
  ),
  has('has:attachment does not find other links', 'https://example.com/user_uploads/', ['has', 'attachment'], false),
  has(
    'negated has:attachment finds messages without a link to an upload',
    '[a.txt](/user_uploads/2/ab/a.txt)',
    not('has', 'attachment'),
    false,
  ),
  list('id takes a message ID as text', 'hamlet', ({ messages }) => narrowed(['id', String(messages.ghost)]), 'ghost'),
  list(
    'id finds a message the caller can read but never received',
    'newcomer',
    ({ messages }) => narrowed(['id', messages.ghost]),
    'ghost',
  ),
  list('a message of an id term must match all other terms', 'hamlet', ({ messages }) =>
    narrowed(['id', messages.ghost], ['channel', 'Council']),
  ),
  list('two id terms find no message', 'hamlet', ({ messages }) =>
    narrowed(['id', messages.ghost], ['id', messages.council]),
  ),
  list(
    'a negated id leaves the message out',
    'hamlet',
    ({ messages }) => narrowed(not('id', messages.ghost)),
    ...allBut('ghost'),
  ),
  list('a negated id adds no messages the caller did not receive', 'newcomer', ({ messages }) =>
    narrowed(not('id', messages.ghost)),
  ),
  list('near leaves no message out', 'hamlet', ({ messages }) => narrowed(['near', messages.ghost]), ...everything),
  list(
    'negated near leaves no message out',
    'hamlet',
    ({ messages }) => narrowed(not('near', String(messages.ghost))),
    ...everything,
  ),
  list(
    'with finds the conversation of a channel message',
    'hamlet',
    ({ messages }) => narrowed(['with', messages.ghostReply]),
    'ghost',
    'ghostReply',
  ),
  list(
    'with finds the conversation of a direct message',
    'cordelia',
    ({ messages }) => narrowed(['with', messages.direct]),
    'direct',
  ),
  list(
    "with finds only the reader's part of protected history",
    'guest',
    ({ messages }) => narrowed(['with', messages.vaultAfter]),
    'vaultAfter',
  ),
  list(
    'with overrides the channel and topic of the narrow',
    'hamlet',
    ({ messages }) => narrowed(['with', messages.ghost], ['channel', 'Elba'], ['topic', 'plans']),
    'ghost',
    'ghostReply',
  ),
  list(
    'with keeps the terms that name no channel, topic or conversation',
    'hamlet',
    ({ messages }) => narrowed(['with', messages.ghost], ['sender', 'me']),
    'ghost',
  ),
  list(
    'with a message the caller cannot read keeps the channel and topic of the narrow',
    'hamlet',
    ({ messages }) => narrowed(['with', messages.vaultAfter], ['channel', 'Denmark'], ['topic', 'ghosts']),
    'ghost',
    'ghostReply',
  ),
  list(
    'negated with leaves the conversation out',
    'hamlet',
    ({ messages }) => narrowed(not('with', messages.ghost)),
    ...allBut('ghost', 'ghostReply'),
  ),
  list(
    'negated with of a message the caller cannot read leaves nothing out',
    'hamlet',
    ({ messages }) => narrowed(not('with', messages.vaultAfter)),
    ...everything,
  ),
  list(
    'operators and words are read in any case',
    'hamlet',
    narrowed(['IS', 'DM'], ['Sender', 'ME']),
    'direct',
    'group',
  ),
  {
    ...list(
      'negation does not find messages of a channel the caller can no longer read',
      'cordelia',
      narrowed(not('sender', 'me'), not('is', 'dm')),
      'ghost',
    ),
    given: ({ as, users }) =>
      as('owner').subscriptions.remove({ subscriptions: ['Vault'], principals: [users.cordelia] }),
  },
]);

async function muteDenmark({ as, channels }: World) {
  // They started the topic, so they follow it, and it would still be shown.
  await as('hamlet').userTopics.set({ stream_id: channels.public, topic: 'ghosts', visibility_policy: 0 });
  return as('hamlet').subscriptions.updateProperties({
    subscription_data: [{ stream_id: channels.public, property: 'is_muted', value: true }],
  });
}

/** Whether the term matches a message with this content. */
function has(name: string, content: string, term: unknown, holds: boolean): Case {
  return said(name, 'hamlet', [content], [term, ['topic', 'words']], holds ? [0] : []);
}
