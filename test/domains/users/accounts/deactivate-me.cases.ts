import assert from 'node:assert/strict';
import { cases } from '../../../world/case.ts';
import { memberships } from '../../../world/group-events.ts';

export const deactivateMeCases = cases('users.deactivateMe', [
  {
    name: 'a member deactivates their own account',
    as: 'cordelia',
    call: ['users.deactivateMe'],
    state: async (world) => {
      assert.equal((await world.as('owner').users.get({ user_id: world.users.cordelia })).user.is_active, false);
      await assert.rejects(world.as('cordelia').users.me(), { code: 'UNAUTHORIZED' });
    },
  },
  {
    name: 'the only owner cannot deactivate their account',
    as: 'owner',
    given: ({ as, users }) => as('owner').users.deactivate({ user_id: users.secondOwner }),
    call: ['users.deactivateMe'],
    refuses: { code: 'BAD_REQUEST', says: /only owner/, data: { entity: 'organization owner', is_last_owner: true } },
  },
  {
    name: 'B13: a bot deactivates itself, and its owner gets the event',
    as: 'bot',
    call: ['users.deactivateMe'],
    events: ({ users }) => ({
      hamlet: [
        { type: 'realm_user', op: 'update', person: { user_id: users.bot, is_active: false } },
        { type: 'realm_bot', op: 'update', bot: { user_id: users.bot, is_active: false } },
        ...memberships('remove_members'),
      ],
    }),
  },
]);
