import assert from 'node:assert/strict';
import { type Case, cases, type Params } from '../../../world/case.ts';
import type { UserName } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';

const roleOf = async ({ as, users }: World, user: UserName) =>
  (await as('owner').users.get({ user_id: users[user] })).user.role;

const promotes = (name: string, as: UserName, email: (world: World) => string, given?: Case['given']): Case => ({
  name,
  as,
  ...(given ? { given } : {}),
  call: ['users.editByEmail', (world) => ({ email: email(world), role: 300 })],
  state: async (world) => assert.equal(await roleOf(world, 'cordelia'), 300),
});

const refused = (
  name: string,
  as: UserName,
  params: (world: World) => Params,
  more: Partial<Case['refuses']> = {},
): Case => ({
  name,
  as,
  call: ['users.editByEmail', params],
  refuses: { code: 'BAD_REQUEST', ...more },
});

const hidden = (visibility: 3 | 4) => (world: World) =>
  world.as('cordelia').settings.edit({ email_address_visibility: visibility });

export const editUserByEmailCases = cases('users.editByEmail', [
  promotes('finds by the real address', 'administrator', ({ emails }) => emails.cordelia),
  promotes('finds by the real address without regard to case', 'administrator', () => ' CORDELIA@example.com '),
  promotes(
    'finds by the real address where administrators may see it',
    'administrator',
    ({ emails }) => emails.cordelia,
    hidden(3),
  ),
  promotes(
    'finds by the placeholder address where the requester may not see the real one',
    'administrator',
    ({ users }) => `user${users.cordelia}@chat.example.com`,
    hidden(4),
  ),
  {
    ...refused(
      'does not find by a real address that is hidden, as one that nobody has',
      'administrator',
      ({ emails }) => ({
        email: emails.cordelia,
        role: 300,
      }),
      { says: /no user with the address/ },
    ),
    given: hidden(4),
  },
  refused('an address that nobody has is refused', 'owner', () => ({ email: 'nobody@example.com', role: 300 }), {
    says: /no user with the address/,
  }),
  refused(
    'a system bot is refused as missing',
    'owner',
    () => ({ email: 'notification-bot@zulip.com', full_name: 'Other' }),
    {
      says: /no user with the address/,
    },
  ),
  refused(
    'parameters are read before the account is looked up',
    'owner',
    () => ({ email: 'nobody@x.com', role: 500 }),
    {
      says: /role/,
    },
  ),
  refused('the account is looked up before the right is asked', 'hamlet', () => ({ email: 'no@x.com', role: 300 }), {
    says: /no user with the address/,
  }),
  ...(
    [
      ['the role', { role: 200, full_name: 'H', profile_data: [{ id: 999, value: 'x' }] }, /guest/],
      ['the name', { full_name: 'H', profile_data: [{ id: 999, value: 'x' }], new_email: 'x' }, /at least 2/],
      ['the profile', { profile_data: [{ id: 999, value: 'x' }], new_email: 'x' }, /999/],
    ] as const
  ).map(([what, params, says]) =>
    refused(`of several faults ${what} is named first`, 'owner', ({ emails }) => ({ email: emails.guest, ...params }), {
      says,
    }),
  ),
  refused('a moderator is refused', 'moderator', ({ emails }) => ({ email: emails.cordelia, full_name: 'Queen' })),
  refused('the owner of a bot cannot edit it by its address', 'hamlet', ({ emails }) => ({
    email: emails.bot,
    full_name: 'Scribe',
  })),
  refused('a guest cannot be made an administrator', 'owner', ({ emails }) => ({ email: emails.guest, role: 200 }), {
    says: /guest/,
  }),
  refused('only an owner adds the owner role', 'administrator', ({ emails }) => ({ email: emails.hamlet, role: 100 }), {
    code: 'UNAUTHORIZED_PRINCIPAL',
  }),
  {
    name: 'full name, role and address are changed at once',
    as: 'owner',
    given: (world) => world.mayChangeAddresses('owner'),
    call: [
      'users.editByEmail',
      ({ emails }) => ({ email: emails.hamlet, full_name: 'Prince', role: 200, new_email: 'prince@example.com' }),
    ],
    events: ({ users }) => ({
      guest: [
        { type: 'realm_user', person: { user_id: users.hamlet, role: 200 } },
        ...[5, 6, 3].map((group_id) => ({ type: 'user_group', group_id, user_ids: [users.hamlet] })),
        { type: 'realm_user', person: { full_name: 'Prince' } },
        { type: 'realm_user', person: { new_email: 'prince@example.com' } },
        { type: 'realm_user', person: { delivery_email: 'prince@example.com' } },
      ],
    }),
  },
  refused('new_email without the permission is refused', 'owner', ({ emails }) => ({
    email: emails.hamlet,
    new_email: 'p@example.com',
  })),
  {
    name: 'profile_data fills in custom profile fields, with the other changes or not at all',
    as: 'administrator',
    given: async (world) => {
      world.kept.field = (await world.as('owner').profileFields.create({ name: 'Drink', field_type: 1 })).id;
    },
    call: [
      'users.editByEmail',
      ({ emails, kept }) => ({
        email: emails.hamlet,
        full_name: 'Prince',
        profile_data: [{ id: kept.field, value: 'Tea' }],
      }),
    ],
    events: ({ users, kept }) => ({
      cordelia: [
        { type: 'realm_user', person: { user_id: users.hamlet, full_name: 'Prince' } },
        {
          type: 'realm_user',
          person: { user_id: users.hamlet, custom_profile_field: { id: kept.field, value: 'Tea' } },
        },
      ],
    }),
    state: async ({ as, users, kept }) => {
      const { user } = await as('cordelia').users.get({ user_id: users.hamlet, include_custom_profile_fields: true });
      assert.equal(user.profile_data?.[String(kept.field)]?.value, 'Tea');
    },
  },
  refused(
    'profile_data names a field that there is not, and nothing of the request is done',
    'administrator',
    ({ emails }) => ({
      email: emails.hamlet,
      full_name: 'Prince',
      profile_data: [{ id: 999, value: 'x' }],
    }),
  ),
]);
