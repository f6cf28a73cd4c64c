import assert from 'node:assert/strict';
import { PERSONAL_SETTING_DEFAULTS } from '../../../../lib/domains/users/settings/personal-settings.ts';
import { type Case, cases, type Params } from '../../../world/case.ts';
import { PASSWORD, type UserName } from '../../../world/fixture.ts';
import { assertMatches } from '../../../world/matching.ts';
import type { World } from '../../../world/world.ts';

const update = (property: string, value: unknown, more: object = {}) => ({
  type: 'user_settings',
  op: 'update',
  property,
  value,
  ...more,
});

const settingsOf = async ({ as }: World, user: UserName) =>
  (await as(user).register({ fetch_event_types: ['user_settings'] })).user_settings as Params;

/** A setting that is stored, sent to clients of its owner alone, and returned by register. */
const keeps = (key: string, value: unknown, more: object = {}): Case => ({
  name: `${key} can be ${value}`,
  as: 'cordelia',
  call: ['settings.edit', { [key]: value }],
  events: () => ({ cordelia: [update(key, value, more)], owner: [] }),
  state: async (world) => {
    assert.equal((await settingsOf(world, 'cordelia'))[key], value);
    assert.notEqual((await settingsOf(world, 'hamlet'))[key], value);
  },
});

const refused = (key: string, value: unknown, says: RegExp = new RegExp(`^${key} `)): Case => ({
  name: `${key} cannot be ${JSON.stringify(value)}`,
  as: 'cordelia',
  call: ['settings.edit', { [key]: value }],
  refuses: { code: 'BAD_REQUEST', says },
});

const yesOrNo = Object.entries({ ...PERSONAL_SETTING_DEFAULTS, enter_sends: true }).filter(
  // Other users get the event of this setting.
  ([key, value]) => typeof value === 'boolean' && !['presence_enabled', 'allow_private_data_export'].includes(key),
);

const COUNTED: Record<string, number> = {
  color_scheme: 3,
  demote_inactive_streams: 3,
  user_list_style: 3,
  web_mark_read_on_scroll_policy: 3,
  web_channel_default_view: 4,
  web_stream_unreads_count_display_policy: 3,
  desktop_icon_count_display: 4,
  realm_name_in_email_notifications_policy: 3,
  automatically_follow_topics_policy: 4,
  automatically_unmute_topics_in_muted_streams_policy: 4,
};

const SMILE = /<span aria-label="smile" class="emoji emoji-1f642"/;

/** The event of an address that becomes visible to more users. */
const shownTo =
  (delivery_email: string | null) =>
  ({ users }: World) => ({
    type: 'realm_user',
    op: 'update',
    person: { user_id: users.cordelia, delivery_email },
  });

export const editSettingsCases = cases('settings.edit', [
  {
    name: 'administrators get an event when a user allows exports of private data',
    as: 'cordelia',
    call: ['settings.edit', { allow_private_data_export: true }],
    events: ({ users }) => {
      const consent = { type: 'realm_export_consent', user_id: users.cordelia, consented: true };
      return {
        owner: [consent],
        administrator: [consent],
        moderator: [],
        cordelia: [update('allow_private_data_export', true)],
      };
    },
  },
  {
    name: 'the newer name of a home view is stored as the older name, with the other settings of the request',
    as: 'cordelia',
    call: ['settings.edit', { web_home_view: 'recent', starred_message_counts: false }],
    events: () => ({ cordelia: [update('starred_message_counts', false), update('web_home_view', 'recent_topics')] }),
    state: async (world) => {
      const { web_home_view, starred_message_counts } = await settingsOf(world, 'cordelia');
      assert.deepEqual([web_home_view, starred_message_counts], ['recent_topics', false]);
    },
  },
  {
    name: 'B1: older clients get display settings in one event type, and notification settings in another',
    as: 'cordelia',
    call: ['settings.edit', { enable_sounds: false }],
    state: async ({ as, emails }) => {
      const event_types = ['update_display_settings', 'update_global_notifications'];
      const { queue_id = '' } = await as('cordelia').register({ event_types, fetch_event_types: [] });
      await as('cordelia').settings.edit({ enable_sounds: true, color_scheme: 2 });
      const { events } = await as('cordelia').events.list({ queue_id, last_event_id: -1, dont_block: true });
      const user = emails.cordelia;
      assert.deepEqual(
        events.map(({ id: _, ...event }) => event),
        [
          { type: 'update_display_settings', user, setting_name: 'color_scheme', setting: 2 },
          { type: 'update_global_notifications', user, notification_name: 'enable_sounds', setting: true },
        ],
      );
    },
  },
  {
    name: 'every available notification sound can be chosen',
    as: 'cordelia',
    call: ['settings.edit', { notification_sound: 'ding' }],
    state: async (world) => {
      const { available_notification_sounds: sounds } = await settingsOf(world, 'cordelia');
      assert.ok((sounds as string[]).includes('deep tom'));
      for (const notification_sound of sounds as string[])
        await world.as('cordelia').settings.edit({ notification_sound });
    },
  },
  {
    name: 'email_address_visibility 3 hides the address from non-administrators and gives all a placeholder',
    as: 'cordelia',
    call: ['settings.edit', { email_address_visibility: 3 }],
    events: (world) => {
      const placeholder = `user${world.users.cordelia}@chat.example.com`;
      const person = { user_id: world.users.cordelia, new_email: placeholder };
      const renamed = { type: 'realm_user', op: 'update', person };
      const gone = shownTo(null)(world);
      return {
        cordelia: [update('email_address_visibility', 3), renamed],
        administrator: [renamed],
        moderator: [renamed, gone],
        hamlet: [renamed, gone],
        guest: [renamed, gone],
      };
    },
    state: async ({ as, users, emails }) => {
      const seen = async (user: UserName) => (await as(user).users.get({ user_id: users.cordelia })).user;
      assert.equal((await seen('administrator')).delivery_email, emails.cordelia);
      assert.equal((await seen('moderator')).delivery_email, null);
      assert.equal((await seen('cordelia')).delivery_email, emails.cordelia);
      assert.equal((await seen('owner')).email, `user${users.cordelia}@chat.example.com`);
    },
  },
  {
    name: 'email_address_visibility 5 shows a hidden address to moderators, and no other user gets an event',
    as: 'cordelia',
    given: ({ as }) => as('cordelia').settings.edit({ email_address_visibility: 3 }),
    call: ['settings.edit', { email_address_visibility: 5 }],
    events: (world) => ({
      cordelia: [update('email_address_visibility', 5)],
      administrator: [],
      moderator: [shownTo('cordelia@example.com')(world)],
      hamlet: [],
      guest: [],
    }),
  },
  {
    name: 'email_address_visibility 2 hides the address from guests alone',
    as: 'cordelia',
    call: ['settings.edit', { email_address_visibility: 2 }],
    events: (world) => ({
      hamlet: [{ type: 'realm_user', person: { new_email: /^user/ } }],
      guest: [{ type: 'realm_user', person: { new_email: /^user/ } }, shownTo(null)(world)],
    }),
  },
  {
    name: 'email_address_visibility 4 hides the address from owners too',
    as: 'cordelia',
    given: ({ as }) => as('cordelia').settings.edit({ email_address_visibility: 3 }),
    call: ['settings.edit', { email_address_visibility: 4 }],
    events: (world) => ({ owner: [shownTo(null)(world)], moderator: [] }),
  },
  {
    name: 'email_address_visibility 1 replaces the placeholder with the real address',
    as: 'cordelia',
    given: ({ as }) => as('cordelia').settings.edit({ email_address_visibility: 4 }),
    call: ['settings.edit', { email_address_visibility: 1 }],
    events: (world) => {
      const renamed = { type: 'realm_user', person: { new_email: 'cordelia@example.com' } };
      const shown = shownTo('cordelia@example.com')(world);
      return {
        owner: [renamed, shown],
        guest: [renamed, shown],
        cordelia: [update('email_address_visibility', 1), renamed],
      };
    },
  },
  {
    name: "a restricted guest gets no event of a hidden user's email_address_visibility",
    as: 'moderator',
    given: ({ settings }) => settings({ can_access_all_users_group: 6 }),
    call: ['settings.edit', { email_address_visibility: 3 }],
    events: () => ({ guest: [], hamlet: [{ type: 'realm_user' }, { type: 'realm_user' }] }),
  },
  {
    name: 'a restricted guest gets no event if moderators see the address of a known user again',
    as: 'cordelia',
    given: async ({ as, settings }) => {
      await settings({ can_access_all_users_group: 6 });
      await as('cordelia').settings.edit({ email_address_visibility: 3 });
    },
    call: ['settings.edit', { email_address_visibility: 5 }],
    events: (world) => ({ moderator: [shownTo('cordelia@example.com')(world)], guest: [] }),
  },
  {
    name: 'setting email_address_visibility to its present value sends no event',
    as: 'cordelia',
    call: ['settings.edit', { email_address_visibility: 1 }],
    events: () => ({ cordelia: [], guest: [] }),
  },
  refused('email_address_visibility', 0),
  refused('email_address_visibility', 6),
  ...yesOrNo.map(([key, value]) => keeps(key, !value)),
  ...Object.entries(COUNTED).flatMap(([key, last]) => [keeps(key, last), refused(key, 0), refused(key, last + 1)]),
  keeps('emojiset', 'text'),
  keeps('web_home_view', 'all_messages'),
  keeps('web_animate_image_previews', 'never'),
  keeps('resolved_topic_notice_auto_read_policy', 'always'),
  keeps('notification_sound', 'none'),
  keeps('default_language', 'de', { language_name: 'Deutsch' }),
  keeps('default_language', 'zh-hans', { language_name: '简体中文' }),
  keeps('email_notifications_batching_period_seconds', 604_800),
  ...['google-blob', 'twitter'].map((set) => keeps('emojiset', set)),
  // B3: the reference server lets clients decide which sizes they can show.
  ...[11, 20, 200].map((size) => keeps('web_font_size_px', size)),
  ...[0, 122, 200].map((height) => keeps('web_line_height_percent', height)),
  refused('twenty_four_hour_time', 'yes', /twenty_four_hour_time is not valid JSON|must be a boolean/),
  refused('twenty_four_hour_time', 1),
  refused('emojiset', 'pictures'),
  refused('web_home_view', 'kitchen'),
  keeps('notification_sound', 'deep tom'),
  refused('notification_sound', 'nope', /no sound named/),
  refused('notification_sound', 'x'.repeat(21), /too long/),
  refused('default_language', 'xx', /no language with the code "xx"/),
  refused('default_language', '', /no language/),
  refused('email_notifications_batching_period_seconds', 0),
  refused('email_notifications_batching_period_seconds', 604_801),
  refused('web_font_size_px', -1),
  refused('web_font_size_px', 32_768),
  refused('web_line_height_percent', 40_000),
  refused('timezone', 'Mars/Olympus', /no time zone/),
  refused('timezone', '+02:00', /no time zone/),
  {
    name: 'a new time zone is sent to all users who see the account',
    as: 'cordelia',
    call: ['settings.edit', { timezone: 'Europe/Copenhagen' }],
    events: ({ users, emails }) => {
      const person = { user_id: users.cordelia, email: emails.cordelia, timezone: 'Europe/Copenhagen' };
      const told = { type: 'realm_user', op: 'update', person };
      return { cordelia: [update('timezone', 'Europe/Copenhagen'), told], guest: [told] };
    },
    state: async (world) => {
      const { as, users } = world;
      assert.equal((await as('hamlet').users.get({ user_id: users.cordelia })).user.timezone, 'Europe/Copenhagen');
      assert.equal((await settingsOf(world, 'cordelia')).timezone, 'Europe/Copenhagen');
    },
  },
  {
    name: "a restricted guest gets no event of a hidden user's time zone",
    as: 'moderator',
    given: ({ settings }) => settings({ can_access_all_users_group: 6 }),
    call: ['settings.edit', { timezone: 'Asia/Kolkata' }],
    events: () => ({ guest: [], hamlet: [{ type: 'realm_user', person: { timezone: 'Asia/Kolkata' } }] }),
  },
  {
    name: 'a restricted guest gets the time zone of a user they share a channel with',
    as: 'cordelia',
    given: ({ settings }) => settings({ can_access_all_users_group: 6 }),
    call: ['settings.edit', { timezone: 'Asia/Kolkata' }],
    events: () => ({ guest: [{ type: 'realm_user', op: 'update', person: { timezone: 'Asia/Kolkata' } }] }),
  },
  {
    name: 'a new name is trimmed, sent to all users and shown with earlier messages',
    as: 'hamlet',
    call: ['settings.edit', { full_name: ' Prince Hamlet ' }],
    events: ({ users }) => {
      const told = { type: 'realm_user', op: 'update', person: { user_id: users.hamlet, full_name: 'Prince Hamlet' } };
      return { hamlet: [told], guest: [told] };
    },
    state: async ({ as, users, messages }) => {
      assert.equal((await as('cordelia').users.get({ user_id: users.hamlet })).user.full_name, 'Prince Hamlet');
      const { message } = await as('cordelia').messages.get({ message_id: messages.ghost });
      assert.equal(message.sender_full_name, 'Prince Hamlet');
    },
  },
  {
    name: 'setting full_name to its present value sends no event',
    as: 'hamlet',
    given: ({ as }) => as('owner').organization.edit({ name_changes_disabled: true, require_unique_names: true }),
    call: ['settings.edit', { full_name: 'Hamlet ' }],
    events: () => ({ hamlet: [] }),
  },
  refused('full_name', 'H', /at least 2/),
  refused('full_name', 'H*mlet', /cannot contain/),
  {
    name: 'a member cannot change their name when name changes are disabled',
    as: 'hamlet',
    given: ({ as }) => as('owner').organization.edit({ name_changes_disabled: true }),
    call: ['settings.edit', { full_name: 'Prince Hamlet' }],
    refuses: { code: 'BAD_REQUEST', says: /Only administrators can change names/ },
  },
  {
    name: 'an administrator changes their own name when name changes are disabled',
    as: 'administrator',
    given: ({ as }) => as('owner').organization.edit({ name_changes_disabled: true }),
    call: ['settings.edit', { full_name: 'Adam the First' }],
    returns: {},
  },
  {
    name: 'a name in use is refused when names must be unique',
    as: 'hamlet',
    given: ({ as }) => as('owner').organization.edit({ require_unique_names: true }),
    call: ['settings.edit', { full_name: 'CORDELIA' }],
    refuses: { code: 'BAD_REQUEST', says: /is taken/ },
  },
  {
    name: 'a user changes the case of their own name when names must be unique',
    as: 'hamlet',
    given: ({ as }) => as('owner').organization.edit({ require_unique_names: true }),
    call: ['settings.edit', { full_name: 'HAMLET' }],
    returns: {},
  },
  {
    name: 'of several settings only those that change send an event, and an unknown one is reported',
    as: 'guest',
    call: [
      'settings.edit',
      { starred_message_counts: true, fluid_layout_width: true, color_scheme: 2, dense_mode: false },
    ],
    returns: { ignored_parameters_unsupported: ['dense_mode'] },
    events: () => ({ guest: [update('color_scheme', 2), update('fluid_layout_width', true)] }),
    state: async (world) =>
      assertMatches(await settingsOf(world, 'guest'), {
        color_scheme: 2,
        fluid_layout_width: true,
        starred_message_counts: true,
      }),
  },
  {
    name: 'a chosen time format is stored and sends an event, also if it is the default',
    as: 'cordelia',
    call: ['settings.edit', { twenty_four_hour_time: false }],
    events: () => ({ cordelia: [update('twenty_four_hour_time', false)] }),
    state: async ({ as }) => {
      const { user_settings } = await as('cordelia').register({
        fetch_event_types: ['user_settings'],
        client_capabilities: { time_format_null: true },
      });
      assert.equal(user_settings?.twenty_four_hour_time, false);
    },
  },
  {
    name: 'an invalid value is refused together with the valid ones in the request',
    as: 'cordelia',
    call: ['settings.edit', { fluid_layout_width: true, timezone: 'Mars/Olympus' }],
    refuses: { code: 'BAD_REQUEST' },
  },
  {
    name: 'a request without settings changes nothing and sends no event',
    as: 'cordelia',
    call: ['settings.edit'],
    events: () => ({ cordelia: [] }),
  },
  {
    name: 'a setting changed earlier stays when another one changes',
    as: 'cordelia',
    given: ({ as }) => as('cordelia').settings.edit({ fluid_layout_width: true }),
    call: ['settings.edit', { color_scheme: 3 }],
    state: async (world) =>
      assertMatches(await settingsOf(world, 'cordelia'), { color_scheme: 3, fluid_layout_width: true }),
  },
  {
    name: 'a bot is refused',
    as: 'bot',
    call: ['settings.edit', { fluid_layout_width: true }],
    refuses: { code: 'BAD_REQUEST', says: /Bots/ },
  },
  {
    name: "translate_emoticons turns emoticons into emoji in the user's own messages, edits and previews",
    as: 'cordelia',
    call: ['settings.edit', { translate_emoticons: true }],
    state: async ({ as, channels }) => {
      const say = async (user: UserName, content: string) =>
        (await as(user).messages.send({ type: 'channel', to: channels.public, topic: 'x', content })).id;
      const shown = async (message_id: number) => (await as('hamlet').messages.get({ message_id })).message.content;
      const own = await say('cordelia', 'Well :)');
      assert.match(await shown(own), SMILE);
      const others = await say('hamlet', 'Well :)');
      assert.equal(await shown(others), '<p>Well :)</p>');
      await as('cordelia').messages.edit({ message_id: own, content: 'Well (:' });
      assert.match(await shown(own), SMILE);
      assert.match((await as('cordelia').messages.render({ content: ':)' })).rendered, SMILE);
      assert.equal((await as('hamlet').messages.render({ content: ':)' })).rendered, '<p>:)</p>');
    },
  },
  {
    name: 'translate_emoticons of a user does not affect messages of the notification bot',
    as: 'hamlet',
    call: ['settings.edit', { translate_emoticons: true }],
    state: async ({ as, users }) => {
      const { id } = await as('hamlet').channels.create({
        name: 'Polonia',
        description: 'Well :)',
        subscribers: [users.hamlet],
      });
      const { messages } = await as('hamlet').messages.list({
        anchor: 'newest',
        num_before: 1,
        num_after: 0,
        narrow: [{ operator: 'channel', operand: id }],
      });
      assert.match(messages[0]?.content ?? '', /Well :\)/);
    },
  },
  {
    name: 'send_read_receipts false leaves a user out of read receipts, and they still see those of others',
    as: 'cordelia',
    given: async ({ as, messages }) => {
      for (const user of ['cordelia', 'administrator'] as const) {
        await as(user).messages.updateFlags({ messages: [messages.ghost], op: 'add', flag: 'read' });
      }
    },
    call: ['settings.edit', { send_read_receipts: false }],
    state: async ({ as, messages, users }) => {
      for (const user of ['hamlet', 'cordelia'] as const) {
        const { user_ids } = await as(user).messages.readReceipts({ message_id: messages.ghost });
        assert.deepEqual(user_ids, [users.administrator]);
      }
      await as('cordelia').settings.edit({ send_read_receipts: true });
      const { user_ids } = await as('hamlet').messages.readReceipts({ message_id: messages.ghost });
      assert.deepEqual(
        user_ids,
        [users.administrator, users.cordelia].sort((a, b) => a - b),
      );
    },
  },
]);

const NEW = 'the play is the thing';

const signsIn = ({ chat, emails }: World, user: UserName, password: string) =>
  chat.anonymous().fetchApiKey({ username: emails[user], password });

const unchanged = async (world: World) => {
  await signsIn(world, 'hamlet', PASSWORD);
  assert.equal((await settingsOf(world, 'hamlet')).fluid_layout_width, false);
};

const refusedPassword = (name: string, params: Params, refuses: NonNullable<Case['refuses']>): Case => ({
  name: `${name}, and no other setting changes`,
  as: 'hamlet',
  call: ['settings.edit', { fluid_layout_width: true, ...params }],
  refuses,
  state: unchanged,
});

export const ownPasswordCases = cases('settings.edit', [
  {
    name: 'a new password replaces the present one, and the API key still works',
    as: 'hamlet',
    call: ['settings.edit', { old_password: PASSWORD, new_password: NEW, fluid_layout_width: true }],
    returns: {},
    events: () => ({ hamlet: [update('fluid_layout_width', true)], owner: [] }),
    state: async (world) => {
      await signsIn(world, 'hamlet', NEW);
      await assert.rejects(signsIn(world, 'hamlet', PASSWORD), { code: 'AUTHENTICATION_FAILED' });
      const account = await world.storage.read((tx) => tx.users.byId(world.users.hamlet));
      assert.deepEqual([account?.key_generation, account?.sign_in_unlocks], [0, 1]);
    },
  },
  {
    name: 'a user without a password sets one without old_password',
    as: 'cordelia',
    call: ['settings.edit', { new_password: NEW }],
    state: async (world) => void (await signsIn(world, 'cordelia', NEW)),
    events: () => ({ cordelia: [] }),
  },
  {
    name: 'empty old_password and new_password change nothing',
    as: 'hamlet',
    call: ['settings.edit', { old_password: '', new_password: '' }],
    state: unchanged,
    events: () => ({ hamlet: [] }),
  },
  {
    name: 'old_password without new_password changes nothing, and is not checked',
    as: 'hamlet',
    call: ['settings.edit', { old_password: 'wrong' }],
    returns: {},
    state: unchanged,
  },
  refusedPassword(
    'a wrong old_password is refused',
    { old_password: 'wrong', new_password: NEW },
    { code: 'BAD_REQUEST', says: /current password is wrong/ },
  ),
  refusedPassword(
    'a new_password without old_password is refused to a user with a password',
    { new_password: NEW },
    { code: 'BAD_REQUEST', says: /current password is wrong/ },
  ),
  ...['short', '🎭🎪🎨🎬', 'HAMLET@example.com', 'hamlet', 'aaaaaaaaaa'].map((new_password) =>
    refusedPassword(
      `the password ${new_password} is refused as too weak`,
      { old_password: PASSWORD, new_password },
      { code: 'PASSWORD_TOO_WEAK' },
    ),
  ),
  refusedPassword(
    'a new_password of more than 1000 characters is refused as too long',
    { old_password: PASSWORD, new_password: 'ab'.repeat(501) },
    { code: 'BAD_REQUEST', says: /new_password.*too long/ },
  ),
  refusedPassword(
    'an invalid time zone is refused together with the new password',
    { old_password: PASSWORD, new_password: NEW, timezone: 'Nowhere/Land' },
    { code: 'BAD_REQUEST', says: /Nowhere/ },
  ),
  {
    name: 'a new_password is refused when the organization has no password login',
    as: 'hamlet',
    given: (world) => world.settings({ password_login: false }),
    call: ['settings.edit', { old_password: PASSWORD, new_password: NEW }],
    refuses: { code: 'BAD_REQUEST', says: /Password login is disabled/ },
  },
]);
