import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import type { UserName } from '../../../world/fixture.ts';
import { memberships } from '../../../world/group-events.ts';

const horatio = { email: 'Horatio@example.com', full_name: ' Horatio ' };
const created = { user_id: (id: unknown) => Number.isSafeInteger(id) };

const refused = (name: string, given: object, says?: RegExp, setup?: Case['given']): Case => ({
  name,
  as: 'administrator',
  call: ['users.create', { ...horatio, ...given }],
  ...(setup ? { given: setup } : {}),
  refuses: { code: 'BAD_REQUEST', ...(says ? { says } : {}) },
});

const makes = (as: UserName, role: number): Case => ({
  name: `the ${as} creates an account of role ${role}`,
  as,
  call: ['users.create', { ...horatio, role }],
  returns: created,
  state: async (world, { user_id }) => assert.equal((await world.as('owner').users.get({ user_id })).user.role, role),
});

export const createUserCases = cases('users.create', [
  {
    name: 'a member is created and subscribed to the default channels, and all users get the events',
    as: 'administrator',
    call: ['users.create', horatio],
    returns: created,
    events: ({ channels }) => ({
      guest: [
        {
          type: 'realm_user',
          op: 'add',
          person: { full_name: 'Horatio', email: 'Horatio@example.com', role: 400, is_active: true },
        },
        ...memberships('add_members'),
        { type: 'subscription', op: 'peer_add', stream_ids: [channels.default] },
      ],
      cordelia: [
        { type: 'realm_user', op: 'add', person: { delivery_email: 'Horatio@example.com' } },
        ...memberships('add_members'),
        { type: 'subscription', op: 'peer_add' },
      ],
    }),
  },
  ...[400, 300, 200, 600].map((role) => makes('administrator', role)),
  makes('owner', 100),
  {
    name: 'only owners create owners',
    as: 'administrator',
    call: ['users.create', { ...horatio, role: 100 }],
    refuses: { code: 'UNAUTHORIZED_PRINCIPAL' },
  },
  {
    name: 'a moderator is refused before the parameters are read',
    as: 'moderator',
    call: ['users.create', {}],
    refuses: { code: 'UNAUTHORIZED_PRINCIPAL' },
  },
  {
    name: 'an account created with a password signs in with it',
    as: 'administrator',
    call: ['users.create', { ...horatio, password: 'a good friend' }],
    state: async (world) => {
      const { email } = await world.chat
        .anonymous()
        .fetchApiKey({ username: 'horatio@example.com', password: 'a good friend' });
      assert.equal(email, 'Horatio@example.com');
    },
  },
  {
    name: 'an account created without a password cannot sign in with an empty one',
    as: 'administrator',
    call: ['users.create', horatio],
    state: async (world) => {
      const signIn = world.chat.anonymous().fetchApiKey({ username: 'horatio@example.com', password: '' });
      await assert.rejects(signIn, { code: 'AUTHENTICATION_FAILED' });
    },
  },
  {
    ...refused('an empty password is refused', { password: '' }),
    refuses: { code: 'PASSWORD_TOO_WEAK', says: /at least 8/ },
  },
  {
    ...refused('a password that is the part of the address before the host is refused', { password: 'horatio.p' }),
    call: ['users.create', { email: 'horatio.p@example.com', full_name: 'Horatio', password: 'Horatio.P' }],
    refuses: { code: 'PASSWORD_TOO_WEAK', says: /name or address/ },
  },
  {
    ...refused('an address in use is refused, whatever its case', { email: 'HAMLET@example.com' }),
    refuses: { code: 'EMAIL_ALREADY_IN_USE', says: /already/ },
  },
  {
    name: 'the address of a deactivated account is refused, and the error says to reactivate it',
    as: 'administrator',
    call: ['users.create', ({ emails }) => ({ email: emails.deactivated, full_name: 'Again' })],
    refuses: { code: 'EMAIL_ALREADY_IN_USE', says: /is deactivated\. Reactivate it/ },
  },
  refused('an invalid address is refused', { email: 'Horatio' }, /not an e-mail address/),
  refused('a name of 1 character is refused', { full_name: 'H' }, /at least 2/),
  refused('a name of more than 100 characters is refused', { full_name: 'H'.repeat(101) }, /limit: 100/),
  ...['*', '`', '\\', '>', '"', '@'].map((character) =>
    refused(`a name cannot contain ${character}`, { full_name: `Hor${character}tio` }),
  ),
  refused('a name cannot end in a bar and digits', { full_name: 'Horatio|12' }, /vertical bar/),
  refused('an unknown role is refused', { role: 500 }, /role/),
  refused('a name in use is refused when names must be unique', { full_name: 'hAMLET' }, /taken/, (world) =>
    world.settings({ require_unique_names: true }),
  ),
]);
