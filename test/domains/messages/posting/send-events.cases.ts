import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import { CHANNELS } from '../../../world/fixture.ts';
import { ABSENT } from '../../../world/matching.ts';
import type { World } from '../../../world/world.ts';
import { found, posting, refused, sent, writing } from './sending.ts';

const QUEUES = new WeakMap<World, string>();

/** Subscribes 16 users to the public channel. */
const crowded = async (world: World) => {
  const principals: number[] = [];
  for (let n = 0; n < 13; n++) {
    const made = await world.as('owner').users.create({ email: `extra${n}@example.com`, full_name: `Extra ${n}` });
    principals.push(made.user_id);
  }
  const quietly = { principals, send_new_subscription_messages: false };
  await world.as('hamlet').subscriptions.add({ subscriptions: [{ name: CHANNELS.public }], ...quietly });
};

/** Recipients and events of a message. */
export const sendEventCases = cases('messages.send', [
  {
    name: 'subscribers get the message event, other users do not',
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
    events: () => ({
      moderator: [{ type: 'message' }],
      // They start the topic, so they follow it.
      hamlet: [{ type: 'muted_topics' }, { type: 'user_topic', visibility_policy: 3 }, { type: 'message' }],
      owner: [],
      cordelia: [],
    }),
  },
  {
    name: 'only participants get the event of a direct message',
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
    name: 'the message is unread for all other recipients',
    as: 'cordelia',
    call: posting('public'),
    state: async (world, { id }) => {
      assert.deepEqual((await found(world, id, 'hamlet')).flags, []);
      assert.deepEqual((await found(world, id, 'administrator')).flags, []);
    },
  },
  {
    name: 'the queue that sent the message gets local_id back, and no other queue does',
    as: 'cordelia',
    given: async (world) => {
      const { queue_id } = await world.as('cordelia').register({ fetch_event_types: [] });
      QUEUES.set(world, queue_id as string);
    },
    call: [
      'messages.send',
      (world) => ({
        type: 'channel',
        to: world.channels.public,
        topic: 'ghosts',
        content: 'y',
        queue_id: QUEUES.get(world),
        local_id: '17.01',
      }),
    ],
    events: () => ({
      cordelia: [{ type: 'message', local_message_id: ABSENT }],
      hamlet: [{ type: 'message', local_message_id: ABSENT }],
    }),
    state: async (world) => {
      const queue_id = QUEUES.get(world) as string;
      const { events } = await world.as('cordelia').events.list({ queue_id, last_event_id: -1, dont_block: true });
      assert.deepEqual(
        events.map((event) => event.type === 'message' && event.local_message_id),
        ['17.01'],
      );
    },
  },
  {
    name: 'a mentioned user gets the mentioned flag',
    as: 'hamlet',
    call: posting('public', { content: '@**Cordelia**, where are you?' }),
    events: () => ({
      cordelia: [
        { type: 'muted_topics' },
        { type: 'user_topic', topic_name: 'ghosts', visibility_policy: 3 },
        { type: 'message', flags: ['mentioned'] },
      ],
      administrator: [{ type: 'message', flags: [] }],
    }),
  },
  {
    name: '(H1) any user may use a wildcard mention in a channel of at most fifteen subscribers',
    as: 'hamlet',
    call: posting('public', { content: '@**all**' }),
    events: () => ({ cordelia: [{ type: 'message', flags: ['wildcard_mentioned', 'stream_wildcard_mentioned'] }] }),
  },
  ...(['all', 'everyone', 'channel', 'stream'] as const).map(
    (name): Case => ({
      name: `in a channel of more than fifteen @${name} needs the permission to mention many`,
      as: 'hamlet',
      given: crowded,
      call: posting('public', { content: `@**${name}**` }),
      refuses: { code: 'STREAM_WILDCARD_MENTION_NOT_ALLOWED' },
    }),
  ),
  {
    name: 'a user with the permission may use a wildcard mention in a large channel',
    as: 'administrator',
    given: crowded,
    call: posting('public', { content: '@**all**' }),
    events: () => ({ cordelia: [{ type: 'message', flags: ['wildcard_mentioned', 'stream_wildcard_mentioned'] }] }),
  },
  {
    name: '(H1) a mention of the topic has its own flag beside the old one',
    as: 'hamlet',
    call: posting('public', { content: '@**topic**' }),
    events: () => ({
      cordelia: [{ type: 'message', flags: ['wildcard_mentioned', 'topic_wildcard_mentioned'] }],
      administrator: [{ type: 'message', flags: [] }],
    }),
    state: async (world, { id }) => {
      const flags = ['wildcard_mentioned', 'topic_wildcard_mentioned'];
      assert.deepEqual((await found(world, id, 'cordelia')).flags, flags);
      assert.deepEqual((await found(world, id, 'administrator')).flags, []);
    },
  },
  {
    name: '(H1) a mention of both sets both flags for users who take part in the topic',
    as: 'hamlet',
    call: posting('public', { content: '@**topic** @**everyone**' }),
    events: () => ({
      cordelia: [
        { type: 'message', flags: ['wildcard_mentioned', 'stream_wildcard_mentioned', 'topic_wildcard_mentioned'] },
      ],
      administrator: [{ type: 'message', flags: ['wildcard_mentioned', 'stream_wildcard_mentioned'] }],
    }),
  },
  {
    name: '(H1) a silent mention of the topic sets no flag',
    as: 'hamlet',
    call: posting('public', { content: '@_**topic**' }),
    events: () => ({ cordelia: [{ type: 'message', flags: [] }] }),
  },
  refused(
    'a mention of a group without the permission is refused',
    'hamlet',
    posting('public', { content: '@*role:members*' }),
  ),
  {
    name: 'unsupported parameters are listed in ignored_parameters_unsupported',
    as: 'hamlet',
    call: posting('public', { widget: '{}', color: 'red' }),
    returns: { ...sent, ignored_parameters_unsupported: ['color', 'widget'] },
  },
  {
    name: 'clients that do not support the empty topic get its display name',
    as: 'hamlet',
    call: posting('public', { topic: '' }),
    events: () => ({ cordelia: [{ type: 'message', message: { subject: 'general chat' } }] }),
  },
  {
    name: 'a restricted guest sees the sender of a direct message before the message event',
    as: 'moderator',
    given: (world) => world.settings({ can_access_all_users_group: 6 }),
    call: [
      'messages.send',
      ({ users }) => ({ type: 'direct', to: [users.guest, users.administrator], content: 'Hello' }),
    ],
    events: ({ users }) => ({
      guest: [
        { type: 'realm_user', op: 'add', person: { user_id: users.administrator, full_name: 'Adam Administrator' } },
        { type: 'realm_user', op: 'add', person: { user_id: users.moderator, full_name: 'Mona Moderator' } },
        { type: 'message' },
      ],
      administrator: [{ type: 'message' }],
    }),
  },
]);
