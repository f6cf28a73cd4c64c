import type { Member, Population } from './population.ts';
import { WORST_TEXTS } from './worst-texts.ts';

/** A request of the API as a client sends it. */
export interface Attack {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'OPTIONS';
  /** Below `/api/v1`; of the site itself where it begins with two slashes. */
  path: string;
  /** Beside the key of the account, or instead of it. */
  headers?: Readonly<Record<string, string>>;
  /** Values that are no strings travel as JSON. */
  fields?: Readonly<Record<string, unknown>>;
  /** A form of another kind than usual, or one that is none. */
  body?: { type: string; content: string };
}

/** By what it tries. */
export type Attacks = Readonly<Record<string, (population: Population, member: Member) => Attack>>;

const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;
const number = (below: number) => Math.floor(Math.random() * below);
const some = <T>(list: readonly T[], count: number) => {
  const from = number(Math.max(1, list.length - count));
  return list.slice(from, from + count);
};
const numbers = (count: number, from = 1) => Array.from({ length: count }, (_, at) => from + at);
const randomName = (prefix: string) => `${prefix} ${Math.random().toString(36).slice(2, 12)}`;
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

/** A list of messages, as large as there is. */
const listing =
  (narrow: (population: Population) => unknown[], others: Readonly<Record<string, unknown>> = {}) =>
  (population: Population): Attack => ({
    method: 'GET',
    path: '/messages',
    fields: { anchor: 'newest', num_before: 5_000, num_after: 0, narrow: narrow(population), ...others },
  });

/** The worst that each operation of an ordinary account is for everybody else. */
export const ATTACKS: Attacks = {
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
  'many into many channels': ({ rooms, people }) => ({
    method: 'POST',
    path: '/users/me/subscriptions',
    fields: { subscriptions: some(rooms, 10).map((name) => ({ name })), principals: some(people, 1_000) },
  }),
  'too many into too many channels': ({ rooms, people }) => ({
    method: 'POST',
    path: '/users/me/subscriptions',
    fields: { subscriptions: rooms.map((name) => ({ name })), principals: people },
  }),
  'into all channels': ({ rooms }) => ({
    method: 'POST',
    path: '/users/me/subscriptions',
    fields: { subscriptions: rooms.map((name) => ({ name })) },
  }),
  'out of all channels': ({ rooms }) => ({
    method: 'DELETE',
    path: '/users/me/subscriptions',
    fields: { subscriptions: [...rooms, 'open'] },
  }),
  'back again': () => ({
    method: 'POST',
    path: '/users/me/subscriptions',
    fields: { subscriptions: ['open', 'noise', 'topics'].map((name) => ({ name })) },
  }),
  'new channels': ({ people }) => ({
    method: 'POST',
    path: '/users/me/subscriptions',
    fields: { subscriptions: numbers(10).map(() => ({ name: randomName('new') })), principals: some(people, 500) },
  }),
  'a channel for everybody': ({ people }) => ({
    method: 'POST',
    path: '/channels/create',
    fields: { name: randomName('own'), subscribers: people.slice(0, 10_000), invite_only: pick([true, false]) },
  }),
  'the colours of all channels': ({ open, topics, noise }) => ({
    method: 'POST',
    path: '/users/me/subscriptions/properties',
    fields: {
      subscription_data: numbers(1_000).map(() => ({
        stream_id: pick([open, topics, noise]),
        property: 'color',
        value: '#c2c2c2',
      })),
    },
  }),
  'a channel muted': ({ open }) => ({
    method: 'POST',
    path: '/users/me/subscriptions/properties',
    fields: { subscription_data: [{ stream_id: open, property: 'is_muted', value: pick([true, false]) }] },
  }),
  'all that there is': () => ({ method: 'POST', path: '/register', fields: { client_capabilities: {} } }),
  'all that there is, with subscribers': () => ({
    method: 'POST',
    path: '/register',
    fields: { include_subscribers: true, fetch_event_types: ['subscription', 'realm_user', 'message'] },
  }),
  'a queue for everything public': () => ({
    method: 'POST',
    path: '/register',
    fields: { event_types: ['message'], all_public_streams: true, fetch_event_types: [] },
  }),
  'a queue for a narrow': () => ({
    method: 'POST',
    path: '/register',
    fields: {
      event_types: ['message'],
      narrow: [['search', 'more']],
      fetch_event_types: [],
      queue_lifespan_secs: 604_800,
    },
  }),
  people: () => ({ method: 'GET', path: '/users', fields: { include_custom_profile_fields: true } }),
  'all channels, with all that is known': () => ({
    method: 'GET',
    path: '/streams',
    fields: { include_all: true, include_subscribed: true, include_default: true },
  }),
  'subscriptions with subscribers': () => ({
    method: 'GET',
    path: '/users/me/subscriptions',
    fields: { include_subscribers: true },
  }),
  'subscribers of the largest channel': ({ open }) => ({ method: 'GET', path: `/streams/${open}/members` }),
  'all topics': ({ topics }) => ({ method: 'GET', path: `/users/me/${topics}/topics` }),
  'a topic followed': ({ topics }) => ({
    method: 'POST',
    path: '/user_topics',
    fields: { stream_id: topics, topic: randomName('matter'), visibility_policy: number(4) },
  }),
  'followed topics': () => ({ method: 'GET', path: '/user_topics' }),
  drafts: ({ open }) => ({
    method: 'POST',
    path: '/drafts',
    fields: {
      drafts: numbers(50).map(() => ({
        type: 'stream',
        to: [open],
        topic: 'x',
        content: pick(WORST_TEXTS),
        timestamp: 1,
      })),
    },
  }),
  'all drafts': () => ({ method: 'GET', path: '/drafts' }),
  'a message for later': ({ noise }) => ({
    method: 'POST',
    path: '/scheduled_messages',
    fields: {
      type: 'channel',
      to: noise,
      topic: 'later',
      content: pick(WORST_TEXTS),
      scheduled_delivery_timestamp: Math.floor(Date.now() / 1_000) + 30 + number(60),
    },
  }),
  'all messages for later': () => ({ method: 'GET', path: '/scheduled_messages' }),
  'a reminder': ({ newest }) => ({
    method: 'POST',
    path: '/reminders',
    fields: {
      message_id: 1 + number(newest),
      scheduled_delivery_timestamp: Math.floor(Date.now() / 1_000) + 30 + number(60),
      note: 'x'.repeat(500),
    },
  }),
  'a snippet': () => ({
    method: 'POST',
    path: '/saved_snippets',
    fields: { title: randomName('snippet'), content: pick(WORST_TEXTS) },
  }),
  'all snippets': () => ({ method: 'GET', path: '/saved_snippets' }),
  'a view': () => ({
    method: 'POST',
    path: '/navigation_views',
    fields: { fragment: `narrow/${randomName('view')}`, name: randomName('view'), is_pinned: true },
  }),
  'alert words': () => ({
    method: 'POST',
    path: '/users/me/alert_words',
    fields: { alert_words: numbers(100).map(() => randomName('a'.repeat(80))) },
  }),
  'somebody muted': ({ people }) => ({ method: 'POST', path: `/users/me/muted_users/${pick(people.slice(0, 60))}` }),
  'somebody muted no more': ({ people }) => ({
    method: 'DELETE',
    path: `/users/me/muted_users/${pick(people.slice(0, 60))}`,
  }),
  'a group of everybody': ({ people }) => ({
    method: 'POST',
    path: '/user_groups/create',
    fields: { name: randomName('group'), description: 'x'.repeat(1_000), members: people.slice(0, 10_000) },
  }),
  groups: () => ({ method: 'GET', path: '/user_groups' }),
  'another name': () => ({ method: 'PATCH', path: '/settings', fields: { full_name: randomName('Person') } }),
  'a status': () => ({
    method: 'POST',
    path: '/users/me/status',
    fields: { status_text: randomName('at'), emoji_name: 'cat' },
  }),
  'everybody who is there': () => ({
    method: 'POST',
    path: '/users/me/presence',
    fields: { status: 'active', ping_only: false },
  }),
  'typing to many': ({ people }) => ({
    method: 'POST',
    path: '/typing',
    fields: { op: pick(['start', 'stop']), type: 'direct', to: some(people, 1_000) },
  }),
  'typing in a channel': ({ open }) => ({
    method: 'POST',
    path: '/typing',
    fields: { op: 'start', type: 'channel', stream_id: open, topic: 'topic 1' },
  }),
  invitations: () => ({
    method: 'POST',
    path: '/invites',
    fields: {
      invitee_emails: numbers(500)
        .map(() => `${randomName('p').replace(' ', '')}@example.org`)
        .join(','),
      stream_ids: [],
    },
  }),
  'all files': () => ({ method: 'GET', path: '/attachments' }),
  'a file': () => ({
    method: 'POST',
    path: '/user_uploads',
    body: multipart('file', `${randomName('file')}.txt`, 'x'.repeat(200_000)),
  }),
  'a picture that is none': () => ({
    method: 'POST',
    path: '/users/me/avatar',
    body: multipart('file', 'me.png', `\x89PNG\r\n\x1a\n${'x'.repeat(500_000)}`),
  }),
  'a form of nothing but names': () => ({
    method: 'POST',
    path: '/messages',
    body: {
      type: 'application/x-www-form-urlencoded',
      content: numbers(100_000)
        .map((at) => `n${at}=`)
        .join('&'),
    },
  }),
  'a form of many parts': () => ({
    method: 'POST',
    path: '/messages',
    body: manyParts(5_000),
  }),
  'JSON as deep as it goes': () => ({
    method: 'GET',
    path: '/messages',
    fields: {
      anchor: 'newest',
      num_before: 10,
      num_after: 0,
      narrow: `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
    },
  }),
  'a narrow of thousands of terms': () => ({
    method: 'POST',
    path: '/messages/flags/narrow',
    fields: {
      anchor: 'newest',
      num_before: 5_000,
      num_after: 0,
      op: 'add',
      flag: 'starred',
      narrow: numbers(5_000).map((at) => ({ operator: 'topic', operand: `topic ${at}`, negated: true })),
    },
  }),
  'a list longer than lists may be': () => flags('add', 'read', numbers(120_000)),
  'people by name': ({ people }) => ({
    method: 'GET',
    path: '/messages',
    fields: { anchor: 'newest', num_before: 100, num_after: 0, narrow: [['dm', some(people, 5_000)]] },
  }),
  'everything into one topic': ({ newest }) => ({
    method: 'PATCH',
    path: `/messages/${1 + number(newest)}`,
    fields: { topic: 'topic 0', propagate_mode: 'change_all' },
  }),
  'web hooks that never answer': ({ noise, hooks }) =>
    send(noise, 'hooks', hooks.map((name) => `@**${name}**`).join(' ')),
  'JSON as deep as a body may be': () => json('/messages', `{"narrow":${'['.repeat(400_000)}${']'.repeat(400_000)}}`),
  'JSON of a list as long as a body may be': () =>
    json('/messages/flags', `{"op":"add","flag":"read","messages":[${'1,'.repeat(400_000)}1]}`),
  'JSON that says the same again and again': () => json('/messages', `{${'"to":1,'.repeat(120_000)}"to":2}`),
  'JSON of nothing but names': () =>
    json(
      '/messages',
      `{${numbers(80_000)
        .map((at) => `"n${at}":{}`)
        .join()}}`,
    ),
  'what subscribing many to many would do': ({ rooms, people }) => ({
    method: 'POST',
    path: '/dry_run/users/me/subscriptions',
    fields: { subscriptions: some(rooms, 10).map((name) => ({ name })), principals: some(people, 1_000) },
  }),
  'why one may search': (population, { id }) => ({
    ...listing(() => [['search', 'xylophone']])(population),
    path: `/why/${id}/messages`,
  }),
  'a key that is wrong, by ever another name': () => ({
    method: 'GET',
    path: '/users/me',
    headers: {
      authorization: `Basic ${Buffer.from(`${randomName('p').replace(' ', '')}@example.com:${'x'.repeat(32)}`).toString('base64')}`,
      'user-agent': randomName('x'.repeat(8_000)),
    },
  }),
  'how the server is': () => ({ method: 'GET', path: '//ready' }),
  'whether a page of elsewhere may ask': () => ({
    method: 'OPTIONS',
    path: '/messages',
    headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' },
  }),
  'the description of the API': () => ({ method: 'GET', path: '//api/docs' }),
};

function send(to: number, topic: string, content: string): Attack {
  return { method: 'POST', path: '/messages', fields: { type: 'channel', to, topic, content } };
}

function flags(op: string, flag: string, messages: readonly number[]): Attack {
  return { method: 'POST', path: '/messages/flags', fields: { op, flag, messages } };
}

function json(path: string, content: string): Attack {
  return { method: 'POST', path, body: { type: 'application/json', content } };
}

function multipart(name: string, filename: string, content: string): NonNullable<Attack['body']> {
  const head = `--frontier\r\nContent-Disposition: form-data; name="${name}"; filename="${filename}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  return { type: 'multipart/form-data; boundary=frontier', content: `${head}${content}\r\n--frontier--\r\n` };
}

function manyParts(count: number): NonNullable<Attack['body']> {
  const parts = numbers(count).map((at) => `--frontier\r\nContent-Disposition: form-data; name="n${at}"\r\n\r\nx\r\n`);
  return { type: 'multipart/form-data; boundary=frontier', content: `${parts.join('')}--frontier--\r\n` };
}
