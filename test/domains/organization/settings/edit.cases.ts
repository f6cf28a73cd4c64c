import assert from 'node:assert/strict';
import { type Case, cases, type Params } from '../../../world/case.ts';
import type { UserName } from '../../../world/fixture.ts';
import { ABSENT, assertMatches } from '../../../world/matching.ts';
import type { World } from '../../../world/world.ts';

const EVERYONE = 7;
const MEMBERS = 6;
const FULL_MEMBERS = 5;
const MODERATORS = 4;
const ROLE_NOBODY = 1;

const realm = (property: string, value: unknown) => ({ type: 'realm', op: 'update', property, value });
const realmDict = (data: object) => ({ type: 'realm', op: 'update_dict', property: 'default', data });

/** A change with an event to all users, also guests, and with the new value in register. */
const changes = (name: string, given: Params, events: readonly object[], found: object): Case => ({
  name,
  as: 'administrator',
  call: ['organization.edit', given],
  events: () => ({ administrator: events, cordelia: events, guest: events }),
  state: async ({ as }) => assertMatches(await as('guest').register({ fetch_event_types: ['realm'] }), found),
});

const refused = (
  name: string,
  given: Params | ((world: World) => Params),
  says: RegExp,
  as: UserName = 'owner',
): Case => ({
  name,
  as,
  call: ['organization.edit', given],
  refuses: { code: 'BAD_REQUEST', says },
});

const changesNothing = (name: string, given: Params | ((world: World) => Params), before?: Params): Case => ({
  name,
  as: 'owner',
  ...(before ? { given: ({ as }) => as('owner').organization.edit(before) } : {}),
  call: ['organization.edit', given],
  events: () => ({ owner: [], guest: [] }),
});

/** Limits with separate names for the setting and the client. */
const limits = (key: string, inDictionary: boolean): Case[] => {
  const told = (value: number | null) => [inDictionary ? realmDict({ [key]: value }) : realm(key, value)];
  return [
    changes(`${key} takes a number of seconds`, { [key]: 3600 }, told(3600), { [`realm_${key}`]: 3600 }),
    changes(`${key} can be unlimited, which is null`, { [key]: 'unlimited' }, told(null), { [`realm_${key}`]: null }),
    ...[0, -1, 2 ** 31, 1.5, 'for ever', null].map((value) =>
      refused(`${key} cannot be ${value}`, { [key]: value }, new RegExp(`^${key} `)),
    ),
  ];
};

export const editOrganizationCases = cases('organization.edit', [
  {
    ...changes(
      'an owner turns off passwords, and clients learn it under the names of the API',
      { password_login: false },
      [realmDict({ email_auth_enabled: false, password_auth_enabled: false })],
      { realm_email_auth_enabled: false, realm_password_auth_enabled: false },
    ),
    as: 'owner',
    events: () => ({ guest: [realmDict({ email_auth_enabled: false, password_auth_enabled: false })] }),
    returns: { password_login: false },
  },
  {
    name: 'an administrator cannot turn off passwords',
    as: 'administrator',
    call: ['organization.edit', { password_login: true }],
    refuses: { code: 'UNAUTHORIZED_PRINCIPAL', says: /owner/ },
  },
  {
    name: 'H small: the response has the changed values, and texts as `updated`',
    as: 'owner',
    call: [
      'organization.edit',
      ({ channels }) => ({
        name: 'Helsingor',
        description: 'A castle by the *sea*',
        message_content_edit_limit_seconds: 'unlimited',
        allow_message_editing: true,
        waiting_period_threshold: 3,
        new_stream_announcements_stream_id: channels.public,
        can_create_groups: { new: MODERATORS },
      }),
    ],
    returns: ({ channels }) => ({
      name: 'updated',
      description: ABSENT,
      message_content_edit_limit_seconds: null,
      allow_message_editing: ABSENT,
      waiting_period_threshold: 3,
      new_stream_announcements_stream_id: channels.public,
      can_create_groups: MODERATORS,
    }),
  },
  {
    name: 'H small: the response has -1 for no channel',
    as: 'owner',
    given: ({ as, channels }) => as('owner').organization.edit({ new_stream_announcements_stream_id: channels.public }),
    call: ['organization.edit', { new_stream_announcements_stream_id: -1 }],
    returns: { new_stream_announcements_stream_id: -1 },
  },
  changes('a new name is trimmed and sent in the event', { name: ' Kronborg ' }, [realm('name', 'Kronborg')], {
    realm_name: 'Kronborg',
  }),
  changes(
    'a new description is sent in the event',
    { description: 'By the *Sound*' },
    [realm('description', 'By the *Sound*')],
    {
      realm_description: 'By the *Sound*',
    },
  ),
  changes('an empty description removes the description', { description: '' }, [realm('description', '')], {
    realm_description: '',
  }),
  changes(
    'the event of allow_message_editing has the op update_dict',
    { allow_message_editing: false },
    [realmDict({ allow_message_editing: false })],
    { realm_allow_message_editing: false },
  ),
  ...limits('message_content_edit_limit_seconds', true),
  ...limits('message_content_delete_limit_seconds', false),
  ...limits('move_messages_within_stream_limit_seconds', false),
  ...limits('move_messages_between_streams_limit_seconds', false),
  ...(['none', 'moves'] as const).map((policy) =>
    changes(
      `message_edit_history_visibility_policy can be ${policy}`,
      { message_edit_history_visibility_policy: policy },
      [realm('message_edit_history_visibility_policy', policy)],
      { realm_message_edit_history_visibility_policy: policy, realm_allow_edit_history: policy !== 'none' },
    ),
  ),
  changes(
    'the event of topics_policy also has mandatory_topics for old clients',
    { topics_policy: 'disable_empty_topic' },
    [realmDict({ topics_policy: 'disable_empty_topic', mandatory_topics: true })],
    { realm_topics_policy: 'disable_empty_topic', realm_mandatory_topics: true },
  ),
  changes(
    'enable_read_receipts can be false',
    { enable_read_receipts: false },
    [realm('enable_read_receipts', false)],
    {
      realm_enable_read_receipts: false,
    },
  ),
  ...[
    'enable_spectator_access',
    'inline_url_embed_preview',
    'name_changes_disabled',
    'require_e2ee_push_notifications',
    'require_unique_names',
  ].map((key) => changes(`${key} can be true`, { [key]: true }, [realm(key, true)], { [`realm_${key}`]: true })),
  changes(
    'send_channel_events_messages can be false',
    { send_channel_events_messages: false },
    [realm('send_channel_events_messages', false)],
    { realm_send_channel_events_messages: false },
  ),
  changes(
    'default_code_block_language changes, and all users get the event',
    { default_code_block_language: 'python' },
    [realm('default_code_block_language', 'python')],
    { realm_default_code_block_language: 'python' },
  ),
  {
    name: 'new_stream_announcements_stream_id sets where new channels are announced',
    as: 'owner',
    call: ['organization.edit', ({ channels }) => ({ new_stream_announcements_stream_id: channels.public })],
    events: ({ channels }) => ({ guest: [realm('new_stream_announcements_stream_id', channels.public)] }),
    state: async ({ as, channels }) => {
      await as('hamlet').channels.create({ name: 'Polonia', subscribers: [], announce: true });
      const { messages } = await as('hamlet').messages.list({
        anchor: 'newest',
        num_before: 1,
        num_after: 0,
        apply_markdown: false,
        narrow: [{ operator: 'channel', operand: channels.public }],
      });
      assert.match(messages[0]?.content ?? '', /Polonia/);
    },
  },
  {
    name: 'new_stream_announcements_stream_id -1 turns announcements off',
    as: 'owner',
    given: ({ as, channels }) => as('owner').organization.edit({ new_stream_announcements_stream_id: channels.public }),
    call: ['organization.edit', { new_stream_announcements_stream_id: -1 }],
    events: () => ({ guest: [realm('new_stream_announcements_stream_id', -1)] }),
  },
  refused(
    'new_stream_announcements_stream_id of a missing channel is refused',
    { new_stream_announcements_stream_id: 999_999 },
    /There is no channel with ID 999999/,
  ),
  refused(
    'new_stream_announcements_stream_id of an archived channel is refused',
    ({ channels }) => ({ new_stream_announcements_stream_id: channels.archived }),
    /is archived/,
  ),
  {
    name: 'B11: moderation_request_channel_id sets where reported messages are posted',
    as: 'owner',
    call: ['organization.edit', ({ channels }) => ({ moderation_request_channel_id: channels.shared })],
    events: ({ channels }) => ({ guest: [realm('moderation_request_channel_id', channels.shared)] }),
  },
  refused(
    'B11: moderation_request_channel_id of a public channel is refused',
    ({ channels }) => ({ moderation_request_channel_id: channels.public }),
    /must be private/,
  ),
  refused(
    'B11: moderation_request_channel_id of a missing channel is refused',
    { moderation_request_channel_id: 999_999 },
    /There is no channel with ID 999999/,
  ),
  {
    name: 'several settings send one event each, and an unsupported one is reported',
    as: 'owner',
    call: [
      'organization.edit',
      { name: 'Kronborg', enable_read_receipts: false, mandatory_topics: true, giphy_rating: 2 },
    ],
    returns: { ignored_parameters_unsupported: ['giphy_rating', 'mandatory_topics'] },
    events: () => ({ guest: [realm('name', 'Kronborg'), realm('enable_read_receipts', false)] }),
  },
  {
    name: 'a permission takes a group ID',
    as: 'administrator',
    call: ['organization.edit', { can_resolve_topics_group: { new: MODERATORS, old: EVERYONE } }],
    events: () => ({ guest: [realmDict({ can_resolve_topics_group: MODERATORS })] }),
  },
  {
    name: 'a permission takes users and groups, stored once and in order',
    as: 'administrator',
    call: [
      'organization.edit',
      ({ users, groups }) => ({
        can_mention_many_users_group: {
          new: {
            direct_members: [users.cordelia, users.hamlet, users.cordelia],
            direct_subgroups: [groups.kitchen, MODERATORS],
          },
        },
      }),
    ],
    events: ({ users, groups }) => {
      const direct_members = [users.hamlet, users.cordelia].sort((a, b) => a - b);
      const can_mention_many_users_group = { direct_members, direct_subgroups: [MODERATORS, groups.kitchen] };
      return { cordelia: [realmDict({ can_mention_many_users_group })] };
    },
  },
  {
    name: 'a permission hides deactivated users, and old need not list them',
    as: 'owner',
    given: async ({ as, users }) => {
      const direct_members = [users.hamlet, users.cordelia];
      await as('owner').organization.edit({
        can_mention_many_users_group: { new: { direct_members, direct_subgroups: [] } },
      });
      await as('owner').users.deactivate({ user_id: users.hamlet });
    },
    call: [
      'organization.edit',
      ({ users }) => ({
        can_mention_many_users_group: {
          old: { direct_members: [users.cordelia], direct_subgroups: [] },
          new: MODERATORS,
        },
      }),
    ],
    events: () => ({ guest: [realmDict({ can_mention_many_users_group: MODERATORS })] }),
  },
  {
    name: 'an old value that is not the current one is refused, and nothing changes',
    as: 'owner',
    call: ['organization.edit', { name: 'Kronborg', can_resolve_topics_group: { new: MEMBERS, old: ROLE_NOBODY } }],
    refuses: { code: 'EXPECTATION_MISMATCH' },
  },
  changesNothing('values equal to the present ones change nothing and send no event', {
    name: 'Elsinore',
    allow_message_editing: true,
    message_content_edit_limit_seconds: 600,
    topics_policy: 'allow_empty_topic',
    new_stream_announcements_stream_id: -1,
    waiting_period_threshold: 0,
    can_resolve_topics_group: { new: { direct_members: [], direct_subgroups: [EVERYONE] } },
  }),
  changesNothing(
    'an unlimited limit set to unlimited changes nothing',
    { move_messages_within_stream_limit_seconds: 'unlimited' },
    { move_messages_within_stream_limit_seconds: 'unlimited' },
  ),
  refused('an empty name is refused', { name: '  ' }, /cannot be empty/),
  refused('a name of more than 40 characters is refused', { name: 'x'.repeat(41) }, /limit: 40/),
  refused('a name with control characters is refused', { name: 'a\u0007b' }, /position 2/),
  refused('a description of more than 1000 characters is refused', { description: 'x'.repeat(1001) }, /too long/),
  refused('an unknown topics policy is refused', { topics_policy: 'inherit' }, /must be one of/),
  refused(
    'an unknown edit history policy is refused',
    { message_edit_history_visibility_policy: 'some' },
    /must be one of/,
  ),
  refused(
    'a permission that is not an object with new is refused',
    { can_resolve_topics_group: MEMBERS },
    /must be an object/,
  ),
  refused('a permission with role:internet is refused', { can_resolve_topics_group: { new: 8 } }, /role:internet/),
  refused(
    'a permission that excludes guests refuses role:everyone',
    { can_move_messages_between_channels_group: { new: EVERYONE } },
    /role:everyone/,
  ),
  refused(
    'can_access_all_users_group takes only two groups',
    { can_access_all_users_group: { new: MODERATORS } },
    /can_access_all_users_group cannot be set/,
  ),
  refused(
    'a permission for a group that does not exist is refused',
    { can_resolve_topics_group: { new: 999 } },
    /does not exist: 999/,
  ),
  refused(
    'a permission for a deactivated group is refused',
    ({ groups }) => ({ can_resolve_topics_group: { new: groups.disbanded } }),
    /has been deactivated/,
  ),
  refused(
    'a permission for deactivated users is refused',
    ({ users }) => ({
      can_resolve_topics_group: { new: { direct_members: [users.deactivated], direct_subgroups: [] } },
    }),
    /does not exist or has been deactivated/,
  ),
  {
    name: 'a waiting period makes full members, and all users get the event',
    as: 'owner',
    call: ['organization.edit', { waiting_period_threshold: 10 }],
    events: ({ users }) => ({
      guest: [
        realm('waiting_period_threshold', 10),
        { type: 'user_group', op: 'remove_members', group_id: FULL_MEMBERS, user_ids: [users.newcomer] },
      ],
    }),
    state: async ({ as, users }) => {
      const { user_groups } = await as('owner').userGroups.list();
      const members = user_groups.find((group) => group.id === FULL_MEMBERS)?.members ?? [];
      assert.ok(members.includes(users.hamlet) && !members.includes(users.newcomer));
    },
  },
  {
    name: 'a shorter waiting period makes more full members',
    as: 'owner',
    given: ({ as }) => as('owner').organization.edit({ waiting_period_threshold: 10 }),
    call: ['organization.edit', { waiting_period_threshold: 0 }],
    events: ({ users }) => ({
      cordelia: [
        realm('waiting_period_threshold', 0),
        { type: 'user_group', op: 'add_members', group_id: FULL_MEMBERS, user_ids: [users.newcomer] },
      ],
    }),
  },
  {
    name: 'an administrator cannot set the waiting period, even to its present value',
    as: 'administrator',
    call: ['organization.edit', { waiting_period_threshold: 0 }],
    refuses: { code: 'UNAUTHORIZED_PRINCIPAL' },
  },
  refused('a negative waiting period is refused', { waiting_period_threshold: -1 }, /must not be negative/),
  ...(['moderator', 'hamlet', 'guest', 'bot'] as const).map(
    (as): Case => ({
      name: `${as} is refused before the parameters are read`,
      as,
      call: ['organization.edit', { name: '' }],
      refuses: { code: 'UNAUTHORIZED_PRINCIPAL' },
    }),
  ),
]);
