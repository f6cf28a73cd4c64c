import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import type { UserName } from '../../../world/fixture.ts';
import { ABSENT, assertMatches } from '../../../world/matching.ts';
import type { World } from '../../../world/world.ts';
import { editing, QUIET, said, saidThree } from './said.ts';

const ROLE_NOBODY = 1;

type Kept = 'first' | 'second' | 'third';

const moving = (which: Kept, given: object | ((world: World) => object)) =>
  [
    'messages.edit',
    (world: World) => ({
      message_id: world.kept[which],
      ...QUIET,
      ...(typeof given === 'function' ? given(world) : given),
    }),
  ] as const;

/** Expected places of the three messages. */
const topics = async (world: World, as: UserName = 'hamlet') => {
  const { messages } = await world.as(as).messages.list({
    message_ids: (['first', 'second', 'third'] as const).map((one) => world.kept[one] as number),
    allow_empty_topic_name: true,
  });
  return messages.map(({ subject }) => subject);
};

const moves = (name: string, call: Case['call'], expected: readonly string[], more: Partial<Case> = {}): Case => ({
  name,
  as: 'hamlet',
  given: saidThree,
  call,
  state: async (world) => assert.deepEqual(await topics(world), expected),
  ...more,
});

const refused = (name: string, given: object | ((world: World) => object), more: Partial<Case> = {}): Case => ({
  name,
  as: 'hamlet',
  given: saidThree,
  call: moving('second', given),
  refuses: { code: 'BAD_REQUEST' },
  ...more,
});

const withSettings = (settings: Record<string, unknown>) => async (world: World) => {
  await saidThree(world);
  await world.settings(settings);
};

const newestIn = ({ channels, as }: World, topic: string) =>
  as('cordelia').messages.list({
    anchor: 'newest',
    num_before: 1,
    apply_markdown: false,
    narrow: [
      { operator: 'channel', operand: channels.public },
      { operator: 'topic', operand: topic },
    ],
  });

/** Messages that move by propagate_mode, and forms of topics. */
const topicsAndModes: Case[] = [
  moves(
    'change_one, the default, moves one message',
    moving('second', { topic: 'scenes' }),
    ['acts', 'scenes', 'acts'],
    {
      events: ({ kept }) => ({
        // The topic starts with her message, so she follows it.
        cordelia: [
          { type: 'muted_topics' },
          { type: 'user_topic', topic_name: 'scenes', visibility_policy: 3 },
          { type: 'update_message', message_ids: [kept.second], propagate_mode: 'change_one' },
        ],
      }),
    },
  ),
  moves(
    'change_later moves the message and those after it',
    moving('second', { topic: 'scenes', propagate_mode: 'change_later' }),
    ['acts', 'scenes', 'scenes'],
    {
      events: ({ kept }) => ({
        cordelia: [{ type: 'muted_topics' }, { type: 'user_topic' }, { message_ids: [kept.second, kept.third] }],
      }),
    },
  ),
  moves(
    'change_all moves the whole topic',
    moving('second', { topic: 'scenes', propagate_mode: 'change_all' }),
    ['scenes', 'scenes', 'scenes'],
    { events: ({ kept }) => ({ cordelia: [{ message_ids: [kept.first, kept.second, kept.third] }] }) },
  ),
  moves(
    'a topic moved onto an existing one joins it under the existing name',
    moving('second', { topic: 'GHOSTS', propagate_mode: 'change_all' }),
    ['ghosts', 'ghosts', 'ghosts'],
    { events: () => ({ cordelia: [{ orig_subject: 'acts', subject: 'ghosts' }] }) },
  ),
  moves(
    'a topic that changes only its case is respelled for all its messages',
    moving('second', { topic: 'ACTS' }),
    ['ACTS', 'ACTS', 'ACTS'],
    { events: ({ kept }) => ({ cordelia: [{ subject: 'ACTS', message_ids: [kept.first, kept.second, kept.third] }] }) },
  ),
  moves('a topic is trimmed', moving('second', { topic: ' scenes ' }), ['acts', 'scenes', 'acts']),
  moves('a topic that is too long is cut with truncate', moving('second', { topic: '🎭'.repeat(61), truncate: true }), [
    'acts',
    `${'🎭'.repeat(57)}...`,
    'acts',
  ]),
  moves('(no topic) is the empty topic', moving('second', { topic: '(no topic)' }), ['acts', '', 'acts']),
  moves(
    'the display name of the empty topic is the empty topic',
    moving('second', { topic: 'general chat' }),
    ['acts', '', 'acts'],
    {
      events: () => ({
        cordelia: [
          { type: 'muted_topics' },
          { type: 'user_topic', topic_name: 'general chat' },
          { subject: 'general chat' },
        ],
      }),
    },
  ),
  refused('a topic with control characters is refused', { topic: 'sc\u0007ene' }),
  refused(
    'a channel that requires topics refuses the empty topic',
    { topic: '' },
    {
      given: withSettings({ topics_policy: 'disable_empty_topic' }),
    },
  ),
  refused(
    'moving to another topic without the permission is refused',
    { topic: 'scenes' },
    {
      given: withSettings({ can_move_messages_between_topics_group: ROLE_NOBODY }),
    },
  ),
  moves(
    "the channel's permission to move messages is enough",
    moving('second', { topic: 'scenes' }),
    ['acts', 'scenes', 'acts'],
    {
      given: async (world) => {
        await withSettings({ can_move_messages_between_topics_group: ROLE_NOBODY })(world);
        const mine = { direct_members: [world.users.hamlet], direct_subgroups: [] };
        await world.storage.write((tx) =>
          tx.channels.update(world.channels.public, { settings: { can_move_messages_within_channel_group: mine } }),
        );
      },
    },
  ),
  moves(
    'resolving a topic needs only the permission to resolve topics',
    moving('second', { topic: '✔ acts', propagate_mode: 'change_all' }),
    ['✔ acts', '✔ acts', '✔ acts'],
    { given: withSettings({ can_move_messages_between_topics_group: ROLE_NOBODY }) },
  ),
  refused(
    'a user without the permission to resolve topics is refused',
    { topic: '✔ acts', propagate_mode: 'change_all' },
    {
      given: withSettings({ can_resolve_topics_group: ROLE_NOBODY }),
    },
  ),
  refused(
    'a member cannot move a message older than a week',
    { topic: 'scenes' },
    {
      given: async (world) => {
        await saidThree(world);
        world.clock.advance({ days: 8 });
      },
    },
  ),
  moves(
    'a moderator moves a message older than a week',
    moving('second', { topic: 'scenes' }),
    ['acts', 'scenes', 'acts'],
    {
      as: 'moderator',
      given: async (world) => {
        await saidThree(world);
        world.clock.advance({ days: 8 });
      },
    },
  ),
];

/** Moves to another channel, and events for users who cannot see it. */
const channels: Case[] = [
  {
    name: 'a message moves to another channel, and the event names both',
    as: 'hamlet',
    given: saidThree,
    call: moving('second', ({ channels }) => ({ stream_id: channels.default })),
    events: ({ channels, kept }) => ({
      hamlet: [
        {
          type: 'update_message',
          message_ids: [kept.second],
          stream_id: channels.public,
          new_stream_id: channels.default,
          orig_subject: 'acts',
          subject: ABSENT,
        },
      ],
      // (H9) The guest is subscribed only to the new channel.
      guest: [],
    }),
    state: async ({ as, kept, channels }) => {
      const { message } = await as('hamlet').messages.get({ message_id: kept.second as number });
      assert.deepEqual([message.stream_id, message.display_recipient], [channels.default, 'Square']);
    },
  },
  {
    name: 'readers who cannot see the new channel get an event that the messages are deleted',
    as: 'hamlet',
    given: saidThree,
    call: moving('second', ({ channels }) => ({ stream_id: channels.shared, propagate_mode: 'change_later' })),
    events: ({ kept, channels }) => ({
      cordelia: [
        { type: 'delete_message', message_id: kept.second, stream_id: channels.public, topic: 'acts' },
        { type: 'delete_message', message_id: kept.third },
      ],
      moderator: [{ type: 'update_message' }],
    }),
  },
  {
    name: '(H9) a guest in both channels gets the event of a move',
    as: 'hamlet',
    given: async (world) => {
      const { as, users } = world;
      await saidThree(world);
      await as('hamlet').subscriptions.add({ subscriptions: [{ name: 'Denmark' }], principals: [users.guest] });
    },
    call: moving('second', ({ channels }) => ({ stream_id: channels.default })),
    events: ({ channels }) => ({ guest: [{ type: 'update_message', new_stream_id: channels.default }] }),
  },
  {
    name: '(H9) a guest who could read the old channel without a subscription gets the event of a move',
    as: 'hamlet',
    given: async ({ as, settings }) => {
      await settings({ move_messages_between_streams_limit_seconds: null });
      await as('guest').subscriptions.remove({ subscriptions: ['Harbour'] });
    },
    call: [
      'messages.edit',
      ({ messages, channels }) => ({ message_id: messages.harbour, stream_id: channels.default, ...QUIET }),
    ],
    events: ({ channels }) => ({ guest: [{ type: 'update_message', new_stream_id: channels.default }] }),
  },
  {
    name: '(H9) a member who is subscribed only to the new channel gets the event of a move',
    as: 'hamlet',
    given: async (world) => {
      await saidThree(world);
      await world.as('moderator').subscriptions.add({ subscriptions: [{ name: 'Square' }] });
    },
    call: moving('second', ({ channels }) => ({ stream_id: channels.default })),
    events: ({ channels }) => ({ moderator: [{ type: 'update_message', new_stream_id: channels.default }] }),
  },
  {
    name: '(H16) a user who is subscribed only to the old channel has moved messages as read, without another event',
    as: 'hamlet',
    given: saidThree,
    call: moving('first', ({ channels }) => ({ stream_id: channels.default, propagate_mode: 'change_all' })),
    events: ({ kept }) => ({
      cordelia: [{ type: 'update_message', message_ids: [kept.first, kept.second, kept.third], flags: ['read'] }],
    }),
    state: async ({ as, kept }) => {
      const { messages } = await as('cordelia').messages.list({
        message_ids: [kept.first as number, kept.third as number],
      });
      assert.ok(messages.every(({ flags }) => flags?.includes('read')));
    },
  },
  {
    name: '(H16) a star stays in the flags of the event, with the flag for messages not received',
    as: 'hamlet',
    given: async (world) => {
      await saidThree(world);
      const messages = [world.kept.second as number];
      await world.as('cordelia').messages.updateFlags({ messages, op: 'add', flag: 'starred' });
    },
    call: moving('second', ({ channels }) => ({ stream_id: channels.default })),
    events: () => ({
      cordelia: [
        { type: 'muted_topics' },
        { type: 'user_topic' },
        { type: 'update_message', flags: ['read', 'starred', 'historical'] },
      ],
    }),
  },
  {
    name: '(H16) a user who has starred a message without receiving it gets no other flag by an edit',
    as: 'hamlet',
    given: async (world) => {
      await said(world);
      const messages = [world.kept.id as number];
      for (const op of ['add', 'remove'] as const)
        await world.as('moderator').messages.updateFlags({ messages, op, flag: 'starred' });
      await world.as('moderator').messages.addReaction({ message_id: world.kept.id as number, emoji_name: 'tada' });
    },
    call: editing({ content: 'two' }),
    events: () => ({ moderator: [{ type: 'update_message', flags: ['read'] }] }),
  },
  refused(
    'moving out of a channel without the permission is refused',
    ({ channels }) => ({ stream_id: channels.default }),
    {
      given: withSettings({ can_move_messages_between_channels_group: ROLE_NOBODY }),
    },
  ),
  refused('moving to a channel the caller cannot read is refused', ({ channels }) => ({
    stream_id: channels.protected,
  })),
  refused('moving to an archived channel is refused', ({ channels }) => ({ stream_id: channels.archived })),
  refused(
    'moving to a channel the caller may not post in is refused',
    ({ channels }) => ({ stream_id: channels.default }),
    {
      given: async (world) => {
        await saidThree(world);
        const settings = { can_send_message_group: ROLE_NOBODY };
        await world.storage.write((tx) => tx.channels.update(world.channels.default, { settings }));
      },
    },
  ),
  refused(
    'a move with a new topic is refused without the permission to move out of the channel',
    ({ channels }) => ({
      stream_id: channels.default,
      topic: 'scenes',
      propagate_mode: 'change_all',
    }),
    { given: withSettings({ can_move_messages_between_channels_group: ROLE_NOBODY }) },
  ),
];

/** Messages of the notification bot. */
const notifications: Case[] = [
  {
    name: 'by default the notification bot posts in the new topic and not in the old one',
    as: 'hamlet',
    given: saidThree,
    call: ['messages.edit', ({ kept }) => ({ message_id: kept.second, topic: 'scenes' })],
    state: async (world) => {
      const [there] = (await newestIn(world, 'scenes')).messages;
      assert.match(String(there?.content), /moved a message here from #\*\*Denmark>acts\*\*/);
      assert.equal((await newestIn(world, 'acts')).messages[0]?.content, 'three');
    },
  },
  {
    name: 'the notification bot posts only in the old topic when the request says so',
    as: 'hamlet',
    given: saidThree,
    call: moving('second', { topic: 'scenes', send_notification_to_old_thread: true }),
    state: async (world) => {
      assert.equal((await newestIn(world, 'scenes')).messages[0]?.content, 'two');
      assert.match(String((await newestIn(world, 'acts')).messages[0]?.content), /to #\*\*Denmark>scenes\*\*/);
    },
  },
  {
    name: 'the message in the old topic does not name a private channel or its topics',
    as: 'hamlet',
    given: saidThree,
    call: moving('second', ({ channels }) => ({
      stream_id: channels.shared,
      topic: 'conspiracy',
      send_notification_to_old_thread: true,
      send_notification_to_new_thread: true,
    })),
    state: async (world) => {
      const [left] = (await newestIn(world, 'acts')).messages;
      assert.match(String(left?.content), /moved a message from here to a private channel\.$/);
      const there = [{ operator: 'channel', operand: world.channels.shared }];
      const around = { anchor: 'newest', num_before: 1, narrow: there, apply_markdown: false } as const;
      const [arrived] = (await world.as('hamlet').messages.list(around)).messages;
      assert.match(String(arrived?.content), /moved a message here from #\*\*Denmark>acts\*\*\.$/);
    },
  },
  {
    name: 'the message in the new topic does not name the private channel the messages come from',
    as: 'hamlet',
    call: [
      'messages.edit',
      ({ channels, messages }) => ({
        message_id: messages.council,
        stream_id: channels.public,
        topic: 'acts',
        propagate_mode: 'change_all',
        send_notification_to_old_thread: true,
      }),
    ],
    given: ({ settings }) => settings({ move_messages_between_streams_limit_seconds: null }),
    state: async (world) => {
      const [arrived] = (await newestIn(world, 'acts')).messages;
      assert.match(String(arrived?.content), /moved this topic here from a private channel\.$/);
    },
  },
  {
    name: 'the notification bot does not post in an old topic that takes no messages',
    as: 'hamlet',
    given: async (world) => {
      const { channels, kept } = world;
      const to = { type: 'channel', to: channels.public, topic: '' } as const;
      kept.id = (await world.as('hamlet').messages.send({ ...to, content: 'nowhere yet' })).id;
      await world.as('owner').organization.edit({ topics_policy: 'disable_empty_topic' });
    },
    call: [
      'messages.edit',
      ({ kept }) => ({ message_id: kept.id, topic: 'acts', send_notification_to_old_thread: true }),
    ],
    state: async ({ as, channels }) => {
      const { topics } = await as('hamlet').topics.list({ stream_id: channels.public, allow_empty_topic_name: true });
      assert.ok(topics.some((topic) => topic.name === 'acts'));
      assert.ok(!topics.some((topic) => topic.name === ''), 'the empty topic has no messages');
    },
  },
  {
    name: 'the notification bot does not post about an edit of the content alone',
    as: 'hamlet',
    given: said,
    call: editing({ content: 'two', send_notification_to_new_thread: true, send_notification_to_old_thread: true }),
    events: () => ({ cordelia: [{ type: 'update_message' }] }),
  },
];

const audited = (name: string, given: Parameters<typeof moving>[1], details: (world: World) => object[]): Case => ({
  name,
  as: 'owner',
  given: saidThree,
  call: moving('second', given),
  state: async (world) => {
    const entries = await world.storage.read((tx) => tx.audit.list({ since: 0, action: 'messages.edit', limit: 9 }));
    assertMatches(
      entries.map((entry) => entry.details),
      details(world),
    );
  },
});

const audits: Case[] = [
  audited(
    'the audit log has both channels of a moved message of another user',
    ({ channels }) => ({ stream_id: channels.default }),
    ({ users, channels }) => [
      { sender_id: users.cordelia, from_stream_id: channels.public, stream_id: channels.default },
    ],
  ),
  audited(
    'the audit log has one channel for a message of another user that changes its topic',
    { topic: 'scenes' },
    ({ users, channels }) => [{ sender_id: users.cordelia, from_stream_id: ABSENT, stream_id: channels.public }],
  ),
  audited(
    'the audit log has no entry of a resolved topic',
    { topic: '✔ acts', propagate_mode: 'change_all' },
    () => [],
  ),
];

/** Resolves the topic and returns the users who have its notice as read. */
const resolves = (
  name: string,
  given: (world: World) => Promise<unknown>,
  notice: string[],
  more?: Partial<Case>,
): Case => ({
  name,
  as: 'hamlet',
  given: async (world) => {
    await saidThree(world);
    await given(world);
  },
  call: ['messages.edit', ({ kept }) => ({ message_id: kept.second, topic: '✔ acts', propagate_mode: 'change_all' })],
  state: async (world) => {
    assert.deepEqual((await newestIn(world, '✔ acts')).messages[0]?.flags, notice);
    const { messages } = await world.as('hamlet').messages.list({ anchor: 'newest', num_before: 1 });
    assert.deepEqual(messages[0]?.flags, ['read'], 'the user who resolved the topic has the notice as read');
  },
  ...more,
});

const policy =
  (resolved_topic_notice_auto_read_policy: 'always' | 'except_followed' | 'never', follows: boolean) =>
  async ({ as, channels }: World) => {
    await as('cordelia').settings.edit({ resolved_topic_notice_auto_read_policy });
    if (!follows) return;
    await as('cordelia').userTopics.set({ stream_id: channels.public, topic: 'acts', visibility_policy: 3 });
  };

const resolvedNotices: Case[] = [
  resolves('(H2) a notice of a resolved topic is read for subscribers who do not follow it', async () => {}, ['read'], {
    events: () => ({
      cordelia: [{ type: 'update_message' }, { type: 'message', flags: ['read'] }],
      administrator: [{ type: 'update_message' }, { type: 'message', flags: ['read'] }],
    }),
  }),
  resolves(
    '(H2) a notice of a resolved topic is unread for a user who follows the topic',
    policy('except_followed', true),
    [],
    {
      events: () => ({
        cordelia: [
          { type: 'muted_topics' },
          { type: 'user_topic', topic_name: 'acts' },
          { type: 'user_topic', topic_name: '✔ acts' },
          { type: 'update_message' },
          { type: 'message', flags: [] },
        ],
        administrator: [{ type: 'update_message' }, { type: 'message', flags: ['read'] }],
      }),
    },
  ),
  resolves(
    '(H2) a notice of a resolved topic is read for all subscribers if no user follows the topic',
    ({ as, channels }) =>
      as('hamlet').userTopics.set({ stream_id: channels.public, topic: 'acts', visibility_policy: 0 }),
    ['read'],
  ),
  resolves(
    '(H2) a notice of a resolved topic is unread for a user who wants all notices unread',
    policy('never', false),
    [],
  ),
  resolves(
    '(H2) a notice of a resolved topic is read for a follower who wants no notice unread',
    policy('always', true),
    ['read'],
  ),
  {
    name: '(H2) the notice of a moved topic stays unread',
    as: 'hamlet',
    given: saidThree,
    call: [
      'messages.edit',
      ({ kept }) => ({ message_id: kept.second, topic: '✔ scenes', propagate_mode: 'change_all' }),
    ],
    state: async (world) => assert.deepEqual((await newestIn(world, '✔ scenes')).messages[0]?.flags, []),
  },
];

export const moveMessageCases = cases('messages.edit', [
  ...topicsAndModes,
  ...channels,
  ...notifications,
  ...audits,
  ...resolvedNotices,
]);
