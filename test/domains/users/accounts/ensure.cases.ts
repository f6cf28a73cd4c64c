import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';

const osric = { email: 'Osric@example.com', full_name: 'Osric' };
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
    returns: { user_id: isId, is_new: false, is_active: true },
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
    returns: ({ users }) => ({ user_id: users.deactivated, is_new: false, is_active: false }),
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
    returns: { is_new: false },
  },
]);
