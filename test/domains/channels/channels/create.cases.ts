import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import { CHANNELS } from '../../../world/fixture.ts';
import { ABSENT, assertMatches } from '../../../world/matching.ts';
import type { World } from '../../../world/world.ts';

const created = { id: (id: unknown) => Number.isSafeInteger(id) };
/** The first message of a new channel is sent after all other events. */
const first = { type: 'stream', op: 'update', property: 'first_message_id', value: (id: unknown) => Number(id) > 0 };

const bare = { name: 'Wittenberg', subscribers: [] };

/** The new channel as an owner gets it. */
async function made(world: World, { id }: { id: number }) {
  return (await world.as('owner').channels.get({ stream_id: id })).stream;
}

/** Expects a call with one more parameter to give a channel with this field. */
function keeps(name: string, given: object, found: object, as: Case['as'] = 'hamlet'): Case {
  return {
    name,
    as,
    call: ['channels.create', { ...bare, ...given }],
    returns: created,
    state: async (world, answer) => {
      assertMatches(await made(world, answer), found);
    },
  };
}

const refused = (name: string, given: object, says: RegExp, more: Partial<Case> = {}): Case => ({
  name,
  as: 'hamlet',
  call: ['channels.create', { ...bare, ...given }],
  refuses: { code: 'BAD_REQUEST', says },
  ...more,
});

const ROLE_NOBODY = 1;
const OWNERS = 2;
const ADMINISTRATORS = 3;
const MODERATORS = 4;
const EVERYONE = 7;
const INTERNET = 8;

const parameters: Case[] = [
  {
    name: 'name is required',
    as: 'hamlet',
    call: ['channels.create', { subscribers: [] }],
    refuses: { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'name' } },
  },
  {
    name: 'subscribers is required',
    as: 'hamlet',
    call: ['channels.create', { name: 'Wittenberg' }],
    refuses: { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'subscribers' } },
  },
  {
    name: 'parameters are checked in the order of their declaration',
    as: 'hamlet',
    call: ['channels.create', { subscribers: 'none', invite_only: 'perhaps' }],
    refuses: { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'name' } },
  },
  refused('subscribers is a list of user IDs', { subscribers: 'hamlet' }, /subscribers/),
  refused('addresses as subscribers are refused', { subscribers: ['hamlet@example.com'] }, /subscribers\[0\]/),
  refused('a boolean other than true and false is refused', { invite_only: 'yes' }, /invite_only/),
  refused(
    'a group-setting value other than an integer or object is refused',
    { can_send_message_group: 'everyone' },
    /can_send_message_group/,
  ),
  refused(
    'a group-setting object with keys other than direct_members and direct_subgroups is refused',
    { can_send_message_group: { direct_members: [], direct_subgroups: [], members: [] } },
    /can_send_message_group/,
  ),
  {
    name: 'parameters that the endpoint does not support are listed in ignored_parameters_unsupported',
    as: 'hamlet',
    call: ['channels.create', { ...bare, principals: [1], colour: 'red' }],
    returns: { ...created, ignored_parameters_unsupported: ['colour', 'principals'] },
  },
  keeps('the response has the ID of the channel, and the channel has the given name', {}, { name: 'Wittenberg' }),
  keeps('a name is trimmed', { name: '  Wittenberg ' }, { name: 'Wittenberg' }),
  keeps('a name of max_stream_name_length characters is accepted', { name: 'ä'.repeat(60) }, { name: 'ä'.repeat(60) }),
  keeps('the length of a name is counted in code points', { name: '🎭'.repeat(60) }, { name: '🎭'.repeat(60) }),
  refused('a name longer than max_stream_name_length is refused', { name: 'ä'.repeat(61) }, /limit: 60/),
  refused('a name of only spaces is refused', { name: '   ' }, /empty/),
  refused('a name with control characters is refused', { name: 'Witten\u0007berg' }, /position 7/),
  refused('a name with a NUL is refused', { name: 'Witten\0berg' }, /NUL/),
  {
    name: 'a name in use is refused, whatever its case',
    as: 'hamlet',
    call: ['channels.create', { name: 'dENMARK', subscribers: [] }],
    refuses: { code: 'CHANNEL_ALREADY_EXISTS', data: { channel_name: 'dENMARK' } },
  },
  {
    name: 'the name of an archived channel is refused as in use',
    as: 'hamlet',
    call: ['channels.create', { name: CHANNELS.archived, subscribers: [] }],
    refuses: { code: 'CHANNEL_ALREADY_EXISTS', data: { channel_name: CHANNELS.archived } },
  },
  keeps(
    'a description is rendered as Markdown',
    { description: 'For **study**' },
    { rendered_description: '<p>For <strong>study</strong></p>' },
  ),
  keeps(
    'the newlines of a description become spaces',
    { description: 'one\ntwo\r\nthree' },
    { description: 'one two three' },
  ),
  keeps('a description is empty by default', {}, { description: '', rendered_description: '' }),
  keeps(
    'a description of 1024 characters is accepted',
    { description: 'x'.repeat(1024) },
    { description: 'x'.repeat(1024) },
  ),
  refused(
    'a description longer than max_stream_description_length is refused',
    { description: 'x'.repeat(1025) },
    /limit: 1024/,
  ),
];

const kinds: Case[] = [
  keeps(
    'a channel is public by default',
    {},
    { invite_only: false, is_web_public: false, history_public_to_subscribers: true },
  ),
  keeps(
    'invite_only makes a private channel',
    { invite_only: true },
    { invite_only: true, history_public_to_subscribers: false },
  ),
  keeps(
    'history_public_to_subscribers: new subscribers of a private channel see earlier history',
    { invite_only: true, history_public_to_subscribers: true },
    { invite_only: true, history_public_to_subscribers: true },
  ),
  keeps(
    'the history of a public channel is always open',
    { history_public_to_subscribers: false },
    { history_public_to_subscribers: true },
  ),
  {
    name: 'the creator is recorded and administers the channel',
    as: 'hamlet',
    call: ['channels.create', bare],
    state: async (world, answer) => {
      const stream = await made(world, answer);
      assert.equal(stream.creator_id, world.users.hamlet);
      assert.deepEqual(stream.can_administer_channel_group, {
        direct_members: [world.users.hamlet],
        direct_subgroups: [],
      });
    },
  },
  keeps(
    'permissions have their defaults unless the request sets them',
    {},
    {
      can_add_subscribers_group: ROLE_NOBODY,
      can_delete_any_message_group: ROLE_NOBODY,
      can_delete_own_message_group: ROLE_NOBODY,
      can_move_messages_out_of_channel_group: ROLE_NOBODY,
      can_move_messages_within_channel_group: ROLE_NOBODY,
      can_remove_subscribers_group: ADMINISTRATORS,
      can_resolve_topics_group: ROLE_NOBODY,
      can_send_message_group: EVERYONE,
      can_subscribe_group: ROLE_NOBODY,
    },
  ),
  {
    name: 'is_web_public needs the organization setting enable_spectator_access',
    as: 'owner',
    call: ['channels.create', { ...bare, is_web_public: true }],
    refuses: { code: 'BAD_REQUEST', says: /Web-public channels are off/ },
  },
  {
    name: 'is_web_public needs the server setting WEB_PUBLIC_STREAMS_ENABLED',
    as: 'owner',
    webPublicChannels: false,
    given: (world) => world.settings({ enable_spectator_access: true }),
    call: ['channels.create', { ...bare, is_web_public: true }],
    refuses: { code: 'BAD_REQUEST', says: /Web-public channels are off/ },
  },
  {
    name: 'is_web_public needs membership in can_create_web_public_channel_group',
    as: 'administrator',
    given: (world) => world.settings({ enable_spectator_access: true }),
    call: ['channels.create', { ...bare, is_web_public: true }],
    refuses: { code: 'BAD_REQUEST', says: /web-public/ },
  },
  {
    ...keeps(
      'is_web_public makes a web-public channel',
      { is_web_public: true },
      { is_web_public: true, invite_only: false },
      'owner',
    ),
    given: (world) => world.settings({ enable_spectator_access: true }),
  },
  {
    name: 'a channel cannot be private and web-public at the same time',
    as: 'owner',
    given: (world) => world.settings({ enable_spectator_access: true }),
    call: ['channels.create', { ...bare, is_web_public: true, invite_only: true }],
    refuses: { code: 'BAD_REQUEST' },
  },
  {
    name: 'is_default_stream adds the channel as a default channel for new users',
    as: 'administrator',
    call: ['channels.create', { ...bare, is_default_stream: true }],
    events: (world) => ({
      moderator: [
        { type: 'stream', op: 'create' },
        { type: 'default_streams', default_streams: [world.channels.default, (id: unknown) => typeof id === 'number'] },
        first,
      ],
      guest: [],
    }),
    state: async (world, { id }) => {
      const { user_id } = await world.as('owner').users.create({ email: 'horatio@example.com', full_name: 'Horatio' });
      const { subscriptions } = await world.chat.as(user_id).subscriptions.list();
      assert.ok(subscriptions.some((one) => one.stream_id === id));
    },
  },
  refused('a default channel is refused to a non-administrator', { is_default_stream: true }, /administrators/, {
    as: 'moderator',
  }),
  refused('a default channel cannot be private', { is_default_stream: true, invite_only: true }, /private/, {
    as: 'owner',
  }),
  {
    name: 'folder_id adds the channel to a folder',
    as: 'hamlet',
    call: ['channels.create', (world) => ({ ...bare, folder_id: world.folders.plays })],
    state: async (world, answer) => {
      assert.equal((await made(world, answer)).folder_id, world.folders.plays);
    },
  },
  refused('a folder that does not exist is refused', { folder_id: 9999 }, /folder/),
  refused('an archived folder is refused', {}, /archived/, {
    call: ['channels.create', (world) => ({ ...bare, folder_id: world.folders.oldPlays })],
  }),
];

const policies: Case[] = [
  keeps('topics_policy is inherit by default', {}, { topics_policy: 'inherit' }),
  ...['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only'].map((topics_policy) =>
    keeps(`topics_policy takes ${topics_policy}`, { topics_policy }, { topics_policy }),
  ),
  ...['"inherit"', '"allow_empty_topic"'].map(
    (topics_policy): Case => ({
      ...keeps(
        `B2: topics_policy takes ${topics_policy}`,
        { topics_policy },
        { topics_policy: JSON.parse(topics_policy) },
      ),
      only: 'HTTP',
    }),
  ),
  refused('an unknown topics_policy is refused', { topics_policy: 'no_topics' }, /topics_policy/),
  refused(
    'setting topics_policy needs membership in can_set_topics_policy_group',
    { topics_policy: 'disable_empty_topic' },
    /topics policy/,
    {
      given: (world) => world.settings({ can_set_topics_policy_group: MODERATORS }),
    },
  ),
  keeps('message_retention_days is the default of the organization by default', {}, { message_retention_days: null }),
  keeps(
    'message_retention_days takes a number of days',
    { message_retention_days: 30 },
    { message_retention_days: 30 },
    'owner',
  ),
  keeps(
    'message_retention_days takes realm_default',
    { message_retention_days: 'realm_default' },
    { message_retention_days: null },
  ),
  keeps(
    'message_retention_days takes unlimited',
    { message_retention_days: 'unlimited' },
    { message_retention_days: -1 },
    'owner',
  ),
  {
    ...keeps(
      'message_retention_days takes a JSON string, quotes included',
      { message_retention_days: '"unlimited"' },
      { message_retention_days: -1 },
      'owner',
    ),
    only: 'HTTP',
  },
  refused(
    'message_retention_days with any other text is refused',
    { message_retention_days: 'forever' },
    /message_retention_days/,
    { as: 'owner' },
  ),
  refused('message_retention_days below 1 is refused', { message_retention_days: 0 }, /message_retention_days/, {
    as: 'owner',
  }),
  {
    name: 'only an owner can set message_retention_days',
    as: 'administrator',
    call: ['channels.create', { ...bare, message_retention_days: 30 }],
    refuses: { code: 'UNAUTHORIZED_PRINCIPAL' },
  },
];

const settings = [
  'can_add_subscribers_group',
  'can_administer_channel_group',
  'can_delete_any_message_group',
  'can_delete_own_message_group',
  'can_move_messages_out_of_channel_group',
  'can_move_messages_within_channel_group',
  'can_remove_subscribers_group',
  'can_resolve_topics_group',
  'can_send_message_group',
  'can_subscribe_group',
];
const notForEveryone = ['can_add_subscribers_group', 'can_administer_channel_group', 'can_subscribe_group'];

const permissions: Case[] = [
  ...settings.flatMap((setting): Case[] => [
    keeps(`${setting} takes the ID of a system group`, { [setting]: OWNERS }, { [setting]: OWNERS }, 'moderator'),
    {
      name: `${setting} takes users and groups listed one by one`,
      as: 'moderator',
      call: [
        'channels.create',
        ({ users, groups }) => ({
          ...bare,
          [setting]: { direct_members: [users.cordelia, users.hamlet], direct_subgroups: [groups.kitchen] },
        }),
      ],
      state: async (world, answer) => {
        const stream = (await made(world, answer)) as Record<string, unknown>;
        const { users, groups } = world;
        const wanted = { direct_members: [users.hamlet, users.cordelia], direct_subgroups: [groups.kitchen] };
        assert.deepEqual(stream[setting], wanted);
      },
    },
    refused(`${setting} cannot be role:internet`, { [setting]: INTERNET }, /role:internet/, { as: 'owner' }),
    notForEveryone.includes(setting)
      ? refused(`${setting} cannot be role:everyone`, { [setting]: EVERYONE }, /role:everyone/, { as: 'owner' })
      : keeps(`${setting} can be role:everyone`, { [setting]: EVERYONE }, { [setting]: EVERYONE }, 'owner'),
    keeps(`${setting} can be role:nobody`, { [setting]: ROLE_NOBODY }, { [setting]: ROLE_NOBODY }),
  ]),
  refused('a permission with an unknown group is refused', { can_send_message_group: 9999 }, /does not exist/),
  refused('a permission cannot name a deactivated group', {}, /deactivated/, {
    call: ['channels.create', ({ groups }) => ({ ...bare, can_send_message_group: groups.disbanded })],
  }),
  refused('a permission cannot name a deactivated group inside an object', {}, /deactivated/, {
    call: [
      'channels.create',
      ({ groups, users }) => ({
        ...bare,
        can_send_message_group: { direct_members: [users.hamlet], direct_subgroups: [groups.disbanded] },
      }),
    ],
  }),
  refused('a permission with an unknown user is refused', {}, /does not exist/, {
    call: ['channels.create', { ...bare, can_send_message_group: { direct_members: [9999], direct_subgroups: [] } }],
  }),
  refused('a permission cannot name a deactivated user', {}, /deactivated/, {
    call: [
      'channels.create',
      ({ users }) => ({
        ...bare,
        can_send_message_group: { direct_members: [users.deactivated], direct_subgroups: [] },
      }),
    ],
  }),
  keeps(
    'a permission object with one group and no members is stored as that group',
    { can_send_message_group: { direct_members: [], direct_subgroups: [MODERATORS] } },
    { can_send_message_group: MODERATORS },
  ),
  keeps(
    'an empty permission object is stored as role:nobody',
    { can_send_message_group: { direct_members: [], direct_subgroups: [] } },
    { can_send_message_group: ROLE_NOBODY },
  ),
  ...['can_delete_any_message_group', 'can_delete_own_message_group'].map((setting) =>
    refused(`${setting} needs can_set_delete_message_policy_group`, { [setting]: MODERATORS }, /delete/),
  ),
  keeps(
    'stream_post_policy is derived for old clients',
    { can_send_message_group: ADMINISTRATORS },
    {
      stream_post_policy: 2,
      is_announcement_only: true,
    },
  ),
];

const who: Case[] = [
  {
    name: 'a guest is refused before the parameters are read',
    as: 'guest',
    call: ['channels.create', {}],
    refuses: { code: 'BAD_REQUEST', says: /Guests/ },
  },
  {
    name: 'a request without credentials is refused',
    as: 'anonymous',
    call: ['channels.create', bare],
    refuses: { code: 'UNAUTHORIZED', status: 401 },
  },
  {
    name: 'a deactivated account is refused',
    as: 'deactivated',
    call: ['channels.create', bare],
    refuses: { code: 'UNAUTHORIZED', status: 401, data: { reason: 'deactivated' } },
  },
  {
    name: 'an incoming-webhook bot cannot create channels',
    as: 'webhook',
    call: ['channels.create', bare],
    refuses: { code: 'UNAUTHORIZED', status: 401 },
  },
  { name: 'a bot can create a channel', as: 'bot', call: ['channels.create', bare], returns: created },
  refused('a public channel needs can_create_public_channel_group', {}, /public/, {
    given: (world) => world.settings({ can_create_public_channel_group: MODERATORS }),
  }),
  {
    ...keeps(
      'a private channel does not need can_create_public_channel_group',
      { invite_only: true },
      { invite_only: true },
    ),
    given: (world) => world.settings({ can_create_public_channel_group: MODERATORS }),
  },
  refused('a private channel needs can_create_private_channel_group', { invite_only: true }, /private/, {
    given: (world) => world.settings({ can_create_private_channel_group: MODERATORS }),
  }),
  {
    name: 'a member inside the waiting period is not a full member',
    as: 'newcomer',
    given: (world) => world.settings({ can_create_public_channel_group: 5, waiting_period_threshold: 3 }),
    call: ['channels.create', bare],
    refuses: { code: 'BAD_REQUEST' },
  },
  {
    name: 'a member past the waiting period is a full member',
    as: 'hamlet',
    given: (world) => world.settings({ can_create_public_channel_group: 5, waiting_period_threshold: 3 }),
    call: ['channels.create', bare],
    returns: created,
  },
  {
    name: 'a member of a subgroup may create channels through the parent group',
    as: 'cordelia',
    given: (world) => world.settings({ can_create_public_channel_group: world.groups.kitchen }),
    call: ['channels.create', bare],
    returns: created,
  },
];

const subscribers: Case[] = [
  {
    name: 'subscribes the users of subscribers, bots included, and not the creator unless listed',
    as: 'hamlet',
    call: [
      'channels.create',
      ({ users }) => ({ name: 'Wittenberg', subscribers: [users.cordelia, users.bot, users.cordelia] }),
    ],
    state: async (world, { id }) => {
      const { subscribers } = await world.as('owner').channels.subscribers({ stream_id: id });
      assert.deepEqual(subscribers, [world.users.cordelia, world.users.bot]);
    },
  },
  refused('an unknown subscriber is refused, and no channel is created', {}, /no user with ID 9999/, {
    call: ['channels.create', ({ users }) => ({ name: 'Wittenberg', subscribers: [users.cordelia, 9999] })],
  }),
  refused('a deactivated subscriber is refused, and no channel is created', {}, /deactivated/, {
    call: ['channels.create', ({ users }) => ({ name: 'Wittenberg', subscribers: [users.deactivated] })],
  }),
  refused('a system bot as subscriber is refused', {}, /no user with ID/, {
    call: ['channels.create', { name: 'Wittenberg', subscribers: [1] }],
  }),
  {
    name: 'a new channel needs no permission to add subscribers',
    as: 'hamlet',
    given: (world) => world.settings({ can_add_subscribers_group: ROLE_NOBODY }),
    call: ['channels.create', ({ users }) => ({ name: 'Wittenberg', subscribers: [users.cordelia] })],
    returns: created,
  },
  {
    name: 'send_new_subscription_messages sends no direct messages about a new channel',
    as: 'hamlet',
    call: [
      'channels.create',
      ({ users }) => ({ name: 'Wittenberg', subscribers: [users.cordelia], send_new_subscription_messages: true }),
    ],
    events: () => ({
      cordelia: [
        { type: 'stream', op: 'create' },
        { type: 'subscription', op: 'add' },
        { type: 'message', message: { type: 'stream' } },
        first,
      ],
    }),
  },
];

const stream = {
  type: 'stream',
  op: 'create',
  streams: [{ name: 'Wittenberg', subscriber_count: 0, is_recently_active: true, first_message_id: null }],
};

/** The direct message to a user that the creator has subscribed. */
const shared = { type: 'stream', op: 'create', streams: [{ first_message_id: null }] };

const events: Case[] = [
  {
    name: '(H14) a public channel appears to all members and to subscribed guests, without a first message',
    as: 'hamlet',
    call: ['channels.create', ({ users }) => ({ name: 'Wittenberg', subscribers: [users.guest, users.hamlet] })],
    events: ({ users }) => {
      const mine = {
        type: 'subscription',
        op: 'add',
        subscriptions: [
          {
            name: 'Wittenberg',
            subscribers: [users.hamlet, users.guest],
            is_muted: false,
            color: /^#[0-9a-f]{6}$/,
            first_message_id: null,
          },
        ],
      };
      const opening = {
        type: 'message',
        message: { sender_full_name: 'Notification Bot', subject: 'channel events', display_recipient: 'Wittenberg' },
      };
      const peers = {
        type: 'subscription',
        op: 'peer_add',
        user_ids: [users.hamlet, users.guest],
        stream_ids: [(id: unknown) => !!id],
      };
      return {
        hamlet: [stream, mine, { ...opening, flags: ['read'] }, first],
        guest: [shared, mine, { ...opening, flags: [] }, first],
        moderator: [stream, peers, first],
        owner: [stream, peers, first],
        bot: [stream, peers, first],
      };
    },
  },
  {
    name: 'a private channel appears only to subscribers, administrators and the members its settings name',
    as: 'hamlet',
    call: [
      'channels.create',
      ({ users }) => ({
        name: 'Wittenberg',
        subscribers: [users.cordelia],
        invite_only: true,
        can_add_subscribers_group: { direct_members: [users.moderator, users.guest], direct_subgroups: [] },
      }),
    ],
    events: ({ users }) => ({
      cordelia: [shared, { type: 'subscription', op: 'add' }, { type: 'message' }, first],
      owner: [stream, { type: 'subscription', op: 'peer_add', user_ids: [users.cordelia] }, first],
      administrator: [stream, { type: 'subscription', op: 'peer_add' }, first],
      moderator: [stream, { type: 'subscription', op: 'peer_add' }, first],
      hamlet: [stream, { type: 'subscription', op: 'peer_add' }, first],
      newcomer: [],
      guest: [],
    }),
  },
  {
    name: 'a web-public channel appears to guests too',
    as: 'owner',
    given: (world) => world.settings({ enable_spectator_access: true }),
    call: ['channels.create', { ...bare, is_web_public: true }],
    events: () => ({ guest: [stream, first], hamlet: [stream, first] }),
  },
  {
    name: 'the notification bot opens the channel with its kind, its creator and its description, read by the creator',
    as: 'hamlet',
    call: [
      'channels.create',
      ({ users }) => ({ name: 'Wittenberg', description: 'For study', subscribers: [users.hamlet, users.cordelia] }),
    ],
    state: async (world, { id }) => {
      const narrow = [{ operator: 'channel', operand: id }];
      const read = (user: 'hamlet' | 'cordelia') =>
        world.as(user).messages.list({ anchor: 'newest', num_before: 5, narrow, apply_markdown: false });
      const { messages } = await read('hamlet');
      assertMatches(messages, [{ flags: ['read'], sender_full_name: 'Notification Bot' }]);
      for (const part of ['**Public**', `@_**Hamlet|${world.users.hamlet}**`, 'For study']) {
        assert.ok(messages[0]?.content.includes(part), part);
      }
      assertMatches((await read('cordelia')).messages, [{ flags: [] }]);
    },
  },
  {
    name: 'an empty_topic_only channel gets its first message in the empty topic',
    as: 'hamlet',
    call: [
      'channels.create',
      ({ users }) => ({ name: 'Wittenberg', subscribers: [users.hamlet], topics_policy: 'empty_topic_only' }),
    ],
    events: () => ({
      hamlet: [
        stream,
        { type: 'subscription', op: 'add' },
        { type: 'message', message: { subject: 'general chat' } },
        first,
      ],
    }),
  },
  {
    name: 'the notification bot posts nothing if send_channel_events_messages is false',
    as: 'hamlet',
    given: (world) => world.settings({ send_channel_events_messages: false }),
    call: ['channels.create', ({ users }) => ({ name: 'Wittenberg', subscribers: [users.hamlet] })],
    events: () => ({
      hamlet: [
        { type: 'stream', op: 'create', streams: [{ first_message_id: null }] },
        { type: 'subscription', op: 'add' },
      ],
    }),
  },
  {
    name: 'announce posts a message in the announcement channel of the organization',
    as: 'moderator',
    given: (world) => world.settings({ new_stream_announcements_stream_id: world.channels.public }),
    call: ['channels.create', { ...bare, announce: true }],
    events: ({ users }) => ({
      cordelia: [
        stream,
        {
          type: 'message',
          message: {
            display_recipient: CHANNELS.public,
            subject: 'new channels',
            content: (text: string) =>
              text.includes(`@_**Mona Moderator|${users.moderator}**`) && text.includes('#**Wittenberg**'),
          },
        },
        first,
      ],
    }),
  },
  {
    name: 'an announcement in an empty_topic_only channel goes to the empty topic',
    as: 'moderator',
    given: async (world) => {
      const { id } = await world.as('owner').channels.create({
        name: 'News',
        subscribers: [world.users.cordelia],
        topics_policy: 'empty_topic_only',
      });
      await world.settings({ new_stream_announcements_stream_id: id });
    },
    call: ['channels.create', { ...bare, announce: true }],
    events: () => ({
      cordelia: [stream, { type: 'message', message: { display_recipient: 'News', subject: 'general chat' } }, first],
    }),
  },
  {
    name: 'announce is false by default',
    as: 'moderator',
    given: (world) => world.settings({ new_stream_announcements_stream_id: world.channels.public }),
    call: ['channels.create', bare],
    events: () => ({ cordelia: [stream, first] }),
  },
  {
    name: 'announce does nothing in an organization without an announcement channel',
    as: 'moderator',
    call: ['channels.create', { ...bare, announce: true }],
    events: () => ({ cordelia: [stream, first] }),
  },
  {
    name: 'the response has only the channel ID',
    as: 'hamlet',
    call: ['channels.create', bare],
    returns: { ...created, stream: ABSENT, subscribed: ABSENT },
  },
];

export const createChannelCases = cases('channels.create', [
  ...parameters,
  ...kinds,
  ...policies,
  ...permissions,
  ...who,
  ...subscribers,
  ...events,
]);
