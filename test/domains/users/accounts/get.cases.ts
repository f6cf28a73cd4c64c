import { type Case, cases } from '../../../world/case.ts';
import type { UserName } from '../../../world/fixture.ts';
import { ABSENT } from '../../../world/matching.ts';
import type { World } from '../../../world/world.ts';

const getting = (name: UserName, params: object = {}) =>
  ['users.get', ({ users }: World) => ({ user_id: users[name], ...params })] as const;

const restricted = (world: World) => world.settings({ can_access_all_users_group: 6 });

const atGravatar = ({ storage, users }: World) =>
  storage.write((tx) => tx.users.update(users.hamlet, { avatar_source: 'G' }));

const list: Case[] = [
  {
    name: 'the answer is one user object, without is_billing_admin',
    as: 'cordelia',
    call: getting('hamlet'),
    returns: ({ users, emails }) => ({
      user: {
        user_id: users.hamlet,
        delivery_email: emails.hamlet,
        email: emails.hamlet,
        full_name: 'Hamlet',
        date_joined: '2026-03-02T09:00:00.000000+00:00',
        is_active: true,
        is_owner: false,
        is_admin: false,
        is_guest: false,
        is_bot: false,
        bot_type: null,
        bot_owner_id: null,
        role: 400,
        timezone: '',
        avatar_url: /^\/user_avatars\/generated\//,
        avatar_version: 1,
        profile_data: ABSENT,
        is_billing_admin: ABSENT,
      },
    }),
  },
  {
    name: 'avatar_url of an avatar at Gravatar is null by default',
    as: 'cordelia',
    given: atGravatar,
    call: getting('hamlet'),
    returns: { user: { avatar_url: null } },
  },
  {
    name: 'client_gravatar false gives the Gravatar address in avatar_url',
    as: 'cordelia',
    given: atGravatar,
    call: getting('hamlet', { client_gravatar: false }),
    returns: { user: { avatar_url: /gravatar/ } },
  },
  {
    name: 'include_custom_profile_fields adds profile_data',
    as: 'cordelia',
    call: getting('hamlet', { include_custom_profile_fields: true }),
    returns: { user: { profile_data: {} } },
  },
  {
    name: 'a bot has no profile_data',
    as: 'cordelia',
    call: getting('bot', { include_custom_profile_fields: true }),
    returns: ({ users }) => ({ user: { profile_data: ABSENT, bot_type: 1, bot_owner_id: users.hamlet, is_bot: true } }),
  },
  {
    name: 'a deactivated user is returned with is_active false',
    as: 'guest',
    call: getting('deactivated'),
    returns: { user: { is_active: false, full_name: 'Yorick' } },
  },
  {
    name: 'delivery_email is null when the caller cannot see the real address',
    as: 'hamlet',
    given: (world) => world.storage.write((tx) => tx.users.update(world.users.cordelia, { email_visibility: 3 })),
    call: getting('cordelia'),
    returns: ({ users }) => ({ user: { delivery_email: null, email: `user${users.cordelia}@chat.example.com` } }),
  },
  {
    name: 'an unknown ID is refused',
    as: 'hamlet',
    call: ['users.get', { user_id: 9999 }],
    refuses: { code: 'BAD_REQUEST', says: /9999/ },
  },
  {
    name: 'a restricted guest may get a user they share a channel with',
    as: 'guest',
    given: restricted,
    call: getting('cordelia'),
    returns: { user: { full_name: 'Cordelia' } },
  },
  {
    name: 'a restricted guest gets a user without a shared channel refused as missing',
    as: 'guest',
    given: restricted,
    call: getting('moderator'),
    refuses: { code: 'BAD_REQUEST', says: /^There is no user with ID \d+\.$/ },
  },
  {
    name: 'a restricted guest gets the same refusal for an unknown ID as for a hidden user',
    as: 'guest',
    given: restricted,
    call: ['users.get', { user_id: 9999 }],
    refuses: { code: 'BAD_REQUEST', says: /^There is no user with ID \d+\.$/ },
  },
  {
    name: 'a caller without credentials is refused, even when users can be listed',
    as: 'anonymous',
    given: (world) => world.settings({ enable_spectator_access: true }),
    call: getting('hamlet'),
    refuses: { code: 'UNAUTHORIZED', status: 401 },
  },
  {
    name: 'client_gravatar with another value than a boolean is refused',
    as: 'hamlet',
    call: getting('cordelia', { client_gravatar: 1 }),
    refuses: { code: 'BAD_REQUEST', says: /client_gravatar/ },
  },
  {
    name: 'an incoming-webhook bot cannot get users',
    as: 'webhook',
    call: getting('hamlet'),
    refuses: { code: 'UNAUTHORIZED', status: 401 },
  },
];

export const getUserCases = cases('users.get', list);
