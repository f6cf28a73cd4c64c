import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';

const osric = { email: 'Osric@example.com', full_name: 'Osric' };
/** Hamlet has an unverified address. */
const unverified: Case['given'] = ({ storage, users }) =>
  storage.write(async (tx) => void (await tx.users.update(users.hamlet, { is_email_verified: false })));
const hamlet = { email: 'hamlet@example.com', full_name: 'Hamlet' };
const isId = (id: unknown) => Number.isSafeInteger(id);

const refused = (name: string, params: object, code = 'BAD_REQUEST', as: Case['as'] = 'administrator'): Case => ({
  name,
  as,
  call: ['users.ensure', { ...osric, ...params }],
  refuses: { code },
});

export const ensureUserCases = cases('users.ensure', [
  {
    name: 'a missing account is created with its role and default channels, and is_new is true',
    as: 'administrator',
    call: ['users.ensure', { ...osric, role: 300 }],
    returns: { user_id: isId, is_new: true, is_active: true },
    state: async ({ as, channels }, { user_id }) => {
      const { user } = await as('owner').users.get({ user_id });
      assert.deepEqual([user.role, user.full_name, user.delivery_email], [300, 'Osric', 'Osric@example.com']);
      const { subscribers } = await as('owner').channels.subscribers({ stream_id: channels.default });
      assert.ok(subscribers.includes(user_id));
    },
  },
  {
    name: 'an existing account is found whatever the case of its address, and does not change',
    as: 'owner',
    call: ['users.ensure', { email: ' HAMLET@EXAMPLE.com ', full_name: 'Somebody else', role: 600 }],
    returns: { user_id: isId, is_new: false, is_active: true, adopted: 'verified' },
    events: () => ({ guest: [], hamlet: [] }),
    state: async ({ as, users }, { user_id }) => {
      assert.equal(user_id, users.hamlet);
      const { user } = await as('owner').users.get({ user_id });
      assert.deepEqual([user.full_name, user.role], ['Hamlet', 400]);
    },
  },
  {
    name: 'a deactivated account is returned with is_active false and stays deactivated',
    as: 'administrator',
    call: ['users.ensure', { email: 'yorick@example.com', full_name: 'Yorick' }],
    returns: ({ users }) => ({ user_id: users.deactivated, is_new: false, is_active: false, adopted: 'verified' }),
  },
  {
    name: 'an account with an unverified address is refused and does not change',
    as: 'administrator',
    given: unverified,
    call: ['users.ensure', hamlet],
    refuses: { code: 'ADOPTION_REFUSED', status: 403, says: /adopt "reset"/ },
  },
  {
    name: 'with adopt reset, an administrator is refused for the own account',
    as: 'administrator',
    given: ({ storage, users }) =>
      storage.write(async (tx) => void (await tx.users.update(users.administrator, { is_email_verified: false }))),
    call: ['users.ensure', ({ emails }) => ({ email: emails.administrator, full_name: 'Polonius', adopt: 'reset' })],
    refuses: { code: 'BAD_REQUEST', says: /your own account/ },
  },
  {
    name: 'with adopt reset, the API key of an unverified account changes',
    as: 'administrator',
    given: unverified,
    call: ['users.ensure', { ...hamlet, adopt: 'reset' }],
    returns: ({ users }) => ({ user_id: users.hamlet, is_new: false, is_active: true, adopted: 'reset' }),
    state: async ({ storage, users }) => {
      const user = await storage.read((tx) => tx.users.byId(users.hamlet));
      assert.deepEqual([user?.is_email_verified, user?.password_hash, user?.key_generation], [true, null, 1]);
    },
  },
  {
    name: 'an administrator cannot reset the account of an owner',
    as: 'administrator',
    given: ({ storage, users }) =>
      storage.write(async (tx) => void (await tx.users.update(users.owner, { is_email_verified: false }))),
    call: ['users.ensure', ({ emails }) => ({ email: emails.owner, full_name: 'Owner', adopt: 'reset' })],
    refuses: { code: 'UNAUTHORIZED_PRINCIPAL' },
  },
  {
    name: 'with adopt never, an existing account is refused',
    as: 'administrator',
    call: ['users.ensure', { ...hamlet, adopt: 'never' }],
    refuses: { code: 'ADOPTION_REFUSED', status: 403 },
  },
  refused('the address of a bot is refused as in use', { email: 'clerk-bot@chat.example.com' }, 'EMAIL_ALREADY_IN_USE'),
  refused('an invalid address is refused', { email: 'osric' }),
  refused('an invalid name is refused', { full_name: '*' }),
  refused('an administrator cannot create an owner', { role: 100 }, 'UNAUTHORIZED_PRINCIPAL'),
  refused('a member is refused', {}, 'UNAUTHORIZED_PRINCIPAL', 'hamlet'),
  {
    name: 'a name in use is refused when names must be unique',
    as: 'administrator',
    given: ({ settings }) => settings({ require_unique_names: true }),
    call: ['users.ensure', { ...osric, full_name: 'hamlet' }],
    refuses: { code: 'BAD_REQUEST', says: /taken/ },
  },
  {
    name: 'an existing user is found even when another user now has their name',
    as: 'administrator',
    given: ({ settings }) => settings({ require_unique_names: true }),
    call: ['users.ensure', { email: 'hamlet@example.com', full_name: 'Cordelia' }],
    returns: { is_new: false, adopted: 'verified' },
  },
]);
