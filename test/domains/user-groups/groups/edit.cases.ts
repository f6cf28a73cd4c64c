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
/** As the group's own permissions are stored, without asking whether they may be. */
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
    name: 'changes name and description; everybody learns of each',
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
    name: 'the present name and description change nothing and tell nobody',
    as: 'owner',
    call: editing({ name: 'kitchen', description: 'The kitchen' }),
    events: () => ({ hamlet: [] }),
  },
  {
    name: 'a name may change its case',
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
    name: 'a permission takes a group of people',
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
    name: 'a permission takes people and groups, and is told sorted and without repeats',
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
    name: 'several permissions are told of in the order of their names',
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
    name: 'a value that says the same otherwise changes nothing',
    as: 'owner',
    call: editing({ can_join_group: { new: holders([]) }, can_mention_group: { new: holders([], [7]) } }),
    events: () => ({ hamlet: [] }),
  },
  {
    name: 'a present value stays, whatever the rules have become',
    as: 'owner',
    given: storing(() => ({ can_manage_group: 7 })),
    call: editing({ can_manage_group: { new: 7 } }),
    events: () => ({ hamlet: [] }),
  },
  {
    name: 'the expected value is compared as a set',
    as: 'owner',
    given: storing(({ users }) => ({ can_join_group: holders([users.hamlet, users.cordelia]) })),
    call: editing(({ users }) => ({
      can_join_group: { old: holders([users.cordelia, users.hamlet]), new: 3 },
    })),
    events: ({ groups }) => ({ hamlet: [updated(groups.kitchen, { can_join_group: 3 })] }),
  },
  {
    name: 'deactivated accounts are not shown in a value, nor expected in the old one',
    as: 'owner',
    given: storing(({ users }) => ({ can_join_group: holders([users.hamlet, users.deactivated]) })),
    call: editing(({ users }) => ({ can_join_group: { old: holders([users.hamlet]), new: 3 } })),
    events: ({ groups }) => ({ hamlet: [updated(groups.kitchen, { can_join_group: 3 })] }),
  },
  {
    name: 'another value than the expected one fails everything',
    as: 'owner',
    call: editing({ name: 'galley', can_join_group: { old: 3, new: 4 } }),
    refuses: { code: 'EXPECTATION_MISMATCH' },
  },
  refused('nothing to change is refused', {}, /Nothing to change/),
  refused('a name is needed', { name: '' }, /needs a name/),
  refused('a name has 100 characters at most', { name: 'x'.repeat(101) }, /100 characters/),
  ...['@', 'role:', 'user:', 'stream:', 'channel:'].map((prefix) =>
    refused(`a name cannot begin with ${prefix}`, { name: `${prefix}x` }, /cannot begin/),
  ),
  refused('the name of another group is refused', { name: 'Cooks' }, /already exists/),
  refused('an update of a permission needs its new value', { can_join_group: { old: 1 } }, /new/),
  refused('an update of a permission has no unknown keys', { can_join_group: { new: 1, older: 2 } }, /new/),
  refused('a value has no unknown keys', { can_join_group: { new: { ...holders([]), people: [] } } }, /direct_members/),
  refused('a bare value is no update', { can_join_group: 3 }, /new/),
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
  refused('a permission names groups that exist', { can_join_group: { new: 9999 } }, /does not exist: 9999/),
  refused('also within an object', { can_join_group: { new: holders([], [9999, 3]) } }, /does not exist: 9999/),
  refused('a permission names people who exist', { can_join_group: { new: holders([9999]) } }, /does not exist/),
  refused(
    'a permission names no deactivated people',
    ({ users }) => ({ can_join_group: { new: holders([users.deactivated]) } }),
    /deactivated/,
  ),
  refused('a permission names no bot of the system', { can_join_group: { new: holders([1]) } }, /does not exist/),
  refused(
    'a deactivated group cannot be named',
    ({ groups }) => ({ can_join_group: { new: groups.disbanded } }),
    /has been deactivated/,
  ),
  refused(
    'nor among others',
    ({ groups }) => ({ can_join_group: { new: holders([], [groups.disbanded, 3]) } }),
    /has been deactivated/,
  ),
  {
    name: 'a deactivated group can be edited, of which clients that do not know such groups are not told',
    as: 'owner',
    call: editing({ name: 'gone', can_join_group: { new: 3 } }, 'disbanded'),
    events: () => ({ hamlet: [{ type: 'heartbeat' }, { type: 'heartbeat' }] }),
  },
  {
    name: 'a deactivated group cannot name itself',
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
      ['guests are refused before their parameters are read', 'guest', { name: 'x', deactivated: 'no' }, /Guests/],
      ['bots are refused before their parameters are read', 'bot', { name: 'x', deactivated: 'no' }, /Bots/],
      [
        'parameters are read before the group is looked up',
        'owner',
        { user_group_id: 9999, deactivated: 'no' },
        /^deactivated/,
      ],
      ['nothing to change is refused before the group is looked up', 'owner', { user_group_id: 9999 }, /Nothing to/],
      [
        'a group of the system is refused before permission is asked',
        'hamlet',
        { user_group_id: 3, name: 'x' },
        /system/,
      ],
      ['permission is asked before the name is looked at', 'hamlet', { name: '' }, /not allowed/],
      ['the name is looked at before the permissions', 'owner', { name: '', can_join_group: { new: 9999 } }, /a name/],
      [
        'permissions are looked at in the order of their names',
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
    name: 'nobody changes a group of the system',
    as: 'owner',
    call: ['userGroups.edit', { user_group_id: 3, description: 'x' }],
    refuses: { code: 'BAD_REQUEST', says: /belongs to the system/ },
  },
  {
    name: 'its members have no right by that alone',
    as: 'hamlet',
    call: editing({ description: 'x' }),
    refuses: { code: 'BAD_REQUEST', says: /not allowed/ },
  },
  {
    name: 'administrators have no right by that alone',
    as: 'administrator',
    call: editing({ description: 'x' }),
    refuses: { code: 'BAD_REQUEST', says: /not allowed/ },
  },
  allowed('whoever the group names may manage it', 'cordelia', ({ users }) => ({
    can_manage_group: holders([users.cordelia]),
  })),
  allowed('so may members of a group that it names, through any nesting', 'cordelia', ({ groups }) => ({
    can_manage_group: groups.kitchen,
  })),
  {
    name: 'the right to add members is none to edit the group',
    as: 'cordelia',
    given: storing(() => ({ can_add_members_group: 6, can_remove_members_group: 6, can_join_group: 6 })),
    call: editing({ description: 'x' }),
    refuses: { code: 'BAD_REQUEST', says: /not allowed/ },
  },
  {
    name: 'whoever may manage all groups may manage it, member or not',
    as: 'moderator',
    given: (world) => world.settings({ can_manage_all_groups: 4 }),
    call: editing({ description: 'x' }),
  },
  {
    name: 'guests may not, named by the group or not',
    as: 'guest',
    given: storing(({ users }) => ({ can_manage_group: holders([users.guest]) })),
    call: editing({ description: 'x' }),
    refuses: { code: 'BAD_REQUEST', says: /Guests/ },
  },
  {
    name: 'bots may not, named by the group or not',
    as: 'bot',
    given: storing(({ users }) => ({ can_manage_group: holders([users.bot]) })),
    call: editing({ description: 'x' }),
    refuses: { code: 'BAD_REQUEST', says: /Bots/ },
  },
]);
