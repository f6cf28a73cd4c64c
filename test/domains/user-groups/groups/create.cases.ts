import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import type { World } from '../../../world/world.ts';

const creating = (given: object | ((world: World) => object) = {}): Case['call'] => [
  'userGroups.create',
  (world) => ({
    name: 'support',
    description: 'Whom to ask',
    members: [],
    ...(typeof given === 'function' ? given(world) : given),
  }),
];
const refused = (name: string, given: object | ((world: World) => object), says: RegExp): Case => ({
  name,
  as: 'hamlet',
  call: creating(given),
  refuses: { code: 'BAD_REQUEST', says },
});
const holders = (direct_members: number[], direct_subgroups: number[] = []) => ({ direct_members, direct_subgroups });

export const createUserGroupCases = cases('userGroups.create', [
  {
    name: 'a group is created with its event, and the notification bot writes to its other members',
    as: 'hamlet',
    call: creating(({ users }) => ({ members: [users.cordelia, users.hamlet, users.bot, users.guest] })),
    returns: { group_id: (id: unknown) => Number.isSafeInteger(id) },
    events: ({ users }) => {
      const added = {
        type: 'user_group',
        op: 'add',
        group: {
          name: 'support',
          description: 'Whom to ask',
          members: [users.hamlet, users.cordelia, users.guest, users.bot],
          direct_subgroup_ids: [],
          creator_id: users.hamlet,
          is_system_group: false,
          deactivated: false,
          can_add_members_group: holders([users.hamlet]),
          can_join_group: 1,
          can_leave_group: 7,
          can_manage_group: holders([users.hamlet]),
          can_mention_group: 7,
          can_remove_members_group: 1,
        },
      };
      const told = {
        type: 'message',
        message: {
          sender_email: 'notification-bot@zulip.com',
          content: /Hamlet.* added you to the group @_\*support\*/,
        },
        flags: [],
      };
      return { cordelia: [added, told], guest: [added, told], hamlet: [added], bot: [added], moderator: [added] };
    },
  },
  {
    name: 'a group is created with normalized permissions and subgroups',
    as: 'hamlet',
    call: creating(({ users, groups }) => ({
      name: ' support ',
      subgroups: [groups.kitchen, groups.cooks],
      can_manage_group: holders([], [groups.kitchen]),
      can_join_group: holders([]),
      can_add_members_group: holders([users.cordelia, users.hamlet, users.cordelia], [6, 3]),
    })),
    state: async ({ as, users, groups }, { group_id }) => {
      const { user_groups } = await as('hamlet').userGroups.list();
      const group = user_groups.find((one) => one.id === group_id);
      assert.equal(group?.name, 'support');
      assert.equal(group?.can_manage_group, groups.kitchen);
      assert.equal(group?.can_join_group, 1);
      assert.deepEqual(group?.can_add_members_group, holders([users.hamlet, users.cordelia], [3, 6]));
      assert.deepEqual(
        group?.direct_subgroup_ids,
        [groups.cooks, groups.kitchen].sort((a, b) => a - b),
      );
    },
  },
  refused('a blank name is refused', { name: '  ' }, /name.* cannot be empty/),
  refused('a name of more than 100 characters is refused', { name: 'x'.repeat(101) }, /limit: 100/),
  ...['@', 'role:', 'user:', 'stream:', 'channel:'].map((prefix) =>
    refused(`a name cannot begin with ${prefix}`, { name: `${prefix}x` }, /cannot begin/),
  ),
  refused('a name has no control characters', { name: 'a\u0007b' }, /position 2/),
  refused('a name that another group has is refused', { name: 'kitchen' }, /already exists/),
  refused('a name that differs in case alone is refused', { name: 'KITCHEN' }, /already exists/),
  refused('the name of a deactivated group is refused', { name: 'disbanded' }, /deactivated .*already exists/),
  refused('a description of more than 1024 characters is refused', { description: 'x'.repeat(1025) }, /limit: 1024/),
  refused('an unknown member is refused', { members: [9999] }, /no user with ID 9999/),
  refused('a deactivated member is refused', ({ users }) => ({ members: [users.deactivated] }), /deactivated/),
  refused('a system bot as member is refused', { members: [1] }, /no user with ID 1/),
  refused('an unknown subgroup is refused', { subgroups: [9999] }, /no user group with ID 9999/),
  refused('a deactivated subgroup is refused', ({ groups }) => ({ subgroups: [groups.disbanded] }), /deactivated/),
  refused('a permission for role:internet is refused', { can_mention_group: 8 }, /role:internet/),
  refused('can_manage_group for role:everyone is refused', { can_manage_group: 7 }, /role:everyone/),
  refused('can_mention_group for role:owners is refused', { can_mention_group: 2 }, /role:owners/),
  refused(
    'a permission object with one system group is checked like its ID',
    { can_manage_group: holders([], [7]) },
    /role:everyone/,
  ),
  refused(
    'a permission cannot name a deactivated group',
    ({ groups }) => ({ can_join_group: groups.disbanded }),
    /has been deactivated/,
  ),
  refused('a permission that names a system bot is refused', { can_join_group: holders([1]) }, /does not exist/),
  refused(
    'a permission with an unknown key is refused',
    { can_join_group: { ...holders([1]), more: [] } },
    /direct_members/,
  ),
  {
    name: 'a request without one of the three values is refused',
    as: 'hamlet',
    call: ['userGroups.create', { name: 'support', description: '' }],
    refuses: { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'members' } },
  },
  {
    name: 'a member outside can_create_groups is refused',
    as: 'hamlet',
    given: (world) => world.settings({ can_create_groups: 3 }),
    call: creating(),
    refuses: { code: 'BAD_REQUEST', says: /not allowed to create/ },
  },
  { name: 'a guest is refused', as: 'guest', call: creating(), refuses: { code: 'BAD_REQUEST', says: /Guests/ } },
  { name: 'a bot is refused', as: 'bot', call: creating(), refuses: { code: 'BAD_REQUEST', says: /Bots/ } },
]);
