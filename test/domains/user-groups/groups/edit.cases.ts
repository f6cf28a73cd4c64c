import assert from 'node:assert/strict';
import { GROUP_PERMISSION_NAMES } from '../../../../lib/rules/permission-settings.ts';
import { type Case, cases } from '../../../world/case.ts';
import type { UserName } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';

const editing = (
  given: object | ((world: World) => object),
  group: keyof World['groups'] = 'kitchen',
): NonNullable<Case['call']> => [
  'userGroups.edit',
  (world) => ({
    user_group_id: world.groups[group],
    ...(typeof given === 'function' ? given(world) : given),
  }),
];
const refused = (name: string, given: object | ((world: World) => object), says: RegExp): Case => ({
  name,
  as: 'owner',
  call: editing(given),
  refuses: { code: 'BAD_REQUEST', says },
});
const holders = (direct_members: number[], direct_subgroups: number[] = []) => ({ direct_members, direct_subgroups });
const updated = (group_id: number, data: object) => ({
  type: 'user_group',
  op: 'update',
  group_id,
  data: (given: object) => {
    assert.deepEqual(given, data);
    return true;
  },
});
/** Stores permissions of the group without a check. */
const storing = (settings: (world: World) => object) => (world: World) =>
  world.storage.write((tx) => tx.groups.update(world.groups.kitchen, { settings: settings(world) as never }));
const allowed = (name: string, as: UserName, settings: (world: World) => object): Case => ({
  name,
  as,
  given: storing(settings),
  call: editing({ description: 'new' }),
});

export const editUserGroupCases = cases('userGroups.edit', [
  {
    name: 'name and description change, and all users get the events',
    as: 'owner',
    call: editing({ name: ' galley ', description: 'Below deck' }),
    returns: {},
    events: ({ groups }) => {
      const told = [
        updated(groups.kitchen, { name: 'galley' }),
        updated(groups.kitchen, { description: 'Below deck' }),
      ];
      return { hamlet: told, guest: told, bot: told };
    },
  },
  {
    name: 'the present name and description change nothing and send no event',
    as: 'owner',
    call: editing({ name: 'kitchen', description: 'The kitchen' }),
    events: () => ({ hamlet: [] }),
  },
  {
    name: 'a group can change the case of its name',
    as: 'owner',
    call: editing({ name: 'Kitchen' }),
    events: ({ groups }) => ({ hamlet: [updated(groups.kitchen, { name: 'Kitchen' })] }),
  },
  ...GROUP_PERMISSION_NAMES.map(
    (key): Case => ({
      name: `${key} takes a group of the system, by its ID`,
      as: 'owner',
      call: editing({ [key]: { new: 3 } }),
      events: ({ groups }) => ({ hamlet: [updated(groups.kitchen, { [key]: 3 })] }),
    }),
  ),
  {
    name: 'a permission takes a user group',
    as: 'owner',
    call: editing(({ groups }) => ({ can_join_group: { new: groups.cooks } })),
    events: ({ groups }) => ({ hamlet: [updated(groups.kitchen, { can_join_group: groups.cooks })] }),
  },
  {
    name: 'a permission may name the group itself',
    as: 'owner',
    call: editing(({ groups }) => ({ can_manage_group: { new: groups.kitchen } })),
    events: ({ groups }) => ({ hamlet: [updated(groups.kitchen, { can_manage_group: groups.kitchen })] }),
  },
  {
    name: 'a permission takes users and groups, and the event has them sorted without repeats',
    as: 'owner',
    call: editing(({ users, groups }) => ({
      can_manage_group: { new: holders([users.cordelia, users.hamlet, users.cordelia], [groups.cooks, 3]) },
    })),
    events: ({ users, groups }) => ({
      hamlet: [
        updated(groups.kitchen, {
          can_manage_group: holders([users.hamlet, users.cordelia], [3, groups.cooks]),
        }),
      ],
    }),
  },
  {
    name: 'several permissions send events in the order of their names',
    as: 'owner',
    call: editing({ can_remove_members_group: { new: 3 }, can_add_members_group: { new: 4 } }),
    events: ({ groups }) => ({
      hamlet: [
        updated(groups.kitchen, { can_add_members_group: 4 }),
        updated(groups.kitchen, { can_remove_members_group: 3 }),
      ],
    }),
  },
  {
    name: 'a permission equal to the present one in another form changes nothing',
    as: 'owner',
    call: editing({ can_join_group: { new: holders([]) }, can_mention_group: { new: holders([], [7]) } }),
    events: () => ({ hamlet: [] }),
  },
  {
    name: 'the present value of a permission is accepted whatever the rules',
    as: 'owner',
    given: storing(() => ({ can_manage_group: 7 })),
    call: editing({ can_manage_group: { new: 7 } }),
    events: () => ({ hamlet: [] }),
  },
  {
    name: 'old is compared as a set',
    as: 'owner',
    given: storing(({ users }) => ({ can_join_group: holders([users.hamlet, users.cordelia]) })),
    call: editing(({ users }) => ({
      can_join_group: { old: holders([users.cordelia, users.hamlet]), new: 3 },
    })),
    events: ({ groups }) => ({ hamlet: [updated(groups.kitchen, { can_join_group: 3 })] }),
  },
  {
    name: 'a permission hides deactivated users, and old need not list them',
    as: 'owner',
    given: storing(({ users }) => ({ can_join_group: holders([users.hamlet, users.deactivated]) })),
    call: editing(({ users }) => ({ can_join_group: { old: holders([users.hamlet]), new: 3 } })),
    events: ({ groups }) => ({ hamlet: [updated(groups.kitchen, { can_join_group: 3 })] }),
  },
  {
    name: 'an old value that is not the current one is refused, and nothing changes',
    as: 'owner',
    call: editing({ name: 'galley', can_join_group: { old: 3, new: 4 } }),
    refuses: { code: 'EXPECTATION_MISMATCH' },
  },
  refused('a request without changes is refused', {}, /Nothing to change/),
  refused('a blank name is refused', { name: '' }, /name.* cannot be empty/),
  refused('a name of more than 100 characters is refused', { name: 'x'.repeat(101) }, /100 characters/),
  ...['@', 'role:', 'user:', 'stream:', 'channel:'].map((prefix) =>
    refused(`a name cannot begin with ${prefix}`, { name: `${prefix}x` }, /cannot begin/),
  ),
  refused('the name of another group is refused', { name: 'Cooks' }, /already exists/),
  refused('a permission update without new is refused', { can_join_group: { old: 1 } }, /new/),
  refused('a permission update with an unknown key is refused', { can_join_group: { new: 1, older: 2 } }, /new/),
  refused(
    'a permission value with an unknown key is refused',
    { can_join_group: { new: { ...holders([]), people: [] } } },
    /direct_members/,
  ),
  refused('a bare permission value is refused', { can_join_group: 3 }, /new/),
  ...GROUP_PERMISSION_NAMES.map((key) =>
    refused(`${key} cannot be set to role:internet`, { [key]: { new: 8 } }, /role:internet/),
  ),
  ...(['can_manage_group', 'can_add_members_group', 'can_join_group', 'can_remove_members_group'] as const).map((key) =>
    refused(`${key} cannot be set to role:everyone`, { [key]: { new: 7 } }, /role:everyone/),
  ),
  refused('can_mention_group cannot be set to role:owners', { can_mention_group: { new: 2 } }, /role:owners/),
  {
    name: 'can_manage_group can be set to role:owners, and can_mention_group to role:everyone',
    as: 'owner',
    given: storing(() => ({ can_mention_group: 3 })),
    call: editing({ can_manage_group: { new: 2 }, can_mention_group: { new: 7 } }),
  },
  {
    name: 'every permission can be set to role:nobody',
    as: 'owner',
    given: storing(() => Object.fromEntries(GROUP_PERMISSION_NAMES.map((key) => [key, 3]))),
    call: editing(Object.fromEntries(GROUP_PERMISSION_NAMES.map((key) => [key, { new: 1 }]))),
  },
  refused('a permission with an unknown group is refused', { can_join_group: { new: 9999 } }, /does not exist: 9999/),
  refused(
    'a permission object with an unknown subgroup is refused',
    { can_join_group: { new: holders([], [9999, 3]) } },
    /does not exist: 9999/,
  ),
  refused(
    'a permission with an unknown user is refused',
    { can_join_group: { new: holders([9999]) } },
    /does not exist/,
  ),
  refused(
    'a permission with a deactivated user is refused',
    ({ users }) => ({ can_join_group: { new: holders([users.deactivated]) } }),
    /deactivated/,
  ),
  refused('a permission with a system bot is refused', { can_join_group: { new: holders([1]) } }, /does not exist/),
  refused(
    'a permission with a deactivated group is refused',
    ({ groups }) => ({ can_join_group: { new: groups.disbanded } }),
    /has been deactivated/,
  ),
  refused(
    'a permission object with a deactivated subgroup among others is refused',
    ({ groups }) => ({ can_join_group: { new: holders([], [groups.disbanded, 3]) } }),
    /has been deactivated/,
  ),
  {
    name: 'a deactivated group is edited without an event for clients without deactivated groups',
    as: 'owner',
    call: editing({ name: 'gone', can_join_group: { new: 3 } }, 'disbanded'),
    events: () => ({ hamlet: [{ type: 'heartbeat' }, { type: 'heartbeat' }] }),
  },
  {
    name: 'a deactivated group that names itself in a permission is refused',
    as: 'owner',
    call: editing(({ groups }) => ({ can_join_group: { new: groups.disbanded } }), 'disbanded'),
    refuses: { code: 'BAD_REQUEST', says: /has been deactivated/ },
  },
  {
    name: 'deactivated=false reactivates a group, and the rest of the request is applied too',
    as: 'owner',
    call: editing(
      ({ groups }) => ({ deactivated: false, name: 'banded', can_join_group: { new: groups.disbanded } }),
      'disbanded',
    ),
    events: ({ groups, users }) => ({
      hamlet: [
        { type: 'heartbeat' },
        { type: 'heartbeat' },
        {
          type: 'user_group',
          op: 'add',
          group: { id: groups.disbanded, name: 'banded', members: [users.hamlet], deactivated: false },
        },
        updated(groups.disbanded, { can_join_group: groups.disbanded }),
      ],
    }),
  },
  {
    name: 'deactivated=true has no effect on an active group, and is success by itself',
    as: 'owner',
    call: editing({ deactivated: true }),
    events: () => ({ hamlet: [] }),
    state: async ({ as, groups }) => {
      const { user_groups } = await as('owner').userGroups.list();
      assert.equal(user_groups.find(({ id }) => id === groups.kitchen)?.deactivated, false);
    },
  },
  {
    name: 'deactivated=true has no effect on a deactivated group',
    as: 'owner',
    call: editing({ deactivated: true }, 'disbanded'),
    events: () => ({ hamlet: [] }),
  },
  {
    name: 'deactivated=false has no effect on an active group',
    as: 'owner',
    call: editing({ deactivated: false }),
    events: () => ({ hamlet: [] }),
  },
  ...(
    [
      ['a guest is refused before the parameters are read', 'guest', { name: 'x', deactivated: 'no' }, /Guests/],
      ['a bot is refused before the parameters are read', 'bot', { name: 'x', deactivated: 'no' }, /Bots/],
      [
        'an invalid parameter is refused before an unknown group',
        'owner',
        { user_group_id: 9999, deactivated: 'no' },
        /^deactivated/,
      ],
      ['a request without changes is refused before an unknown group', 'owner', { user_group_id: 9999 }, /Nothing to/],
      [
        'a system group is refused before the permission is checked',
        'hamlet',
        { user_group_id: 3, name: 'x' },
        /system/,
      ],
      ['a missing permission is refused before an invalid name', 'hamlet', { name: '' }, /not allowed/],
      [
        'an invalid name is refused before invalid permissions',
        'owner',
        { name: '', can_join_group: { new: 9999 } },
        /name.* cannot be empty/,
      ],
      [
        'invalid permissions are refused in the order of their names',
        'owner',
        { can_manage_group: { new: 9998 }, can_join_group: { new: 9999 } },
        /can_join_group .* 9999/,
      ],
    ] as const
  ).map(
    ([name, as, given, says]): Case => ({ name, as, call: editing(given), refuses: { code: 'BAD_REQUEST', says } }),
  ),
  {
    name: 'a group that does not exist is refused',
    as: 'owner',
    call: ['userGroups.edit', { user_group_id: 9999, name: 'x' }],
    refuses: { code: 'BAD_REQUEST', says: /no user group with ID 9999/ },
  },
  {
    name: 'a system group is refused',
    as: 'owner',
    call: ['userGroups.edit', { user_group_id: 3, description: 'x' }],
    refuses: { code: 'BAD_REQUEST', says: /is a system group/ },
  },
  {
    name: 'a group member without the permission is refused',
    as: 'hamlet',
    call: editing({ description: 'x' }),
    refuses: { code: 'BAD_REQUEST', says: /not allowed/ },
  },
  {
    name: 'an administrator without the permission is refused',
    as: 'administrator',
    call: editing({ description: 'x' }),
    refuses: { code: 'BAD_REQUEST', says: /not allowed/ },
  },
  allowed('a user named in can_manage_group edits the group', 'cordelia', ({ users }) => ({
    can_manage_group: holders([users.cordelia]),
  })),
  allowed('a nested member of a group named in can_manage_group edits the group', 'cordelia', ({ groups }) => ({
    can_manage_group: groups.kitchen,
  })),
  {
    name: 'a user who may only add members cannot edit the group',
    as: 'cordelia',
    given: storing(() => ({ can_add_members_group: 6, can_remove_members_group: 6, can_join_group: 6 })),
    call: editing({ description: 'x' }),
    refuses: { code: 'BAD_REQUEST', says: /not allowed/ },
  },
  {
    name: 'a user in can_manage_all_groups edits the group, member or not',
    as: 'moderator',
    given: (world) => world.settings({ can_manage_all_groups: 4 }),
    call: editing({ description: 'x' }),
  },
  {
    name: 'a guest is refused, even when can_manage_group names them',
    as: 'guest',
    given: storing(({ users }) => ({ can_manage_group: holders([users.guest]) })),
    call: editing({ description: 'x' }),
    refuses: { code: 'BAD_REQUEST', says: /Guests/ },
  },
  {
    name: 'a bot is refused, even when can_manage_group names it',
    as: 'bot',
    given: storing(({ users }) => ({ can_manage_group: holders([users.bot]) })),
    call: editing({ description: 'x' }),
    refuses: { code: 'BAD_REQUEST', says: /Bots/ },
  },
]);
