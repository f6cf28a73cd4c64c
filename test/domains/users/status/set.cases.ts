import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import { RESTRICTED } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';

const TADA = { emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' };
const statusOf = async (world: World) =>
  (await world.as('owner').userStatus.get({ user_id: world.users.hamlet })).status;
const shows = (expected: object) => async (world: World) => assert.deepEqual(await statusOf(world), expected);
const inMeeting = (world: World) => world.as('hamlet').userStatus.set({ status_text: 'in a meeting', ...TADA });

const refused = (name: string, params: Record<string, unknown>, says: RegExp, given?: Case['given']): Case => ({
  name,
  as: 'hamlet',
  ...(given ? { given } : {}),
  call: ['userStatus.set', params],
  refuses: { code: 'BAD_REQUEST', says },
});

export const setStatusCases = cases('userStatus.set', [
  {
    name: 'text and emoji are set; users who see the account get the event with code and type of the emoji',
    as: 'hamlet',
    call: ['userStatus.set', { status_text: '  in a meeting ', emoji_name: 'tada' }],
    events: ({ users }) => {
      const event = { type: 'user_status', user_id: users.hamlet, status_text: 'in a meeting', ...TADA };
      return { hamlet: [event], guest: [event] };
    },
    state: shows({ status_text: 'in a meeting', ...TADA }),
  },
  {
    name: 'a new text leaves the emoji unchanged and out of the event',
    as: 'hamlet',
    given: inMeeting,
    call: ['userStatus.set', { status_text: 'at lunch' }],
    events: ({ users }) => ({
      cordelia: [{ type: 'user_status', user_id: users.hamlet, status_text: 'at lunch', emoji_name: undefined }],
    }),
    state: shows({ status_text: 'at lunch', ...TADA }),
  },
  {
    name: 'an empty text clears the text and keeps the emoji',
    as: 'hamlet',
    given: inMeeting,
    call: ['userStatus.set', { status_text: '' }],
    events: ({ users }) => ({ cordelia: [{ type: 'user_status', user_id: users.hamlet, status_text: '' }] }),
    state: shows(TADA),
  },
  {
    name: 'an empty emoji clears the emoji with its code and kind',
    as: 'hamlet',
    given: inMeeting,
    call: ['userStatus.set', { emoji_name: '', emoji_code: '1f389', reaction_type: 'realm_emoji' }],
    events: ({ users }) => ({
      cordelia: [
        {
          type: 'user_status',
          user_id: users.hamlet,
          emoji_name: '',
          emoji_code: '',
          reaction_type: 'unicode_emoji',
          status_text: undefined,
        },
      ],
    }),
    state: shows({ status_text: 'in a meeting' }),
  },
  {
    name: 'a custom emoji is set by its name',
    as: 'hamlet',
    call: ['userStatus.set', { emoji_name: 'yorick' }],
    state: async (world) =>
      shows({ emoji_name: 'yorick', emoji_code: world.emoji.yorick, reaction_type: 'realm_emoji' })(world),
  },
  {
    name: 'a custom emoji deactivated since it was set stays when the text changes',
    as: 'hamlet',
    given: async ({ as }) => {
      await as('hamlet').userStatus.set({ emoji_name: 'yorick' });
      await as('hamlet').customEmoji.deactivate({ emoji_name: 'yorick' });
    },
    call: ['userStatus.set', { status_text: 'still here' }],
    state: async (world) =>
      shows({
        status_text: 'still here',
        emoji_name: 'yorick',
        emoji_code: world.emoji.yorick,
        reaction_type: 'realm_emoji',
      })(world),
  },
  {
    name: 'away turns presence_enabled off, and all users get a status and a presence event',
    as: 'hamlet',
    given: ({ as }) => as('hamlet').presence.report({ status: 'active' }),
    call: ['userStatus.set', { away: true }],
    events: ({ users }) => ({
      hamlet: [
        { type: 'user_settings', op: 'update', property: 'presence_enabled', value: false },
        { type: 'user_status', user_id: users.hamlet, away: true },
        { type: 'presence', user_id: users.hamlet },
      ],
      cordelia: [
        { type: 'user_status', user_id: users.hamlet, away: true, status_text: undefined },
        { type: 'presence', user_id: users.hamlet },
      ],
    }),
    state: async (world) => {
      await shows({ away: true })(world);
      const { presence } = await world.as('owner').presence.get({ user_id_or_email: world.emails.hamlet });
      assert.equal(presence.aggregated.status, 'offline');
    },
  },
  {
    name: 'away false clears away from the status, and all users get the events',
    as: 'hamlet',
    given: ({ as }) => as('hamlet').settings.edit({ presence_enabled: false }),
    call: ['userStatus.set', { away: false }],
    events: ({ users }) => ({
      cordelia: [
        { type: 'user_status', user_id: users.hamlet, away: false },
        { type: 'presence', user_id: users.hamlet },
      ],
    }),
    state: shows({}),
  },
  {
    name: 'a restricted guest gets the status of a user they share a channel with',
    as: 'cordelia',
    given: ({ settings }) => settings(RESTRICTED),
    call: ['userStatus.set', { status_text: 'hidden' }],
    events: () => ({ guest: [{ type: 'user_status', status_text: 'hidden' }], hamlet: [{ type: 'user_status' }] }),
  },
  {
    name: 'a restricted guest gets no status of a hidden user, by events or from register',
    as: 'moderator',
    given: ({ settings }) => settings(RESTRICTED),
    call: ['userStatus.set', { status_text: 'hidden' }],
    events: () => ({ guest: [], hamlet: [{ type: 'user_status' }] }),
    state: async ({ as }) => {
      const { user_status } = await as('guest').register({ fetch_event_types: ['user_status'] });
      assert.deepEqual(user_status, {});
    },
  },
  {
    name: 'a text of 60 characters is accepted, counted in code points',
    as: 'hamlet',
    call: ['userStatus.set', { status_text: '🎉'.repeat(60) }],
    state: shows({ status_text: '🎉'.repeat(60) }),
  },
  refused('a text of more than 60 characters is refused', { status_text: 'x'.repeat(61) }, /limit: 60/),
  refused('a text of two lines is refused', { status_text: 'one\ntwo' }, /single line/),
  refused('a request without changes is refused', {}, /Nothing to change/),
  refused(
    'an emoji_code without emoji_name is refused beside a text',
    { status_text: 'x', emoji_code: '1f389' },
    /require emoji_name/,
  ),
  refused('an emoji_code alone is refused', { emoji_code: '1f389' }, /Nothing to change/),
  refused('an unknown emoji is refused', { emoji_name: 'nosuch' }, /no emoji named "nosuch"/),
  refused(
    'an emoji_code of another emoji than emoji_name is refused',
    { ...TADA, emoji_code: '1f642' },
    /does not match the emoji code/,
  ),
  refused('an unknown reaction_type is refused', { ...TADA, reaction_type: 'picture' }, /not a valid reaction_type/),
  refused(
    'a deactivated custom emoji is refused',
    { emoji_name: 'jester', emoji_code: '2', reaction_type: 'realm_emoji' },
    /deactivated/,
  ),
  {
    name: 'a bot is refused',
    as: 'bot',
    call: ['userStatus.set', { status_text: 'x' }],
    refuses: { code: 'BAD_REQUEST' },
  },
]);

export const setStatusForCases = cases('userStatus.setFor', [
  {
    name: 'an administrator changes the status of another user, who gets the event',
    as: 'administrator',
    given: inMeeting,
    call: ['userStatus.setFor', ({ users }) => ({ user_id: users.hamlet, status_text: 'on leave', emoji_name: '' })],
    events: ({ users }) => ({ hamlet: [{ type: 'user_status', user_id: users.hamlet, status_text: 'on leave' }] }),
    state: shows({ status_text: 'on leave' }),
  },
  {
    name: 'a user who is not an administrator is refused',
    as: 'moderator',
    call: ['userStatus.setFor', ({ users }) => ({ user_id: users.hamlet, status_text: 'x' })],
    refuses: { code: 'UNAUTHORIZED_PRINCIPAL' },
  },
  ...(
    [
      ['a bot is refused as the user', ({ users }: World) => users.bot, /Bots/],
      ['a deactivated user is refused', ({ users }: World) => users.deactivated, /deactivated/],
      ['an unknown user is refused', () => 9_999, /no user with ID 9999/],
    ] as const
  ).map(
    ([name, user, says]): Case => ({
      name,
      as: 'administrator',
      call: ['userStatus.setFor', (world: World) => ({ user_id: user(world), status_text: 'x' })],
      refuses: { code: 'BAD_REQUEST', says },
    }),
  ),
  {
    name: 'a request without changes is refused for another user too',
    as: 'administrator',
    call: ['userStatus.setFor', ({ users }) => ({ user_id: users.hamlet })],
    refuses: { code: 'BAD_REQUEST', says: /Nothing to change/ },
  },
]);

export const getStatusCases = cases('userStatus.get', [
  {
    name: 'the status of a user is returned, also by register',
    as: 'guest',
    given: inMeeting,
    call: ['userStatus.get', ({ users }) => ({ user_id: users.hamlet })],
    returns: { status: { status_text: 'in a meeting', ...TADA } },
    state: async ({ as, users }) => {
      const { user_status } = await as('guest').register({ fetch_event_types: ['user_status'] });
      assert.deepEqual(user_status, { [users.hamlet]: { status_text: 'in a meeting', ...TADA } });
    },
  },
  {
    name: 'a user without a status has an empty one',
    as: 'guest',
    call: ['userStatus.get', ({ users }) => ({ user_id: users.hamlet })],
    returns: { status: {} },
  },
  {
    name: 'a bot is refused as the account',
    as: 'guest',
    call: ['userStatus.get', ({ users }) => ({ user_id: users.bot })],
    refuses: { code: 'BAD_REQUEST', says: /Bots/ },
  },
  {
    name: 'an unknown user is refused',
    as: 'guest',
    call: ['userStatus.get', { user_id: 9_999 }],
    refuses: { code: 'BAD_REQUEST', says: /no user with ID/ },
  },
  {
    name: 'a hidden user is refused as unknown',
    as: 'guest',
    given: ({ settings }) => settings(RESTRICTED),
    call: ['userStatus.get', ({ users }) => ({ user_id: users.moderator })],
    refuses: { code: 'BAD_REQUEST', says: /no user with ID/ },
  },
]);
