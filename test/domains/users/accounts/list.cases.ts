import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import type { UserName } from '../../../world/fixture.ts';
import { USER_NAMES } from '../../../world/fixture.ts';
import { ABSENT } from '../../../world/matching.ts';
import type { World } from '../../../world/world.ts';
import { addFields, fill } from '../profile-fields/filling.ts';

type Member = Record<string, unknown> & { user_id: number };

/** Checks one member of the response. */
const member =
  (name: UserName, pattern: (world: World) => Record<string, unknown>): Case['returns'] =>
  (world) => ({
    members: (members: Member[]) => {
      const found = members.find((one) => one.user_id === world.users[name]);
      for (const [key, value] of Object.entries(pattern(world))) {
        const present = found !== undefined && Object.hasOwn(found, key);
        if (value === ABSENT) assert.ok(!present, `${key} should be absent`);
        else if (value instanceof RegExp) assert.match(String(found?.[key]), value);
        else assert.deepEqual(found?.[key], value, key);
      }
      return true;
    },
  });

const hides = (visibility: 1 | 2 | 3 | 4 | 5) => (world: World) =>
  world.storage.write((tx) =>
    tx.users.update(world.users.cordelia, { email_visibility: visibility, avatar_source: 'G' }),
  );

const atGravatar = (world: World) =>
  world.storage.write((tx) => tx.users.update(world.users.hamlet, { avatar_source: 'G' }));

const placeholder = ({ users }: World) => `user${users.cordelia}@chat.example.com`;

const sees = (as: UserName, visibility: 1 | 2 | 3 | 4 | 5, does: boolean): Case => ({
  name: `${as} ${does ? 'sees' : 'does not see'} an address with email_address_visibility ${visibility}`,
  as,
  given: hides(visibility),
  call: ['users.list', {}],
  returns: member('cordelia', (world) => ({
    delivery_email: does ? world.emails.cordelia : null,
    email: visibility === 1 ? world.emails.cordelia : placeholder(world),
    avatar_url: does ? null : /^https:\/\/secure\.gravatar\.com\//,
  })),
});

const SPEC_KEYS = [
  'user_id',
  'delivery_email',
  'email',
  'full_name',
  'date_joined',
  'is_active',
  'is_owner',
  'is_admin',
  'is_guest',
  'is_bot',
  'bot_type',
  'bot_owner_id',
  'role',
  'timezone',
  'avatar_url',
  'avatar_version',
];

const objects: Case[] = [
  {
    name: 'the list has all users and bots, active and deactivated, without system bots',
    as: 'hamlet',
    call: ['users.list'],
    returns: ({ users }) => ({
      members: (members: Member[]) => {
        const ids = USER_NAMES.map((name) => users[name]).sort((a, b) => a - b);
        assert.deepEqual(
          members.map((one) => one.user_id).sort((a, b) => a - b),
          ids,
        );
        return true;
      },
    }),
  },
  {
    name: 'a user has exactly the fields of the table, without is_billing_admin',
    as: 'hamlet',
    call: ['users.list'],
    returns: {
      members: (members: Member[]) => {
        for (const one of members) assert.deepEqual(Object.keys(one).sort(), [...SPEC_KEYS].sort());
        return true;
      },
    },
  },
  {
    name: 'bot_type and bot_owner_id are null for a user who is not a bot',
    as: 'cordelia',
    call: ['users.list'],
    returns: member('hamlet', () => ({
      full_name: 'Hamlet',
      is_active: true,
      is_owner: false,
      is_admin: false,
      is_guest: false,
      is_bot: false,
      bot_type: null,
      bot_owner_id: null,
      role: 400,
      timezone: '',
      avatar_version: 1,
    })),
  },
  {
    name: 'date_joined is an ISO 8601 time',
    as: 'cordelia',
    call: ['users.list'],
    returns: member('hamlet', () => ({ date_joined: '2026-03-02T09:00:00.000000+00:00' })),
  },
  {
    name: 'is_owner and is_admin are true for an owner',
    as: 'hamlet',
    call: ['users.list'],
    returns: member('secondOwner', () => ({ is_owner: true, is_admin: true, role: 100 })),
  },
  {
    name: 'is_admin is true and is_owner false for an administrator',
    as: 'hamlet',
    call: ['users.list'],
    returns: member('administrator', () => ({ is_owner: false, is_admin: true, role: 200 })),
  },
  {
    name: 'role is 300 and is_admin false for a moderator',
    as: 'hamlet',
    call: ['users.list'],
    returns: member('moderator', () => ({ is_admin: false, is_guest: false, role: 300 })),
  },
  {
    name: 'role is 600 and is_guest true for a guest',
    as: 'hamlet',
    call: ['users.list'],
    returns: member('guest', () => ({ is_guest: true, role: 600 })),
  },
  {
    name: 'is_active is false for a deactivated user',
    as: 'hamlet',
    call: ['users.list'],
    returns: member('deactivated', () => ({ is_active: false })),
  },
  {
    name: 'a generic bot has bot_type 1 and the ID of its owner',
    as: 'cordelia',
    call: ['users.list'],
    returns: member('bot', ({ users, emails }) => ({
      is_bot: true,
      bot_type: 1,
      bot_owner_id: users.hamlet,
      delivery_email: emails.bot,
      email: emails.bot,
    })),
  },
  {
    name: 'a bot that has no owner has null for bot_owner_id',
    as: 'cordelia',
    given: ({ storage, users }) => storage.write((tx) => tx.users.update(users.bot, { bot_owner_id: null })),
    call: ['users.list'],
    returns: member('bot', () => ({ is_bot: true, bot_type: 1, bot_owner_id: null })),
  },
  {
    name: 'an incoming-webhook bot has bot_type 2',
    as: 'cordelia',
    call: ['users.list'],
    returns: member('webhook', () => ({ bot_type: 2 })),
  },
];

const parameters: Case[] = [
  {
    name: 'avatar_url is null when client_gravatar is true, the address is visible and the avatar is at Gravatar',
    as: 'cordelia',
    given: atGravatar,
    call: ['users.list', { client_gravatar: true }],
    returns: member('hamlet', () => ({ avatar_url: null })),
  },
  {
    name: 'client_gravatar is true by default',
    as: 'cordelia',
    given: atGravatar,
    call: ['users.list'],
    returns: member('hamlet', () => ({ avatar_url: null })),
  },
  {
    name: 'avatar_url is an address when client_gravatar is false',
    as: 'cordelia',
    given: atGravatar,
    call: ['users.list', { client_gravatar: false }],
    returns: member('hamlet', () => ({ avatar_url: /^https:\/\/secure\.gravatar\.com\/avatar\/[0-9a-f]{32}\?/ })),
  },
  {
    name: 'avatar_url is a generated picture for a user without an avatar, whatever client_gravatar is',
    as: 'cordelia',
    call: ['users.list', { client_gravatar: true }],
    returns: member('hamlet', () => ({
      avatar_url: /^\/user_avatars\/generated\/[0-9a-f]{32}\.png\?version=1$/,
    })),
  },
  {
    name: 'avatar_url is the address of an uploaded avatar, whatever client_gravatar is',
    as: 'cordelia',
    given: (world) =>
      world.storage.write((tx) => tx.users.update(world.users.hamlet, { avatar_source: 'U', avatar_version: 3 })),
    call: ['users.list', { client_gravatar: true }],
    returns: member('hamlet', () => ({
      avatar_url: /^\/user_avatars\/[0-9a-f]{40}\.png\?version=3$/,
      avatar_version: 3,
    })),
  },
  {
    name: 'profile_data is absent unless include_custom_profile_fields is true',
    as: 'cordelia',
    call: ['users.list'],
    returns: member('hamlet', () => ({ profile_data: ABSENT })),
  },
  {
    name: 'profile_data is an object when include_custom_profile_fields is true',
    as: 'cordelia',
    call: ['users.list', { include_custom_profile_fields: true }],
    returns: member('hamlet', () => ({ profile_data: {} })),
  },
  {
    name: 'profile_data has the value of each field by its ID, with HTML if the field takes Markdown',
    as: 'cordelia',
    given: async (world) => {
      const { food, born } = await addFields(world, { food: { field_type: 1 }, born: { field_type: 4 } });
      await fill(world, 'hamlet', { [food]: '*Soup*', [born]: '1990-01-31' });
    },
    call: ['users.list', { include_custom_profile_fields: true }],
    returns: (world) => ({
      members: (members: Member[]) => {
        const { food, born } = world.kept as { food: number; born: number };
        assert.deepEqual(members.find((one) => one.user_id === world.users.hamlet)?.profile_data, {
          [food]: { value: '*Soup*', rendered_value: '<p><em>Soup</em></p>' },
          [born]: { value: '1990-01-31' },
        });
        return true;
      },
    }),
  },
  {
    name: 'profile_data is present only when is_bot is false',
    as: 'cordelia',
    call: ['users.list', { include_custom_profile_fields: true }],
    returns: member('bot', () => ({ profile_data: ABSENT })),
  },
  {
    name: 'user_ids limits the results to these IDs',
    as: 'cordelia',
    call: ['users.list', ({ users }) => ({ user_ids: [users.hamlet, users.bot] })],
    returns: ({ users }) => ({ members: [{ user_id: users.hamlet }, { user_id: users.bot }] }),
  },
  {
    name: 'unknown IDs in user_ids are left out',
    as: 'cordelia',
    call: ['users.list', ({ users }) => ({ user_ids: [9999, users.hamlet, 1] })],
    returns: ({ users }) => ({ members: [{ user_id: users.hamlet }] }),
  },
  {
    name: 'an empty list of user_ids gives no members',
    as: 'cordelia',
    call: ['users.list', { user_ids: [] }],
    returns: { members: [] },
  },
  {
    name: 'user_ids with a name is refused',
    as: 'cordelia',
    call: ['users.list', { user_ids: ['Hamlet'] }],
    refuses: { code: 'BAD_REQUEST', says: /user_ids\[0\]/ },
  },
  {
    name: 'client_gravatar with another value than a boolean is refused',
    as: 'cordelia',
    call: ['users.list', { client_gravatar: 'maybe' }],
    refuses: { code: 'BAD_REQUEST', says: /client_gravatar/ },
  },
  {
    name: 'unknown parameters are listed in ignored_parameters_unsupported',
    as: 'cordelia',
    call: ['users.list', { order: 'name' }],
    returns: { ignored_parameters_unsupported: ['order'] },
  },
];

const visibility: Case[] = [
  ...(['guest', 'hamlet', 'administrator'] as const).map((as) => sees(as, 1, true)),
  sees('guest', 2, false),
  sees('hamlet', 2, true),
  sees('moderator', 3, false),
  sees('administrator', 3, true),
  sees('owner', 4, false),
  sees('hamlet', 5, false),
  sees('moderator', 5, true),
  {
    name: 'a user always gets their own real address',
    as: 'cordelia',
    given: hides(4),
    call: ['users.list'],
    returns: member('cordelia', (world) => ({ delivery_email: world.emails.cordelia, email: placeholder(world) })),
  },
  {
    name: 'for bots delivery_email is always the real address of the bot',
    as: 'guest',
    given: (world) => world.storage.write((tx) => tx.users.update(world.users.bot, { email_visibility: 4 })),
    call: ['users.list'],
    returns: member('bot', ({ emails }) => ({ delivery_email: emails.bot, email: emails.bot })),
  },
  {
    name: 'a restricted guest gets "Unknown user" for users without a shared channel',
    as: 'guest',
    given: (world) => world.settings({ can_access_all_users_group: 6 }),
    call: ['users.list', { include_custom_profile_fields: true }],
    returns: member('moderator', ({ users }) => ({
      full_name: 'Unknown user',
      delivery_email: null,
      email: `user${users.moderator}@chat.example.com`,
      is_active: true,
      role: 400,
      date_joined: '1970-01-01T00:00:00.000000+00:00',
      timezone: '',
      profile_data: {},
    })),
  },
  {
    name: 'a restricted guest gets a hidden deactivated user as an active "Unknown user"',
    as: 'guest',
    given: (world) => world.settings({ can_access_all_users_group: 6 }),
    call: ['users.list'],
    returns: member('deactivated', () => ({ full_name: 'Unknown user', is_active: true })),
  },
  {
    name: 'a restricted guest sees a user they share a channel with',
    as: 'guest',
    given: (world) => world.settings({ can_access_all_users_group: 6 }),
    call: ['users.list'],
    returns: member('cordelia', () => ({ full_name: 'Cordelia' })),
  },
  {
    name: 'a restricted guest sees all bots',
    as: 'guest',
    given: (world) => world.settings({ can_access_all_users_group: 6 }),
    call: ['users.list'],
    returns: member('bot', () => ({ full_name: 'Clerk' })),
  },
  {
    name: 'by default user_ids gives a restricted guest only the accounts they can access',
    as: 'guest',
    given: (world) => world.settings({ can_access_all_users_group: 6 }),
    call: ['users.list', ({ users }) => ({ user_ids: [users.cordelia, users.moderator] })],
    returns: ({ users }) => ({ members: [{ user_id: users.cordelia }] }),
  },
  {
    name: 'a member sees all users when guests are restricted',
    as: 'hamlet',
    given: (world) => world.settings({ can_access_all_users_group: 6 }),
    call: ['users.list'],
    returns: member('moderator', () => ({ full_name: 'Mona Moderator' })),
  },
];

const open = (world: World) => world.settings({ enable_spectator_access: true });

const anonymous: Case[] = [
  {
    name: 'a caller without credentials gets the list when enable_spectator_access is on',
    as: 'anonymous',
    given: async (world) => {
      await open(world);
      await atGravatar(world);
    },
    call: ['users.list'],
    returns: member('hamlet', () => ({
      full_name: 'Hamlet',
      delivery_email: null,
      date_joined: '2026-03-02',
      timezone: ABSENT,
      avatar_url: /^https:/,
    })),
  },
  {
    name: 'a caller without credentials gets the real addresses of bots',
    as: 'anonymous',
    given: open,
    call: ['users.list'],
    returns: member('bot', ({ emails }) => ({ delivery_email: emails.bot, email: emails.bot })),
  },
  {
    name: 'a caller without credentials gets no profile_data',
    as: 'anonymous',
    given: open,
    call: ['users.list', { include_custom_profile_fields: true }],
    returns: member('hamlet', () => ({ full_name: 'Hamlet', profile_data: ABSENT })),
  },
  {
    name: 'a caller without credentials is refused by default',
    as: 'anonymous',
    call: ['users.list'],
    refuses: { code: 'UNAUTHORIZED', status: 401 },
  },
  {
    name: 'a caller without credentials is refused on a server without web-public channels',
    as: 'anonymous',
    webPublicChannels: false,
    given: open,
    call: ['users.list'],
    refuses: { code: 'UNAUTHORIZED', status: 401 },
  },
  {
    name: 'a deactivated account is refused even when callers without credentials are allowed',
    as: 'deactivated',
    given: open,
    call: ['users.list'],
    refuses: { code: 'UNAUTHORIZED', status: 401, data: { reason: 'deactivated' } },
  },
  {
    name: 'an incoming-webhook bot cannot list users',
    as: 'webhook',
    call: ['users.list'],
    refuses: { code: 'UNAUTHORIZED', status: 401 },
  },
  { name: 'a bot may list users', as: 'bot', call: ['users.list'], returns: member('bot', () => ({ is_bot: true })) },
];

export const listUsersCases = cases('users.list', [...objects, ...parameters, ...visibility, ...anonymous]);
