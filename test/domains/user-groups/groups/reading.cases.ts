import { type Case, cases, type OperationName } from '../../../world/case.ts';
import type { UserName } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';

const strangers = (operation: OperationName): Case[] => {
  const params = ({ groups, users }: World) => ({
    user_group_id: groups.kitchen,
    ...(operation === 'userGroups.isMember' ? { user_id: users.hamlet } : {}),
  });
  return [
    { name: 'guests may not', as: 'guest', call: [operation, params], refuses: { code: 'BAD_REQUEST' } },
    { name: 'bots may not', as: 'bot', call: [operation, params], refuses: { code: 'BAD_REQUEST' } },
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
    name: 'lists members through subgroups, of any role',
    as: 'moderator',
    call: ['userGroups.members', ({ groups }) => ({ user_group_id: groups.kitchen })],
    returns: ({ users }) => ({ members: [users.hamlet, users.cordelia] }),
  },
  {
    name: 'direct_member_only leaves out who is there through a subgroup',
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
    name: 'members of a group of the system follow from roles',
    as: 'moderator',
    call: ['userGroups.members', { user_group_id: 3 }],
    returns: ({ users }) => ({ members: [users.owner, users.secondOwner, users.administrator] }),
  },
  {
    name: 'of these too the direct ones can be asked for',
    as: 'moderator',
    call: ['userGroups.members', { user_group_id: 3, direct_member_only: true }],
    returns: ({ users }) => ({ members: [users.administrator] }),
  },
  {
    name: 'a group of the system brings its people into a group that contains it',
    as: 'moderator',
    given: ({ storage, groups }) => storage.write((tx) => tx.groups.addSubgroups(groups.cooks, [2])),
    call: ['userGroups.members', ({ groups }) => ({ user_group_id: groups.cooks })],
    returns: ({ users }) => ({ members: [users.owner, users.secondOwner, users.cordelia] }),
  },
  ...strangers('userGroups.members'),
]);

export const subgroupsCases = cases('userGroups.subgroups', [
  {
    name: 'lists the groups in it, through others too, and not the group itself',
    as: 'moderator',
    call: ['userGroups.subgroups', { user_group_id: 4 }],
    returns: { subgroups: [2, 3] },
  },
  {
    name: 'direct_subgroup_only leaves out those that are there through others',
    as: 'moderator',
    call: ['userGroups.subgroups', { user_group_id: 4, direct_subgroup_only: true }],
    returns: { subgroups: [3] },
  },
  {
    name: 'a group without any has an empty list',
    as: 'moderator',
    call: ['userGroups.subgroups', ({ groups }) => ({ user_group_id: groups.cooks })],
    returns: { subgroups: [] },
  },
  ...strangers('userGroups.subgroups'),
]);

export const isMemberCases = cases('userGroups.isMember', [
  answers('a direct member is one', asking('kitchen', 'hamlet'), true),
  answers('whoever is there through a subgroup is one', asking('kitchen', 'cordelia'), true),
  answers(
    'who is in a subgroup is no direct member',
    asking('kitchen', 'cordelia', { direct_member_only: true }),
    false,
  ),
  answers('a direct member is found directly', asking('kitchen', 'hamlet', { direct_member_only: true }), true),
  answers('membership of a subgroup alone does not lead inwards', asking('cooks', 'hamlet'), false),
  answers('roles make members', asking(3, 'owner'), true),
  answers('a role makes a direct member of one group', asking(3, 'owner', { direct_member_only: true }), false),
  answers('that of the role', asking(2, 'owner', { direct_member_only: true }), true),
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
