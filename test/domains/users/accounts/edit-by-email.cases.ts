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
  promotes('an account is found and edited by its real address', 'administrator', ({ emails }) => emails.cordelia),
  promotes(
    'an account is found by its real address, whatever its case and surrounding spaces',
    'administrator',
    () => ' CORDELIA@example.com ',
  ),
  promotes(
    'an administrator finds an account by a real address visible to administrators',
    'administrator',
    ({ emails }) => emails.cordelia,
    hidden(3),
  ),
  promotes(
    'an account with a hidden address is found by its placeholder address',
    'administrator',
    ({ users }) => `user${users.cordelia}@chat.example.com`,
    hidden(4),
  ),
  {
    ...refused(
      'a real address the caller cannot see is refused like an unknown one',
      'administrator',
      ({ emails }) => ({
        email: emails.cordelia,
        role: 300,
      }),
      { says: /no user with this address/ },
    ),
    given: hidden(4),
  },
  refused('an unknown address is refused', 'owner', () => ({ email: 'nobody@example.com', role: 300 }), {
    says: /no user with this address/,
  }),
  refused(
    'a system bot is refused as missing',
    'owner',
    () => ({ email: 'notification-bot@zulip.com', full_name: 'Other' }),
    {
      says: /no user with this address/,
    },
  ),
  refused(
    'an invalid role is refused before an unknown address',
    'owner',
    () => ({ email: 'nobody@x.com', role: 500 }),
    {
      says: /role/,
    },
  ),
  refused(
    'an unknown address is refused before a missing permission',
    'hamlet',
    () => ({ email: 'no@x.com', role: 300 }),
    {
      says: /no user with this address/,
    },
  ),
  ...(
    [
      ['the role', { role: 200, full_name: 'H', profile_data: [{ id: 999, value: 'x' }] }, /guest/],
      ['the name', { full_name: 'H', profile_data: [{ id: 999, value: 'x' }], new_email: 'x' }, /at least 2/],
      ['the profile', { profile_data: [{ id: 999, value: 'x' }], new_email: 'x' }, /999/],
    ] as const
  ).map(([what, params, says]) =>
    refused(
      `of several invalid parameters, the refusal names ${what} first`,
      'owner',
      ({ emails }) => ({ email: emails.guest, ...params }),
      {
        says,
      },
    ),
  ),
  refused('a moderator is refused', 'moderator', ({ emails }) => ({ email: emails.cordelia, full_name: 'Queen' })),
  refused('the owner of a bot cannot edit it by its address', 'hamlet', ({ emails }) => ({
    email: emails.bot,
    full_name: 'Scribe',
  })),
  refused('a guest cannot be made an administrator', 'owner', ({ emails }) => ({ email: emails.guest, role: 200 }), {
    says: /guest/,
  }),
  {
    ...refused('the owner role cannot be removed from the only owner', 'owner', ({ emails }) => ({
      email: emails.owner,
      role: 200,
    })),
    given: ({ as, users }) => as('owner').users.edit({ user_id: users.secondOwner, role: 400 }),
  },
  refused('only an owner adds the owner role', 'administrator', ({ emails }) => ({ email: emails.hamlet, role: 100 }), {
    code: 'UNAUTHORIZED_PRINCIPAL',
  }),
  {
    name: 'full name, role and address change in one request, with an event for each',
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
    name: 'profile_data sets custom profile fields together with a new name',
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
    'profile_data with an unknown field is refused, and the name does not change',
    'administrator',
    ({ emails }) => ({
      email: emails.hamlet,
      full_name: 'Prince',
      profile_data: [{ id: 999, value: 'x' }],
    }),
  ),
]);
