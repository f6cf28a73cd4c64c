import assert from 'node:assert/strict';
import { type Case, cases } from '../../faces/case.ts';
import { CHANNELS, type ChannelName, type UserName } from '../../faces/fixture.ts';
import { ABSENT } from '../../faces/matching.ts';
import type { World } from '../../faces/world.ts';

const sent = { id: (id: unknown) => Number.isSafeInteger(id) };

const posting = (to: ChannelName, more: object = {}) =>
  [
    'messages.send',
    ({ channels }: World) => ({ type: 'channel', to: channels[to], topic: 'ghosts', content: 'Boo', ...more }),
  ] as const;
const writing = (to: UserName[], more: object = {}) =>
  [
    'messages.send',
    ({ users }: World) => ({ type: 'direct', to: to.map((name) => users[name]), content: 'Psst', ...more }),
  ] as const;

const found = async (world: World, id: number, as: UserName = 'hamlet') =>
  (await world.as(as).messages.get({ message_id: id, apply_markdown: false, allow_empty_topic_name: true })).message;

const stores = (name: string, call: Case['call'], pattern: Record<string, unknown>, as: UserName = 'hamlet'): Case => ({
  name,
  as,
  call,
  returns: sent,
  state: async (world, { id }) => {
    const message = (await found(world, id, as)) as Record<string, unknown>;
    for (const [key, value] of Object.entries(pattern)) assert.deepEqual(message[key], value, key);
  },
});

const refused = (name: string, as: Case['as'], call: Case['call'], says?: RegExp, given?: Case['given']): Case => ({
  name,
  as,
  call,
  ...(given ? { given } : {}),
  refuses: { code: 'BAD_REQUEST', ...(says ? { says } : {}) },
});

const channelSettings = (channel: ChannelName, fields: object | ((world: World) => object)) => (world: World) =>
  world.storage.write((tx) =>
    tx.channels.update(world.channels[channel], typeof fields === 'function' ? fields(world) : fields),
  );

const addressing: Case[] = [
  stores('a channel is addressed by its ID', posting('public'), {
    type: 'stream',
    display_recipient: 'Denmark',
    subject: 'ghosts',
  }),
  stores(
    'a channel is addressed by its name, without regard to case',
    ['messages.send', { type: 'channel', to: 'dENMARK', topic: 'x', content: 'y' }],
    {
      display_recipient: 'Denmark',
    },
  ),
  stores(
    'a channel is addressed by a list of one, as older clients do',
    ['messages.send', { type: 'stream', to: ['Denmark'], topic: 'x', content: 'y' }],
    {
      display_recipient: 'Denmark',
    },
  ),
  refused(
    'a channel message goes to one channel',
    'hamlet',
    ['messages.send', { type: 'stream', to: ['Denmark', 'Norway'], topic: 'x', content: 'y' }],
    /exactly one/,
  ),
  {
    name: 'a channel that does not exist by ID is STREAM_DOES_NOT_EXIST with stream_id',
    as: 'hamlet',
    call: ['messages.send', { type: 'channel', to: 9999, topic: 'x', content: 'y' }],
    refuses: { code: 'STREAM_DOES_NOT_EXIST', data: { stream_id: 9999 } },
  },
  {
    name: 'a channel that does not exist by name is STREAM_DOES_NOT_EXIST with stream',
    as: 'hamlet',
    call: ['messages.send', { type: 'channel', to: 'Elba', topic: 'x', content: 'y' }],
    refuses: { code: 'STREAM_DOES_NOT_EXIST', data: { stream: 'Elba' } },
  },
  {
    name: 'people are addressed by ID, in any order and as often as one likes',
    as: 'hamlet',
    call: [
      'messages.send',
      ({ users }) => ({
        type: 'direct',
        to: [users.moderator, users.cordelia, users.cordelia, users.hamlet],
        content: 'y',
      }),
    ],
    state: async (world, { id }) => {
      const { users } = world;
      const { display_recipient, type } = await found(world, id);
      assert.equal(type, 'private');
      const ids = (display_recipient as { id: number }[]).map((one) => one.id);
      assert.deepEqual(ids, [users.moderator, users.hamlet, users.cordelia]);
    },
  },
  {
    name: 'people are addressed by e-mail, in a list or separated by commas',
    as: 'hamlet',
    call: ['messages.send', { type: 'private', to: 'cordelia@example.com, moderator@example.com', content: 'y' }],
    returns: sent,
    events: () => ({ moderator: [{ type: 'message' }], cordelia: [{ type: 'message' }], newcomer: [] }),
  },
  {
    name: 'a hidden real address leads to nobody, the placeholder to its user',
    as: 'hamlet',
    given: (world) => world.storage.write((tx) => tx.users.update(world.users.cordelia, { email_visibility: 3 })),
    call: ['messages.send', { type: 'direct', to: ['cordelia@example.com'], content: 'y' }],
    refuses: { code: 'BAD_REQUEST', says: /cordelia/ },
  },
  {
    name: 'one may write to oneself',
    as: 'hamlet',
    call: writing(['hamlet']),
    events: () => ({ hamlet: [{ type: 'message', message: { type: 'private' } }] }),
  },
  refused(
    'a direct message needs a recipient',
    'hamlet',
    ['messages.send', { type: 'direct', to: [], content: 'y' }],
    /recipient/,
  ),
  refused(
    'an unknown recipient is refused',
    'hamlet',
    ['messages.send', { type: 'direct', to: [9999], content: 'y' }],
    /9999/,
  ),
  refused('a deactivated recipient is refused', 'hamlet', writing(['deactivated']), /deactivated/),
  refused('a type other than the four is refused', 'hamlet', posting('public', { type: 'letter' }), /type/),
];

const texts: Case[] = [
  stores('trailing white space and leading newlines go', posting('public', { content: '\n \n  Boo \n\n' }), {
    content: '  Boo',
  }),
  stores('a content too long is cut, not refused', posting('public', { content: 'x'.repeat(10_001) }), {
    content: `${'x'.repeat(10_000 - 20)}\n[message truncated]`,
  }),
  refused('an empty content is refused', 'hamlet', posting('public', { content: ' \n ' }), /empty/),
  refused('a content with NUL is refused', 'hamlet', posting('public', { content: 'a\0b' }), /NUL/),
  stores('a topic is trimmed', posting('public', { topic: ' swords ' }), { subject: 'swords' }),
  stores('a topic too long is cut, not refused', posting('public', { topic: 'x'.repeat(61) }), {
    subject: `${'x'.repeat(57)}...`,
  }),
  stores('a topic keeps the writing of its first message', posting('public', { topic: 'GHOSTS' }), {
    subject: 'ghosts',
  }),
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
    'a channel message needs a topic',
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
    name: 'topic and subject together are confusing',
    as: 'hamlet',
    call: ['messages.send', { type: 'stream', to: 'Denmark', subject: 'x', topic: 'x', content: 'y' }],
    refuses: { code: 'REQUEST_CONFUSING_VAR', data: { var_name1: 'topic', var_name2: 'subject' } },
  },
  refused(
    'a channel that needs a topic takes no empty one',
    'hamlet',
    posting('public', { topic: '' }),
    /general chat/,
    channelSettings('public', { topics_policy: 'disable_empty_topic' }),
  ),
  refused(
    'a channel of the empty topic takes no other',
    'hamlet',
    posting('public'),
    /general chat/,
    channelSettings('public', { topics_policy: 'empty_topic_only' }),
  ),
  refused(
    'the policy of the organization holds where the channel inherits',
    'hamlet',
    posting('public', { topic: '' }),
    /general chat/,
    (world) => world.settings({ topics_policy: 'disable_empty_topic' }),
  ),
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
];

const posts = (name: string, as: UserName, to: ChannelName, given?: Case['given']): Case => ({
  name,
  as,
  call: posting(to),
  ...(given ? { given } : {}),
  returns: sent,
});
const postsNot = (name: string, as: UserName, to: ChannelName, given?: Case['given']): Case =>
  refused(name, as, posting(to), undefined, given);

/** Somebody to whom a channel is hidden learns no more than that there is none. */
const hiddenFrom = (name: string, as: UserName, to: ChannelName): Case => ({
  name,
  as,
  call: posting(to),
  refuses: { code: 'STREAM_DOES_NOT_EXIST', data: ({ channels }) => ({ stream_id: channels[to] }) },
});

const MODERATORS = 4;

const permissions: Case[] = [
  posts('posting to a public channel does not need a subscription', 'moderator', 'public'),
  hiddenFrom('a public channel is missing to a guest who is not in it', 'guest', 'public'),
  posts('a guest posts to a channel they are subscribed to', 'guest', 'default'),
  posts('a guest posts to a web-public channel', 'guest', 'webPublic'),
  hiddenFrom('a private channel is missing to a member who is not in it', 'cordelia', 'shared'),
  {
    name: 'a private channel is missing by its name too, with stream',
    as: 'cordelia',
    call: ['messages.send', { type: 'channel', to: CHANNELS.shared, topic: 'x', content: 'y' }],
    refuses: { code: 'STREAM_DOES_NOT_EXIST', data: { stream: CHANNELS.shared } },
  },
  postsNot('an owner does not post to a private channel they are not in', 'owner', 'shared'),
  posts('a subscriber posts to a private channel', 'moderator', 'shared'),
  posts('a bot posts where its owner is subscribed', 'bot', 'shared'),
  hiddenFrom('a private channel is missing to a bot where neither it nor its owner is in it', 'bot', 'protected'),
  posts('an incoming-webhook bot may post', 'webhook', 'public'),
  postsNot('nobody posts to an archived channel', 'hamlet', 'archived'),
  postsNot(
    'posting needs can_send_message_group',
    'hamlet',
    'public',
    channelSettings('public', { settings: { can_send_message_group: MODERATORS } }),
  ),
  posts(
    'members of can_send_message_group post',
    'moderator',
    'public',
    channelSettings('public', { settings: { can_send_message_group: MODERATORS } }),
  ),
  posts(
    'a bot may post where its owner is in can_send_message_group',
    'bot',
    'public',
    channelSettings('public', ({ users }) => ({
      settings: { can_send_message_group: { direct_members: [users.hamlet], direct_subgroups: [] } },
    })),
  ),
  posts(
    'who may subscribe to a private channel with shared history may post there',
    'cordelia',
    'shared',
    channelSettings('shared', ({ groups }) => ({ settings: { can_subscribe_group: groups.cooks } })),
  ),
  postsNot(
    'who may only subscribe to a private channel with protected history may not post there',
    'hamlet',
    'protected',
    channelSettings('protected', ({ groups }) => ({ settings: { can_subscribe_group: groups.kitchen } })),
  ),
  {
    name: 'a restricted guest does not write to people they cannot see',
    as: 'guest',
    given: (world) => world.settings({ can_access_all_users_group: 6 }),
    call: writing(['moderator']),
    refuses: { code: 'BAD_REQUEST' },
  },
  {
    name: 'a restricted guest writes to people they share a channel with',
    as: 'guest',
    given: (world) => world.settings({ can_access_all_users_group: 6 }),
    call: writing(['cordelia']),
    returns: sent,
  },
  refused('direct messages can be switched off', 'hamlet', writing(['cordelia']), /switched off/, (world) =>
    world.settings({ direct_message_permission_group: 1 }),
  ),
  {
    name: 'direct messages to bots are not bound by the policy',
    as: 'hamlet',
    given: (world) => world.settings({ direct_message_permission_group: 1 }),
    call: writing(['bot']),
    returns: sent,
  },
  refused(
    'somebody in the conversation must be in direct_message_permission_group',
    'hamlet',
    writing(['cordelia']),
    undefined,
    (world) => world.settings({ direct_message_permission_group: MODERATORS }),
  ),
  {
    name: 'one participant in direct_message_permission_group is enough',
    as: 'hamlet',
    given: (world) => world.settings({ direct_message_permission_group: MODERATORS }),
    call: writing(['moderator']),
    returns: sent,
  },
  refused(
    'starting a conversation needs direct_message_initiator_group',
    'newcomer',
    writing(['cordelia']),
    /start/,
    (world) => world.settings({ direct_message_initiator_group: MODERATORS }),
  ),
  {
    name: 'going on with a conversation does not need direct_message_initiator_group',
    as: 'cordelia',
    given: (world) => world.settings({ direct_message_initiator_group: MODERATORS }),
    call: writing(['hamlet']),
    returns: sent,
  },
  {
    name: 'nobody sends without credentials',
    as: 'nobody',
    call: posting('public'),
    refuses: { code: 'UNAUTHORIZED', status: 401 },
  },
];

const events: Case[] = [
  {
    name: 'subscribers receive the message, others do not',
    as: 'cordelia',
    call: posting('public', { content: 'a *b*' }),
    events: ({ users, channels, emails }) => {
      const message = {
        type: 'stream',
        sender_id: users.cordelia,
        sender_email: emails.cordelia,
        sender_full_name: 'Cordelia',
        display_recipient: 'Denmark',
        stream_id: channels.public,
        subject: 'ghosts',
        content: 'a *b*',
        content_type: 'text/x-markdown',
        timestamp: (value: unknown) => Number.isSafeInteger(value),
        flags: ABSENT,
        reactions: [],
      };
      return {
        hamlet: [{ type: 'message', message, flags: [], local_message_id: ABSENT, public_channel: ABSENT }],
        cordelia: [{ type: 'message', message, flags: [] }],
        administrator: [{ type: 'message', message, flags: [] }],
        owner: [],
        guest: [],
      };
    },
  },
  {
    name: 'read_by_sender marks the message as read by the sender alone',
    as: 'cordelia',
    call: posting('public', { read_by_sender: true }),
    events: () => ({ cordelia: [{ type: 'message', flags: ['read'] }], hamlet: [{ type: 'message', flags: [] }] }),
    state: async (world, { id }) => assert.deepEqual((await found(world, id, 'cordelia')).flags, ['read']),
  },
  {
    name: 'subscribers of a private channel receive its messages, administrators do not',
    as: 'hamlet',
    call: posting('shared'),
    events: () => ({ moderator: [{ type: 'message' }], hamlet: [{ type: 'message' }], owner: [], cordelia: [] }),
  },
  {
    name: 'a direct message reaches those taking part and nobody else',
    as: 'hamlet',
    call: writing(['cordelia', 'moderator']),
    events: () => ({
      hamlet: [{ type: 'message', message: { type: 'private', subject: '', stream_id: ABSENT } }],
      cordelia: [{ type: 'message' }],
      moderator: [{ type: 'message' }],
      owner: [],
      newcomer: [],
    }),
  },
  {
    name: 'the empty topic is shown by its display name to clients that do not know it',
    as: 'hamlet',
    call: posting('public', { topic: '' }),
    events: () => ({ cordelia: [{ type: 'message', message: { subject: 'general chat' } }] }),
  },
];

export const sendMessageCases = cases('messages.send', [...addressing, ...texts, ...permissions, ...events]);
