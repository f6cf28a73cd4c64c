import { cases } from '../../../world/case.ts';
import type { World } from '../../../world/world.ts';

const hide = (world: World) =>
  world.storage.write((tx) => tx.users.update(world.users.cordelia, { email_visibility: 3 }));

export const getUserByEmailCases = cases('users.getByEmail', [
  {
    name: 'an account is found by its real address, whatever its case',
    as: 'hamlet',
    call: ['users.getByEmail', { email: 'CORDELIA@example.com' }],
    returns: ({ users }) => ({ user: { user_id: users.cordelia } }),
  },
  {
    name: 'an account is found by its placeholder address',
    as: 'hamlet',
    given: hide,
    call: ['users.getByEmail', ({ users }) => ({ email: `user${users.cordelia}@chat.example.com` })],
    returns: ({ users }) => ({ user: { user_id: users.cordelia, delivery_email: null } }),
  },
  {
    name: 'a real address the caller cannot see is refused',
    as: 'hamlet',
    given: hide,
    call: ['users.getByEmail', { email: 'cordelia@example.com' }],
    refuses: { code: 'BAD_REQUEST', says: /no user/ },
  },
  {
    name: 'a user finds their own account by the real address that others cannot see',
    as: 'cordelia',
    given: hide,
    call: ['users.getByEmail', { email: 'cordelia@example.com' }],
    returns: ({ users }) => ({ user: { user_id: users.cordelia, delivery_email: 'cordelia@example.com' } }),
  },
  {
    name: 'an administrator finds an account by a real address visible to administrators',
    as: 'administrator',
    given: hide,
    call: ['users.getByEmail', { email: 'cordelia@example.com' }],
    returns: { user: { delivery_email: 'cordelia@example.com' } },
  },
  {
    name: 'an unknown address gets the same refusal as a hidden one',
    as: 'hamlet',
    call: ['users.getByEmail', { email: 'fortinbras@example.com' }],
    refuses: { code: 'BAD_REQUEST', says: /no user/ },
  },
  {
    name: 'a placeholder address of another host is refused',
    as: 'hamlet',
    call: ['users.getByEmail', ({ users }) => ({ email: `user${users.cordelia}@elsewhere.example.com` })],
    refuses: { code: 'BAD_REQUEST' },
  },
  {
    name: 'a restricted guest does not find a user without a shared channel',
    as: 'guest',
    given: (world) => world.settings({ can_access_all_users_group: 6 }),
    call: ['users.getByEmail', { email: 'moderator@example.com' }],
    refuses: { code: 'BAD_REQUEST', says: /no user/ },
  },
]);
