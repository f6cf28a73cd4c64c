import assert from 'node:assert/strict';
import { type Case, cases, type Params } from '../../../world/case.ts';
import { CHANNEL_KEYS, GROUP_KEYS, SUBSCRIPTION_KEYS } from '../../../world/event-keys.ts';
import { CHANNELS, type UserName } from '../../../world/fixture.ts';
import { ABSENT } from '../../../world/matching.ts';

const names = (list: { name: string }[]) => list.map((one) => one.name);
const keysAre = (wanted: readonly string[]) => (list: object[]) => {
  for (const one of list) assert.deepEqual(Object.keys(one).sort(), [...wanted].sort());
  return list.length > 0;
};

const always = ['queue_id', 'last_event_id', 'user_id', 'zulip_version', 'zulip_feature_level', 'zulip_merge_base'];

/** Fields that phones need at start. */
const NEEDED = [
  ...always,
  'alert_words',
  'custom_profile_fields',
  'max_stream_name_length',
  'max_topic_length',
  'server_presence_ping_interval_seconds',
  'server_presence_offline_threshold_seconds',
  'muted_users',
  'presences',
  'realm_emoji',
  'realm_user_groups',
  'recent_private_conversations',
  'subscriptions',
  'unread_msgs',
  'starred_messages',
  'streams',
  'user_status',
  'user_settings',
  'user_topics',
  'realm_wildcard_mention_policy',
  'realm_name',
  'realm_waiting_period_threshold',
  'realm_allow_message_editing',
  'realm_enable_read_receipts',
  'realm_icon_url',
  'realm_presence_disabled',
  'realm_default_external_accounts',
  'max_file_upload_size_mib',
  'server_emoji_data_url',
  'event_queue_longpoll_timeout_seconds',
  'realm_users',
  'realm_non_active_users',
  'cross_realm_bots',
];

const fetches = (
  name: string,
  as: UserName,
  fetch_event_types: string[],
  returns: Case['returns'],
  more: object = {},
): Case => ({
  name,
  as,
  call: ['register', { fetch_event_types, ...more }],
  ...(returns === undefined ? {} : { returns }),
});

export const registerCases = cases('register', [
  {
    name: 'a new queue begins before its first event',
    as: 'hamlet',
    call: ['register', { fetch_event_types: [] }],
    returns: {
      queue_id: /./,
      last_event_id: -1,
      zulip_version: '11.0',
      zulip_feature_level: 421,
      zulip_merge_base: '11.0',
    },
  },
  {
    name: 'the response has the ID of the caller without any state',
    as: 'hamlet',
    call: ['register', { fetch_event_types: [] }],
    returns: ({ users }) => ({ user_id: users.hamlet, realm_users: ABSENT }),
  },
  {
    name: 'without fetch_event_types the response has everything a client needs to start',
    as: 'hamlet',
    call: ['register', {}],
    state: async (_world, answer) => {
      for (const key of NEEDED) assert.ok(answer[key] !== undefined && answer[key] !== null, key);
    },
  },
  fetches(
    'small: realm has all keys of the reference server, with fixed values for missing features',
    'guest',
    ['realm'],
    {
      realm_digest_weekday: 1,
      realm_enable_guest_user_indicator: true,
      realm_jitsi_server_url: null,
      realm_message_content_allowed_in_email_notifications: true,
      realm_want_advertise_in_communities_directory: false,
      realm_zulip_update_announcements_stream_id: -1,
      zulip_plan_is_not_limited: true,
      upgrade_text_for_wide_organization_logo: '',
      giphy_rating_options: { disabled: { id: 0 } },
    },
  ),
  fetches(
    'small: there are no embedded bots and no kinds of incoming webhooks, and stop words are listed',
    'hamlet',
    ['realm_embedded_bots', 'realm_incoming_webhook_bots', 'stop_words'],
    {
      realm_embedded_bots: [],
      realm_incoming_webhook_bots: [],
      stop_words: (words: string[]) => words.includes('the') && !words.includes('castle'),
    },
  ),
  {
    name: 'fetch_event_types defaults to event_types',
    as: 'hamlet',
    call: ['register', { event_types: ['realm_user_groups'] }],
    state: async (_world, answer) =>
      assert.deepEqual(Object.keys(answer).sort(), [...always, 'realm_user_groups'].sort()),
  },
  fetches('subscription lists subscribed, unsubscribed and never subscribed channels', 'cordelia', ['subscription'], {
    subscriptions: (list: { name: string }[]) => {
      assert.deepEqual(names(list), [CHANNELS.public, CHANNELS.protected]);
      return true;
    },
    unsubscribed: [],
    never_subscribed: (list: { name: string }[]) => {
      assert.deepEqual(names(list), [CHANNELS.quiet, CHANNELS.webPublic, CHANNELS.default]);
      return true;
    },
  }),
  {
    name: 'a channel the caller left is listed in unsubscribed',
    as: 'hamlet',
    given: ({ as }) => as('hamlet').subscriptions.remove({ subscriptions: [CHANNELS.public] }),
    call: ['register', { fetch_event_types: ['subscription'] }],
    returns: { unsubscribed: [{ name: CHANNELS.public }] },
  },
  {
    name: 'include_never_subscribed false leaves out the channels that the caller was never subscribed to',
    as: 'hamlet',
    given: ({ as }) => as('hamlet').subscriptions.remove({ subscriptions: [CHANNELS.public] }),
    call: ['register', { fetch_event_types: ['subscription'], include_never_subscribed: false }],
    returns: {
      never_subscribed: ABSENT,
      streams: ABSENT,
      subscriptions: (list: { name: string }[]) => list.length > 0 && !names(list).includes(CHANNELS.quiet),
      unsubscribed: [{ name: CHANNELS.public }],
    },
  },
  {
    name: 'include_never_subscribed false hides a private channel that the caller was removed from',
    as: 'cordelia',
    given: async ({ as, users }) => {
      await as('administrator').subscriptions.remove({
        subscriptions: [CHANNELS.protected],
        principals: [users.cordelia],
      });
    },
    call: ['register', { fetch_event_types: ['subscription'], include_never_subscribed: false }],
    returns: { subscriptions: [{ name: CHANNELS.public }], unsubscribed: [], never_subscribed: ABSENT },
  },
  fetches(
    'include_never_subscribed false leaves stream as it is',
    'hamlet',
    ['stream', 'subscription'],
    { streams: (list: { name: string }[]) => list.length > 3, never_subscribed: ABSENT },
    { include_never_subscribed: false },
  ),
  fetches('a guest gets only their channels', 'guest', ['subscription', 'stream', 'default_streams'], {
    never_subscribed: [],
    streams: (list: { name: string }[]) => {
      assert.deepEqual(names(list), [CHANNELS.webPublic, CHANNELS.protected, CHANNELS.default]);
      return true;
    },
    realm_default_streams: [],
  }),
  fetches('an administrator gets private channels', 'administrator', ['stream'], {
    streams: (list: { name: string }[]) => names(list).includes(CHANNELS.protected),
  }),
  fetches('subscriptions have exactly the keys clients know', 'hamlet', ['subscription'], {
    subscriptions: keysAre(SUBSCRIPTION_KEYS),
  }),
  fetches(
    'include_subscribers adds subscribers',
    'hamlet',
    ['subscription'],
    { subscriptions: keysAre([...SUBSCRIPTION_KEYS, 'subscribers']) },
    { include_subscribers: true },
  ),
  fetches('channels have exactly the keys clients know', 'hamlet', ['stream'], { streams: keysAre(CHANNEL_KEYS) }),
  fetches('groups have exactly the keys clients know', 'hamlet', ['realm_user_groups'], {
    realm_user_groups: keysAre(GROUP_KEYS),
  }),
  {
    name: 'groups list active direct members, system groups by role',
    as: 'hamlet',
    call: ['register', { fetch_event_types: ['realm_user_groups'] }],
    state: async ({ users, groups }, { realm_user_groups }) => {
      const found = new Map(realm_user_groups.map((one: { name: string }) => [one.name, one]));
      const members = (name: string) => (found.get(name) as { members: number[] }).members;
      assert.deepEqual(members('role:owners'), [users.owner, users.secondOwner]);
      assert.deepEqual(members('role:administrators'), [users.administrator]);
      assert.deepEqual(members('role:everyone'), [users.guest]);
      assert.deepEqual(members('kitchen'), [users.hamlet]);
      assert.deepEqual((found.get('kitchen') as { direct_subgroup_ids: number[] }).direct_subgroup_ids, [groups.cooks]);
      assert.equal(found.has('disbanded'), false);
    },
  },
  fetches(
    'the capability include_deactivated_groups adds deactivated groups',
    'hamlet',
    ['realm_user_groups'],
    { realm_user_groups: (list: { name: string }[]) => names(list).includes('disbanded') },
    { client_capabilities: { notification_settings_null: true, include_deactivated_groups: true } },
  ),
  fetches(
    'the capability archived_channels adds archived channels',
    'hamlet',
    ['stream'],
    { streams: (list: { name: string }[]) => names(list).includes(CHANNELS.archived) },
    { client_capabilities: { archived_channels: true } },
  ),
  fetches('realm_user lists the users and identifies the caller', 'hamlet', ['realm_user'], ({ users }) => ({
    user_id: users.hamlet,
    is_admin: false,
    is_guest: false,
    realm_users: (list: { user_id: number }[]) => list.some((one) => one.user_id === users.bot),
    realm_non_active_users: [{ user_id: users.deactivated, is_active: false }],
    cross_realm_bots: (list: { is_system_bot: boolean }[]) =>
      list.length === 3 && list.every((one) => one.is_system_bot),
  })),
  fetches(
    'message and update_message_flags list the unread messages',
    'cordelia',
    ['message', 'update_message_flags'],
    ({ users, channels, messages }) => ({
      max_message_id: messages.group,
      unread_msgs: {
        pms: [{ other_user_id: users.hamlet, sender_id: users.hamlet, unread_message_ids: [messages.direct] }],
        huddles: [
          {
            user_ids_string: `${users.moderator},${users.hamlet},${users.cordelia}`,
            unread_message_ids: [messages.group],
          },
        ],
        streams: (list: { stream_id: number; topic: string; unread_message_ids: number[] }[]) => {
          const denmark = list.find((one) => one.stream_id === channels.public && one.topic === 'ghosts');
          assert.deepEqual(denmark?.unread_message_ids, [messages.ghost, messages.ghostReply]);
          return true;
        },
        mentions: [],
        old_unreads_missing: false,
      },
    }),
  ),
  {
    name: 'starred_messages lists the starred messages',
    as: 'cordelia',
    given: ({ as, messages }) =>
      as('cordelia').messages.updateFlags({ messages: [messages.ghost], op: 'add', flag: 'starred' }),
    call: ['register', { fetch_event_types: ['starred_messages'] }],
    returns: ({ messages }) => ({ starred_messages: [messages.ghost] }),
  },
  fetches(
    'recent_private_conversations lists the newest conversation first',
    'cordelia',
    ['recent_private_conversations'],
    ({ users, messages }) => ({
      recent_private_conversations: [
        { max_message_id: messages.group, user_ids: [users.moderator, users.hamlet] },
        { max_message_id: messages.direct, user_ids: [users.hamlet] },
      ],
    }),
  ),
  fetches('only administrators get the welcome text', 'hamlet', ['realm'], {
    realm_welcome_message_custom_text: ABSENT,
    realm_name: 'Elsinore',
  }),
  {
    name: 'guests do not receive all public channels',
    as: 'guest',
    call: ['register', { all_public_streams: true }],
    refuses: { code: 'BAD_REQUEST', says: /Guests/ },
  },
  {
    name: 'a narrow with an unknown operator is BAD_NARROW',
    as: 'hamlet',
    call: ['register', { narrow: [['colour', 'red']] }],
    refuses: { code: 'BAD_NARROW', data: { desc: 'unknown operator "colour"' } },
  },
  ...[
    ['is', 'stream'],
    ['is', 'muted'],
    ['is', 'followed'],
    ['is', 'whatever'],
    ['is', 'dm'],
  ].map(
    (term): Case => ({
      name: `B4: a queue can have the narrow ${term.join(':')}`,
      as: 'hamlet',
      call: ['register', { narrow: [term] }],
    }),
  ),
  {
    name: 'a client without notification_settings_null gets the general settings instead of null, which it reads as false',
    as: 'cordelia',
    given: ({ as }) => as('cordelia').settings.edit({ enable_stream_push_notifications: true }),
    call: ['register', { fetch_event_types: ['subscription'], event_types: ['subscription'] }],
    returns: {
      subscriptions: (list: Record<string, unknown>[]) =>
        list.length > 0 &&
        list.every(
          (one) =>
            one.push_notifications === true &&
            one.wildcard_mentions_notify === true &&
            one.desktop_notifications === false &&
            one.audible_notifications === false &&
            one.email_notifications === false,
        ),
    },
    state: async ({ as, users }, { queue_id }) => {
      await as('owner').subscriptions.add({ subscriptions: [{ name: 'Elsinore' }], principals: [users.cordelia] });
      const { events } = await as('cordelia').events.list({ queue_id, last_event_id: -1, dont_block: true });
      const added = events.map((event) => event as Record<string, unknown>).find(({ op }) => op === 'add');
      const [{ push_notifications, email_notifications } = {}] = (added?.subscriptions ?? []) as Params[];
      assert.deepEqual([push_notifications, email_notifications], [true, false]);
    },
  },
  fetches(
    'a client with notification_settings_null gets null where the general setting applies',
    'cordelia',
    ['subscription'],
    { subscriptions: (list: Record<string, unknown>[]) => list.some((one) => one.push_notifications === null) },
    { client_capabilities: { notification_settings_null: true } },
  ),
  fetches(
    'a client with time_format_null gets null until the user chooses a time format',
    'hamlet',
    ['user_settings'],
    { user_settings: (settings: Record<string, unknown>) => settings.twenty_four_hour_time === null },
    { client_capabilities: { time_format_null: true } },
  ),
  fetches('other clients get the default time format until the user chooses one', 'hamlet', ['user_settings'], {
    user_settings: (settings: Record<string, unknown>) => settings.twenty_four_hour_time === false,
  }),
  fetches(
    'B1: a client without user_settings_object gets its settings in the response itself',
    'hamlet',
    ['update_display_settings', 'update_global_notifications'],
    {
      twenty_four_hour_time: false,
      enter_sends: true,
      timezone: '',
      emojiset_choices: (sets: object[]) => sets.length === 4,
      enable_desktop_notifications: true,
      enable_drafts_synchronization: true,
      notification_sound: 'zulip',
      available_notification_sounds: (sounds: string[]) => sounds.includes('ding'),
      user_settings: ABSENT,
    },
  ),
  fetches(
    'B1: a client with user_settings_object gets no settings in the response itself',
    'hamlet',
    ['update_display_settings', 'update_global_notifications', 'user_settings'],
    { twenty_four_hour_time: ABSENT, enable_desktop_notifications: ABSENT, emojiset_choices: ABSENT },
    { client_capabilities: { user_settings_object: true } },
  ),
  fetches('B1: display settings alone come without those of notifications', 'hamlet', ['update_display_settings'], {
    color_scheme: 1,
    enable_sounds: ABSENT,
  }),
  ...[true, false].map((slim_presence) =>
    fetches(
      `H7: presence has its time and last ID${slim_presence ? '' : ', also for older clients'}`,
      'hamlet',
      ['presence'],
      { presences: {}, server_timestamp: (time: number) => time > 0, presence_last_update_id: Number.isInteger },
      { slim_presence },
    ),
  ),
  fetches('E3: message flags alone are enough for unread_msgs', 'hamlet', ['update_message_flags'], {
    unread_msgs: { count: Number.isInteger },
  }),
  {
    name: 'a client capability that is not a boolean is refused',
    as: 'hamlet',
    call: ['register', { client_capabilities: { empty_topic_name: 'yes' } }],
    refuses: { code: 'BAD_REQUEST', says: /empty_topic_name/ },
  },
  {
    name: 'a request without credentials is refused',
    as: 'anonymous',
    call: ['register', {}],
    refuses: { code: 'UNAUTHORIZED', status: 401 },
  },
]);
