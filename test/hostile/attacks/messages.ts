import { WORST_TEXTS } from '../worst-texts.ts';
import { type Attacks, flags, listing, number, numbers, pick, randomName, send, some } from './attack.ts';

const EMOJI = [
  'tada',
  'boat',
  'heart',
  'smile',
  'octopus',
  'rocket',
  'wave',
  'eyes',
  'ok',
  'cat',
  'dog',
  'tree',
  'sun',
];

/** Messages: written, changed, looked for, marked. */
export const MESSAGES: Attacks = {
  'the worst message, to everybody': ({ noise }) => send(noise, 'worst', pick(WORST_TEXTS)),
  'a topic of its own': ({ topics }) => send(topics, randomName('matter'), 'x'),
  'everybody is mentioned by name': ({ noise }) =>
    send(
      noise,
      'names',
      numbers(500)
        .map((at) => `@**Person ${at}**`)
        .join(' '),
    ),
  'a message to twenty': ({ people }) => ({
    method: 'POST',
    path: '/messages',
    fields: { type: 'direct', to: some(people, 19), content: pick(WORST_TEXTS) },
  }),
  'the worst, rendered': () => ({ method: 'POST', path: '/messages/render', fields: { content: pick(WORST_TEXTS) } }),
  'a message with a thousand versions is changed': ({ edited }) => ({
    method: 'PATCH',
    path: `/messages/${edited}`,
    fields: { content: `${'word '.repeat(1_900)}${number(1e6)}` },
  }),
  'a history': ({ edited }) => ({ method: 'GET', path: `/messages/${edited}/history` }),
  'a topic of thousands is renamed': ({ newest }) => ({
    method: 'PATCH',
    path: `/messages/${1 + number(newest)}`,
    fields: { topic: `topic ${number(200)}`, propagate_mode: 'change_all' },
  }),
  'a topic is moved': ({ newest, noise }) => ({
    method: 'PATCH',
    path: `/messages/${1 + number(newest)}`,
    fields: { stream_id: noise, propagate_mode: 'change_later' },
  }),
  'a reaction': ({ reacted, newest }) => ({
    method: 'POST',
    path: `/messages/${pick([reacted, 1 + number(newest)])}/reactions`,
    fields: { emoji_name: pick(EMOJI) },
  }),
  'a poll of a thousand options': ({ noise }) => send(noise, 'polls', `/poll x\n${'option\n'.repeat(1_400)}`),
  'a vote': ({ newest }) => ({
    method: 'POST',
    path: '/submessage',
    fields: { message_id: 1 + number(newest), content: '{"type":"vote","key":"canned,0","vote":1}' },
  }),
  'everything there is': listing(() => []),
  'the worst messages': listing(({ noise }) => [['channel', noise]]),
  'the worst messages, as they were written': listing(({ noise }) => [['channel', noise]], { apply_markdown: false }),
  'a word that nobody wrote': listing(() => [['search', 'xylophone']]),
  'a word of everybody': listing(() => [['search', 'message']]),
  'words of everybody in what has none': listing(({ topics }) => [
    ['search', 'message about more'],
    ['channel', topics],
  ]),
  'a part of a word': listing(() => [['search', 'e']]),
  'a word left out': listing(() => [{ operator: 'search', operand: 'message', negated: true }]),
  'topics left out': listing(() =>
    numbers(50, 0).map((at) => ({ operator: 'topic', operand: `topic ${at}`, negated: true })),
  ),
  'all channels left out': listing(({ open, topics, noise }) =>
    [open, topics, noise].map((operand) => ({ operator: 'channel', operand, negated: true })),
  ),
  'a sender who wrote nothing': listing(({ people }) => [['sender', people.at(-1)]]),
  'a link that nobody has': listing(({ topics }) => [
    ['has', 'link'],
    ['channel', topics],
  ]),
  reactions: listing(() => [['has', 'reaction']]),
  'what is resolved': listing(() => [['is', 'resolved']]),
  'the first unread of a search': listing(() => [['search', 'more']], {
    anchor: 'first_unread',
    num_after: 2_500,
    num_before: 2_500,
  }),
  'the first unread': listing(() => [['is', 'unread']], { anchor: 'first_unread', num_after: 5_000, num_before: 0 }),
  'muted topics': listing(() => [['is', 'muted']]),
  'thousands of messages by their ids': ({ newest }) => ({
    method: 'GET',
    path: '/messages',
    fields: { message_ids: numbers(2_000, 1 + number(newest)) },
  }),
  'which of a thousand match': ({ newest }) => ({
    method: 'GET',
    path: '/messages/matches_narrow',
    fields: { msg_ids: numbers(1_000, 1 + number(newest)), narrow: [['search', 'message']] },
  }),
  'thousands marked as read': ({ newest }) => flags('add', 'read', numbers(5_000, 1 + number(newest))),
  'thousands marked as unread': ({ newest }) => flags('remove', 'read', numbers(5_000, 1 + number(newest - 5_000))),
  'thousands starred': ({ newest }) => flags('add', 'starred', numbers(5_000, 1 + number(newest - 5_000))),
  'every other one read': ({ newest }) =>
    flags(
      'add',
      'read',
      numbers(10_000, 1 + number(newest)).filter((id) => id % 2 === 0),
    ),
  'a narrow marked as unread': () => ({
    method: 'POST',
    path: '/messages/flags/narrow',
    fields: {
      anchor: 'newest',
      num_before: 5_000,
      num_after: 0,
      narrow: [['search', 'message']],
      op: 'remove',
      flag: 'read',
    },
  }),
  'all read': () => ({ method: 'POST', path: '/mark_all_as_read' }),
  'a channel read': ({ open }) => ({ method: 'POST', path: '/mark_stream_as_read', fields: { stream_id: open } }),
  'who has read it': ({ newest }) => ({ method: 'GET', path: `/messages/${1 + number(newest)}/read_receipts` }),
  'everything into one topic': ({ newest }) => ({
    method: 'PATCH',
    path: `/messages/${1 + number(newest)}`,
    fields: { topic: 'topic 0', propagate_mode: 'change_all' },
  }),
  'web hooks that never answer': ({ noise, hooks }) =>
    send(noise, 'hooks', hooks.map((name) => `@**${name}**`).join(' ')),
};
