import { type Case, cases, type OperationName } from '../../../world/case.ts';
import type { UserName } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';

const strangers = (operation: OperationName): Case[] => {
  const params = ({ groups, users }: World) => ({
    user_group_id: groups.kitchen,
    ...(operation === 'userGroups.isMember' ? { user_id: users.hamlet } : {}),
  });
  return [
    { name: 'a guest is refused', as: 'guest', call: [operation, params], refuses: { code: 'BAD_REQUEST' } },
    { name: 'a bot is refused', as: 'bot', call: [operation, params], refuses: { code: 'BAD_REQUEST' } },
    {
      name: 'a group that does not exist is refused',
      as: 'hamlet',
      call: [operation, (world) => ({ ...params(world), user_group_id: 9999 })],
      refuses: { code: 'BAD_REQUEST', says: /no user group/ },
    },
  ];
};

const asking = (group: keyof World['groups'] | number, user: UserName, more: object = {}): Case['call'] => [
  'userGroups.isMember',
  ({ groups, users }) => ({
    user_group_id: typeof group === 'number' ? group : groups[group],
    user_id: users[user],
    ...more,
  }),
];
const answers = (name: string, call: Case['call'], is_user_group_member: boolean): Case => ({
  name,
  as: 'moderator',
  call,
  returns: { is_user_group_member },
});

export const membersCases = cases('userGroups.members', [
  {
    name: 'the list has members through subgroups, of any role',
    as: 'moderator',
    call: ['userGroups.members', ({ groups }) => ({ user_group_id: groups.kitchen })],
    returns: ({ users }) => ({ members: [users.hamlet, users.cordelia] }),
  },
  {
    name: 'direct_member_only leaves out members of subgroups',
    as: 'moderator',
    call: ['userGroups.members', ({ groups }) => ({ user_group_id: groups.kitchen, direct_member_only: true })],
    returns: ({ users }) => ({ members: [users.hamlet] }),
  },
  {
    name: 'deactivated accounts are left out',
    as: 'moderator',
    given: ({ storage, groups, users }) =>
      storage.write((tx) => tx.groups.addMembers(groups.kitchen, [users.deactivated])),
    call: ['userGroups.members', ({ groups }) => ({ user_group_id: groups.kitchen })],
    returns: ({ users }) => ({ members: [users.hamlet, users.cordelia] }),
  },
  {
    name: 'members of a system group follow from their roles',
    as: 'moderator',
    call: ['userGroups.members', { user_group_id: 3 }],
    returns: ({ users }) => ({ members: [users.owner, users.secondOwner, users.administrator] }),
  },
  {
    name: 'direct_member_only lists the direct members of a system group',
    as: 'moderator',
    call: ['userGroups.members', { user_group_id: 3, direct_member_only: true }],
    returns: ({ users }) => ({ members: [users.administrator] }),
  },
  {
    name: 'members of a system group are members of a group that contains it',
    as: 'moderator',
    given: ({ storage, groups }) => storage.write((tx) => tx.groups.addSubgroups(groups.cooks, [2])),
    call: ['userGroups.members', ({ groups }) => ({ user_group_id: groups.cooks })],
    returns: ({ users }) => ({ members: [users.owner, users.secondOwner, users.cordelia] }),
  },
  ...strangers('userGroups.members'),
]);

export const subgroupsCases = cases('userGroups.subgroups', [
  {
    name: 'the list has direct and nested subgroups, without the group itself',
    as: 'moderator',
    call: ['userGroups.subgroups', { user_group_id: 4 }],
    returns: { subgroups: [2, 3] },
  },
  {
    name: 'direct_subgroup_only leaves out nested subgroups',
    as: 'moderator',
    call: ['userGroups.subgroups', { user_group_id: 4, direct_subgroup_only: true }],
    returns: { subgroups: [3] },
  },
  {
    name: 'a group without subgroups has an empty list',
    as: 'moderator',
    call: ['userGroups.subgroups', ({ groups }) => ({ user_group_id: groups.cooks })],
    returns: { subgroups: [] },
  },
  ...strangers('userGroups.subgroups'),
]);

export const isMemberCases = cases('userGroups.isMember', [
  answers('a direct member is a member', asking('kitchen', 'hamlet'), true),
  answers('a member of a subgroup is a member', asking('kitchen', 'cordelia'), true),
  answers(
    'a member of a subgroup is not a direct member',
    asking('kitchen', 'cordelia', { direct_member_only: true }),
    false,
  ),
  answers('a direct member is a direct member', asking('kitchen', 'hamlet', { direct_member_only: true }), true),
  answers('a member of the group is not a member of its subgroup', asking('cooks', 'hamlet'), false),
  answers('a user is a member of the groups of lower roles', asking(3, 'owner'), true),
  answers(
    'a user is not a direct member of the groups of lower roles',
    asking(3, 'owner', { direct_member_only: true }),
    false,
  ),
  answers(
    'a user is a direct member of the group of their role',
    asking(2, 'owner', { direct_member_only: true }),
    true,
  ),
  {
    name: 'a deactivated user is refused',
    as: 'moderator',
    call: asking('kitchen', 'deactivated'),
    refuses: { code: 'BAD_REQUEST', says: /deactivated/ },
  },
  {
    name: 'an unknown user is refused',
    as: 'moderator',
    call: ['userGroups.isMember', ({ groups }) => ({ user_group_id: groups.kitchen, user_id: 9999 })],
    refuses: { code: 'BAD_REQUEST', says: /no user with ID 9999/ },
  },
  ...strangers('userGroups.isMember'),
]);
