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

/** Sending, editing, listing and flagging messages. */
export const MESSAGES: Attacks = {
  'send the most expensive message to all users': ({ noise }) => send(noise, 'worst', pick(WORST_TEXTS)),
  'send to a new topic': ({ topics }) => send(topics, randomName('matter'), 'x'),
  'mention 500 users by name': ({ noise }) =>
    send(
      noise,
      'names',
      numbers(500)
        .map((at) => `@**Person ${at}**`)
        .join(' '),
    ),
  'send a direct message to 19 users': ({ people }) => ({
    method: 'POST',
    path: '/messages',
    fields: { type: 'direct', to: some(people, 19), content: pick(WORST_TEXTS) },
  }),
  'render the most expensive message': () => ({
    method: 'POST',
    path: '/messages/render',
    fields: { content: pick(WORST_TEXTS) },
  }),
  'edit a message that has 1,000 versions': ({ edited }) => ({
    method: 'PATCH',
    path: `/messages/${edited}`,
    fields: { content: `${'word '.repeat(1_900)}${number(1e6)}` },
  }),
  'get a message history of 1,000 versions': ({ edited }) => ({ method: 'GET', path: `/messages/${edited}/history` }),
  'rename a topic with thousands of messages': ({ newest }) => ({
    method: 'PATCH',
    path: `/messages/${1 + number(newest)}`,
    fields: { topic: `topic ${number(200)}`, propagate_mode: 'change_all' },
  }),
  'move a topic to another channel': ({ newest, noise }) => ({
    method: 'PATCH',
    path: `/messages/${1 + number(newest)}`,
    fields: { stream_id: noise, propagate_mode: 'change_later' },
  }),
  'add a reaction': ({ reacted, newest }) => ({
    method: 'POST',
    path: `/messages/${pick([reacted, 1 + number(newest)])}/reactions`,
    fields: { emoji_name: pick(EMOJI) },
  }),
  'start a poll with 1,400 options': ({ noise }) => send(noise, 'polls', `/poll x\n${'option\n'.repeat(1_400)}`),
  'vote in a poll': ({ newest }) => ({
    method: 'POST',
    path: '/submessage',
    fields: { message_id: 1 + number(newest), content: '{"type":"vote","key":"canned,0","vote":1}' },
  }),
  'list all messages': listing(() => []),
  'list the most expensive messages': listing(({ noise }) => [['channel', noise]]),
  'list the most expensive messages as Markdown': listing(({ noise }) => [['channel', noise]], {
    apply_markdown: false,
  }),
  'search for a word without matches': listing(() => [['search', 'xylophone']]),
  'search for a word of all messages': listing(() => [['search', 'message']]),
  'search for frequent words in a channel without matches': listing(({ topics }) => [
    ['search', 'message about more'],
    ['channel', topics],
  ]),
  'search for one letter': listing(() => [['search', 'e']]),
  'search with a negated word': listing(() => [{ operator: 'search', operand: 'message', negated: true }]),
  'list without 50 topics': listing(() =>
    numbers(50, 0).map((at) => ({ operator: 'topic', operand: `topic ${at}`, negated: true })),
  ),
  'list without three channels': listing(({ open, topics, noise }) =>
    [open, topics, noise].map((operand) => ({ operator: 'channel', operand, negated: true })),
  ),
  'list messages of a sender without messages': listing(({ people }) => [['sender', people.at(-1)]]),
  'list messages with links in a channel without links': listing(({ topics }) => [
    ['has', 'link'],
    ['channel', topics],
  ]),
  'list messages with reactions': listing(() => [['has', 'reaction']]),
  'list messages of resolved topics': listing(() => [['is', 'resolved']]),
  'search from the first unread message': listing(() => [['search', 'more']], {
    anchor: 'first_unread',
    num_after: 2_500,
    num_before: 2_500,
  }),
  'list from the first unread message': listing(() => [['is', 'unread']], {
    anchor: 'first_unread',
    num_after: 5_000,
    num_before: 0,
  }),
  'list messages of muted topics': listing(() => [['is', 'muted']]),
  'list 2,000 messages by ID': ({ newest }) => ({
    method: 'GET',
    path: '/messages',
    fields: { message_ids: numbers(2_000, 1 + number(newest)) },
  }),
  'match 1,000 messages with a search': ({ newest }) => ({
    method: 'GET',
    path: '/messages/matches_narrow',
    fields: { msg_ids: numbers(1_000, 1 + number(newest)), narrow: [['search', 'message']] },
  }),
  'mark 5,000 messages as read': ({ newest }) => flags('add', 'read', numbers(5_000, 1 + number(newest))),
  'mark 5,000 messages as unread': ({ newest }) => flags('remove', 'read', numbers(5_000, 1 + number(newest - 5_000))),
  'star 5,000 messages': ({ newest }) => flags('add', 'starred', numbers(5_000, 1 + number(newest - 5_000))),
  'mark every second of 10,000 messages as read': ({ newest }) =>
    flags(
      'add',
      'read',
      numbers(10_000, 1 + number(newest)).filter((id) => id % 2 === 0),
    ),
  'mark a search as unread': () => ({
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
  'mark all messages as read': () => ({ method: 'POST', path: '/mark_all_as_read' }),
  'mark a channel as read': ({ open }) => ({
    method: 'POST',
    path: '/mark_stream_as_read',
    fields: { stream_id: open },
  }),
  'get read receipts': ({ newest }) => ({ method: 'GET', path: `/messages/${1 + number(newest)}/read_receipts` }),
  'move a topic into one large topic': ({ newest }) => ({
    method: 'PATCH',
    path: `/messages/${1 + number(newest)}`,
    fields: { topic: 'topic 0', propagate_mode: 'change_all' },
  }),
  'mention bots whose web hooks never respond': ({ noise, hooks }) =>
    send(noise, 'hooks', hooks.map((name) => `@**${name}**`).join(' ')),
};
