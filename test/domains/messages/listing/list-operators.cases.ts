import { type Case, cases } from '../../../world/case.ts';
import type { World } from '../../../world/world.ts';
import { list, narrowed, not, said } from './listing.ts';

const everything = ['ghost', 'ghostReply', 'council', 'harbour', 'ruins', 'direct', 'group'] as const;
const allBut = (...names: (typeof everything)[number][]) => everything.filter((one) => !names.includes(one));

/** Each operator, and the same negated, as hamlet has it unless somebody else sees more or less. */
export const listOperatorCases = cases('messages.list', [
  list(
    'a negated channel leaves its messages out',
    'hamlet',
    narrowed(not('channel', 'Denmark')),
    ...allBut('ghost', 'ghostReply'),
  ),
  list(
    'a negated channel adds nothing one did not receive',
    'guest',
    narrowed(not('channel', 'Harbour')),
    'vaultAfter',
  ),
  {
    ...list(
      'a text of digits is the name of a channel before it is an ID',
      'hamlet',
      ({ channels }) => narrowed(['channel', String(channels.shared)]),
      'ghost',
      'ghostReply',
    ),
    given: ({ as, channels }) =>
      as('owner').channels.edit({ stream_id: channels.public, new_name: String(channels.shared) }),
  },
  list('two channels have no message in common', 'hamlet', narrowed(['channel', 'Denmark'], ['channel', 'Council'])),
  list('the same channel twice is once', 'hamlet', narrowed(['channel', 'Council'], ['stream', 'council']), 'council'),
  list(
    'channels:public is the history of all public channels',
    'newcomer',
    narrowed(['channels', 'public']),
    'ghost',
    'ghostReply',
    'harbour',
    'ruins',
  ),
  list('for a guest channels:public is what they received there', 'guest', narrowed(['streams', 'public']), 'harbour'),
  list('channels:web-public is the history of these', 'newcomer', narrowed(['channels', 'web-public']), 'harbour'),
  list(
    'channels:archived is what one received in archived ones',
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
    'a topic alone is of any channel one received it in',
    'hamlet',
    narrowed(['topic', 'Ghosts']),
    'ghost',
    'ghostReply',
  ),
  list('a topic alone adds nothing one did not receive', 'newcomer', narrowed(['topic', 'ghosts'])),
  list(
    'a topic alone keeps to what one received of protected history',
    'guest',
    narrowed(['topic', 'gold']),
    'vaultAfter',
  ),
  list('a negated topic', 'hamlet', narrowed(not('topic', 'GHOSTS'), ['stream', 'Denmark'])),
  list(
    'a negated topic of every channel',
    'hamlet',
    narrowed(not('subject', 'ghosts')),
    ...allBut('ghost', 'ghostReply'),
  ),
  list('two topics have no message in common', 'hamlet', narrowed(['topic', 'ghosts'], ['topic', 'plans'])),
  list(
    'direct messages with somebody by ID as text',
    'hamlet',
    ({ users }) => narrowed(['dm', String(users.cordelia)]),
    'direct',
  ),
  list(
    'direct messages with several by ID, oneself among them',
    'hamlet',
    ({ users }) => narrowed({ operator: 'pm-with', operand: [users.cordelia, users.hamlet, users.moderator] }),
    'group',
  ),
  list('a negated conversation', 'hamlet', narrowed(not('dm', 'cordelia@example.com')), ...allBut('direct')),
  list(
    'two conversations have no message in common',
    'hamlet',
    narrowed(['dm', 'cordelia@example.com'], ['dm', 'moderator@example.com']),
  ),
  list(
    'dm-including is every conversation with somebody',
    'hamlet',
    ({ users }) => narrowed({ operator: 'dm-including', operand: users.cordelia }),
    'direct',
    'group',
  ),
  list('dm-including oneself is every direct message', 'hamlet', narrowed(['dm-including', 'me']), 'direct', 'group'),
  list('dm-including adds no conversation of others', 'newcomer', narrowed(['dm-including', 'cordelia@example.com'])),
  list(
    'negated dm-including',
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
  list('sender:me is oneself', 'cordelia', narrowed(['sender', 'me']), 'ghostReply', 'vaultBefore', 'vaultAfter'),
  list('from is another word for sender', 'hamlet', narrowed(['from', 'cordelia@example.com']), 'ghostReply'),
  list('a negated sender', 'hamlet', narrowed(not('sender', 'me')), 'ghostReply'),
  list(
    'two senders have no message in common',
    'hamlet',
    narrowed(['sender', 'me'], ['sender', 'cordelia@example.com']),
  ),
  list('is:private is another word for is:dm', 'hamlet', narrowed(['is', 'private']), 'direct', 'group'),
  list('negated is:dm is channel messages', 'hamlet', narrowed(not('is', 'dm')), ...allBut('direct', 'group')),
  list('negated is:dm adds no channel message', 'newcomer', narrowed(not('is', 'dm'))),
  {
    ...list('is:starred, and in a channel', 'hamlet', narrowed(['is', 'starred'], ['channel', 'Council']), 'council'),
    given: ({ as, messages }) =>
      as('hamlet').messages.updateFlags({ messages: [messages.council, messages.direct], op: 'add', flag: 'starred' }),
  },
  {
    ...list('negated is:starred', 'hamlet', narrowed(not('is', 'starred')), ...allBut('council')),
    given: ({ as, messages }) =>
      as('hamlet').messages.updateFlags({ messages: [messages.council], op: 'add', flag: 'starred' }),
  },
  said(
    'is:mentioned has personal mentions and those of everybody',
    'cordelia',
    ['Dear @**Cordelia**', 'plain', 'Dear @**all**', 'Dear @**topic**'],
    [
      ['is', 'mentioned'],
      ['topic', 'words'],
    ],
    [0, 2],
  ),
  said(
    'negated is:mentioned has neither',
    'cordelia',
    ['Dear @**Cordelia**', 'plain', 'Dear @**all**'],
    [not('is', 'mentioned'), ['topic', 'words']],
    [1],
  ),
  list('is:alerted is messages with an alert word', 'hamlet', narrowed(['is', 'alerted'])),
  list('negated is:alerted is the others', 'hamlet', narrowed(not('is', 'alerted'), ['is', 'dm']), 'direct', 'group'),
  ...(
    [
      ['negated is:unread is what one has read', not('is', 'unread'), ['direct']],
      ['is:read is the same', ['is', 'read'], ['direct']],
      [
        'negated is:read is what one has not read',
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
    ...list('is:resolved is topics marked so', 'hamlet', narrowed(['is', 'resolved']), 'ghost', 'ghostReply'),
    given: ({ as, messages }) =>
      as('hamlet').messages.edit({
        message_id: messages.ghost,
        topic: '✔ ghosts',
        propagate_mode: 'change_all',
        send_notification_to_new_thread: false,
      }),
  },
  list('negated is:resolved is all the others', 'hamlet', narrowed(not('is', 'resolved')), ...everything),
  list(
    'is:followed is topics that one has followed, be it by starting them',
    'cordelia',
    narrowed(['is', 'followed']),
    'vaultBefore',
    'vaultAfter',
  ),
  {
    ...list('negated is:followed is all the others', 'hamlet', narrowed(not('is', 'followed')), 'direct', 'group'),
    given: ({ as, channels }) =>
      as('cordelia').userTopics.set({ stream_id: channels.public, topic: 'ghosts', visibility_policy: 3 }),
  },
  {
    ...list('is:muted is muted channels', 'hamlet', narrowed(['is', 'muted']), 'ghost', 'ghostReply'),
    given: muteDenmark,
  },
  {
    ...list(
      'negated is:muted is all the others',
      'hamlet',
      narrowed(not('is', 'muted')),
      ...allBut('ghost', 'ghostReply'),
    ),
    given: muteDenmark,
  },
  {
    ...list('in:home is the same', 'hamlet', narrowed(['in', 'home']), ...allBut('ghost', 'ghostReply')),
    given: muteDenmark,
  },
  {
    ...list('without a term muted channels are listed too', 'hamlet', narrowed(['in', 'all']), ...everything),
    given: muteDenmark,
  },
  {
    ...list('has:reaction', 'hamlet', narrowed(['has', 'reaction']), 'ghost'),
    given: ({ as, messages }) =>
      as('cordelia').messages.addReaction({ message_id: messages.ghost, emoji_name: 'tada' }),
  },
  {
    ...list('negated has:reaction', 'hamlet', narrowed(not('has', 'reaction')), ...allBut('ghost')),
    given: ({ as, messages }) =>
      as('cordelia').messages.addReaction({ message_id: messages.ghost, emoji_name: 'tada' }),
  },
  has('has:link is any link', 'See https://example.com/a.', ['has', 'link'], true),
  has('has:link is not a channel that is named', 'See #**Denmark**.', ['has', 'link'], false),
  has('has:link is not what only looks like one', '`<a href="x">`', ['has', 'link'], false),
  has('negated has:link', 'See https://example.com/a.', not('has', 'link'), false),
  has('has:image is an image shown', 'https://example.com/a.png', ['has', 'image'], true),
  has('has:image is not an emoji', ':tada:', ['has', 'image'], false),
  has('negated has:image', 'https://example.com/a.png', not('has', 'image'), false),
  has('has:attachment is a link to an upload', '[a.txt](/user_uploads/2/ab/a.txt)', ['has', 'attachment'], true),
  has('has:attachment is no other link', 'https://example.com/user_uploads/', ['has', 'attachment'], false),
  has('negated has:attachment', '[a.txt](/user_uploads/2/ab/a.txt)', not('has', 'attachment'), false),
  list('a message by its ID as text', 'hamlet', ({ messages }) => narrowed(['id', String(messages.ghost)]), 'ghost'),
  list(
    'a message by its ID that one can read but never received',
    'newcomer',
    ({ messages }) => narrowed(['id', messages.ghost]),
    'ghost',
  ),
  list('an ID keeps to the other terms', 'hamlet', ({ messages }) =>
    narrowed(['id', messages.ghost], ['channel', 'Council']),
  ),
  list('two IDs are no message', 'hamlet', ({ messages }) =>
    narrowed(['id', messages.ghost], ['id', messages.council]),
  ),
  list('a negated ID', 'hamlet', ({ messages }) => narrowed(not('id', messages.ghost)), ...allBut('ghost')),
  list('a negated ID adds nothing', 'newcomer', ({ messages }) => narrowed(not('id', messages.ghost))),
  list('near filters nothing', 'hamlet', ({ messages }) => narrowed(['near', messages.ghost]), ...everything),
  list(
    'negated near neither',
    'hamlet',
    ({ messages }) => narrowed(not('near', String(messages.ghost))),
    ...everything,
  ),
  list(
    'with is the conversation of a message',
    'hamlet',
    ({ messages }) => narrowed(['with', messages.ghostReply]),
    'ghost',
    'ghostReply',
  ),
  list(
    'with is a conversation of direct messages too',
    'cordelia',
    ({ messages }) => narrowed(['with', messages.direct]),
    'direct',
  ),
  list(
    "with keeps to the reader's part of protected history",
    'guest',
    ({ messages }) => narrowed(['with', messages.vaultAfter]),
    'vaultAfter',
  ),
  list(
    'with overrules the place that is named',
    'hamlet',
    ({ messages }) => narrowed(['with', messages.ghost], ['channel', 'Elba'], ['topic', 'plans']),
    'ghost',
    'ghostReply',
  ),
  list(
    'with keeps to the terms that name no place',
    'hamlet',
    ({ messages }) => narrowed(['with', messages.ghost], ['sender', 'me']),
    'ghost',
  ),
  list(
    'with a message one cannot read leaves the place that is named',
    'hamlet',
    ({ messages }) => narrowed(['with', messages.vaultAfter], ['channel', 'Denmark'], ['topic', 'ghosts']),
    'ghost',
    'ghostReply',
  ),
  list(
    'negated with leaves its conversation out',
    'hamlet',
    ({ messages }) => narrowed(not('with', messages.ghost)),
    ...allBut('ghost', 'ghostReply'),
  ),
  list(
    'negated with of a message one cannot read leaves nothing out',
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
      'negation gives back no message of a channel one has lost',
      'cordelia',
      narrowed(not('sender', 'me'), not('is', 'dm')),
      'ghost',
    ),
    given: ({ as, users }) =>
      as('owner').subscriptions.remove({ subscriptions: ['Vault'], principals: [users.cordelia] }),
  },
]);

async function muteDenmark({ as, channels }: World) {
  // They began its topic, so they follow it, which would still show it.
  await as('hamlet').userTopics.set({ stream_id: channels.public, topic: 'ghosts', visibility_policy: 0 });
  return as('hamlet').subscriptions.updateProperties({
    subscription_data: [{ stream_id: channels.public, property: 'is_muted', value: true }],
  });
}

/** Whether the term holds for a message of this content. */
function has(name: string, content: string, term: unknown, holds: boolean): Case {
  return said(name, 'hamlet', [content], [term, ['topic', 'words']], holds ? [0] : []);
}
