import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import type { UserName } from '../../../world/fixture.ts';
import { letKnow } from '../../../world/group-events.ts';
import type { World } from '../../../world/world.ts';

type Given = object | ((world: World) => object);

const changing = (given: Given, group: keyof World['groups'] = 'kitchen'): Case['call'] => [
  'userGroups.updateMembers',
  (world) => ({ user_group_id: world.groups[group], ...(typeof given === 'function' ? given(world) : given) }),
];
const refused = (name: string, given: Given, says: RegExp, as: UserName = 'owner', before?: Case['given']): Case => ({
  name,
  as,
  ...(before ? { given: before } : {}),
  call: changing(given),
  refuses: { code: 'BAD_REQUEST', says },
});
const storing = (settings: (world: World) => object) => (world: World) =>
  world.storage.write((tx) => tx.groups.update(world.groups.kitchen, { settings: settings(world) as never }));
const only = (...names: UserName[]) => ({
  member: ({ users }: World) => ({ direct_members: names.map((name) => users[name]), direct_subgroups: [] }),
});
const holding = (key: string, name: UserName) => storing((world) => ({ [key]: only(name).member(world) }));
const event = (op: string, group_id: number, more: object) => ({ type: 'user_group', op, group_id, ...more });
const told = (what: RegExp) => ({
  type: 'message',
  message: { sender_email: 'notification-bot@zulip.com', content: what },
});
const add =
  (...names: UserName[]) =>
  ({ users }: World) => ({ add: names.map((name) => users[name]) });
const remove =
  (...names: UserName[]) =>
  ({ users }: World) => ({ delete: names.map((name) => users[name]) });

export const updateMembersCases = cases('userGroups.updateMembers', [
  {
    name: 'users and subgroups are added and removed in one request, and all users get the events',
    as: 'owner',
    call: changing(({ users, groups }) => ({
      add: [users.moderator, users.cordelia],
      delete: [users.hamlet],
      add_subgroups: [groups.hamletcharacters],
      delete_subgroups: [groups.cooks],
    })),
    returns: {},
    events: ({ users, groups }) => {
      const all = [
        event('add_members', groups.kitchen, { user_ids: [users.moderator, users.cordelia] }),
        event('remove_members', groups.kitchen, { user_ids: [users.hamlet] }),
        event('add_subgroups', groups.kitchen, { direct_subgroup_ids: [groups.hamletcharacters] }),
        event('remove_subgroups', groups.kitchen, { direct_subgroup_ids: [groups.cooks] }),
      ];
      const [added, removed, ...nested] = all;
      return {
        guest: all,
        bot: all,
        owner: all,
        moderator: [added, told(/Olivia Owner.* added you to the group/), removed, ...nested],
        hamlet: [added, removed, told(/Olivia Owner.* removed you from the group/), ...nested],
      };
    },
    state: async ({ as, users, groups }) => {
      const user_group_id = groups.kitchen;
      const direct = await as('owner').userGroups.members({ user_group_id, direct_member_only: true });
      assert.deepEqual(direct.members, [users.moderator, users.cordelia]);
      assert.deepEqual((await as('owner').userGroups.members({ user_group_id })).members, [
        users.moderator,
        users.hamlet,
        users.cordelia,
      ]);
    },
  },
  {
    name: 'bots and guests become members, and the notification bot does not write to bots',
    as: 'owner',
    call: changing(add('bot', 'guest')),
    events: ({ users, groups }) => {
      const added = event('add_members', groups.kitchen, { user_ids: [users.guest, users.bot] });
      return { bot: [added], guest: [added, told(/added you/)] };
    },
  },
  {
    name: 'a member named twice is added once',
    as: 'owner',
    call: changing(({ users }) => ({ add: [users.moderator, users.moderator] })),
    events: ({ users, groups }) => ({
      owner: [event('add_members', groups.kitchen, { user_ids: [users.moderator] })],
    }),
  },
  {
    name: 'members of a deactivated group change without an event for clients without deactivated groups',
    as: 'owner',
    call: changing(({ users }) => ({ add: [users.moderator], delete: [users.hamlet] }), 'disbanded'),
    events: () => ({ guest: [{ type: 'heartbeat' }, { type: 'heartbeat' }] }),
    state: async ({ as, users, groups }) => {
      const { members } = await as('owner').userGroups.members({ user_group_id: groups.disbanded });
      assert.deepEqual(members, [users.moderator]);
    },
  },
  refused('a request without changes is refused', { add: [], delete: [] }, /at least one user or group/),
  refused(
    'an unknown user is refused, and nothing changes',
    ({ users }) => ({ add: [users.moderator, 9999] }),
    /ID 9999/,
  ),
  refused('a deactivated user cannot be added', add('moderator', 'deactivated'), /deactivated/),
  refused('a deactivated user cannot be removed', remove('deactivated'), /deactivated/),
  refused('a system bot cannot be added', { add: [1] }, /no user with ID 1/),
  refused('a user who is already a member is refused, and nothing changes', add('moderator', 'hamlet'), /already/),
  refused('a user who is not a member cannot be removed', remove('hamlet', 'moderator'), /not a direct member/),
  refused(
    'a user who is a member only through a subgroup cannot be removed',
    remove('cordelia'),
    /not a direct member/,
  ),
  refused(
    'a failed later change undoes the earlier ones',
    ({ users, groups }) => ({ add: [users.moderator], delete_subgroups: [groups.hamletcharacters] }),
    /not directly in/,
  ),
  refused('an unknown subgroup is refused', { add_subgroups: [9999] }, /no user group with ID 9999/),
  refused(
    'a deactivated subgroup cannot be added',
    ({ groups }) => ({ add_subgroups: [groups.disbanded] }),
    /deactivated/,
  ),
  refused(
    'a group that is already a subgroup is refused',
    ({ groups }) => ({ add_subgroups: [groups.cooks] }),
    /already/,
  ),
  refused('a group cannot contain itself', ({ groups }) => ({ add_subgroups: [groups.kitchen] }), /itself/),
  refused('a guest is refused before the parameters are read', { add: 'x' }, /Guests/, 'guest'),
  refused('a bot is refused before the parameters are read', { add: 'x' }, /Bots/, 'bot'),
  refused('an invalid parameter is refused before an unknown group', { user_group_id: 9999, add: ['x'] }, /add\[0\]/),
  refused(
    'a request without changes is refused before an unknown group',
    { user_group_id: 9999 },
    /at least one user or group/,
  ),
  refused('users are added before others are removed', { add: [9998], delete: [9999] }, /ID 9998/),
  refused('users are removed before subgroups are added', { delete: [9998], add_subgroups: [9999] }, /ID 9998/),
  refused(
    'subgroups are added before others are removed',
    { add_subgroups: [9998], delete_subgroups: [9999] },
    /ID 9998/,
  ),
  {
    name: 'a group that does not exist is refused',
    as: 'owner',
    call: ['userGroups.updateMembers', ({ users }) => ({ user_group_id: 9999, add: [users.hamlet] })],
    refuses: { code: 'BAD_REQUEST', says: /no user group/ },
  },
  {
    name: 'a system group is refused',
    as: 'owner',
    call: ['userGroups.updateMembers', ({ users }) => ({ user_group_id: 3, add: [users.hamlet] })],
    refuses: { code: 'BAD_REQUEST', says: /is a system group/ },
  },
  refused('a group member without the permission cannot add others', add('moderator'), /not allowed/, 'hamlet'),
  refused('a missing permission to add is refused before an unknown user', { add: [9999] }, /not allowed/, 'hamlet'),
  refused(
    'an unknown user to remove is refused before the missing permission',
    { delete: [9999] },
    /ID 9999/,
    'hamlet',
  ),
  {
    name: 'a user in can_add_members_group adds others',
    as: 'cordelia',
    given: holding('can_add_members_group', 'cordelia'),
    call: changing(add('moderator')),
  },
  refused(
    'a user in can_add_members_group cannot remove others',
    remove('hamlet'),
    /not allowed/,
    'cordelia',
    holding('can_add_members_group', 'cordelia'),
  ),
  {
    name: 'a user in can_remove_members_group removes others',
    as: 'cordelia',
    given: holding('can_remove_members_group', 'cordelia'),
    call: changing(remove('hamlet')),
  },
  refused(
    'a user in can_remove_members_group cannot add others',
    add('moderator'),
    /not allowed/,
    'cordelia',
    holding('can_remove_members_group', 'cordelia'),
  ),
  {
    name: 'a user in can_manage_group adds and removes others',
    as: 'cordelia',
    given: holding('can_manage_group', 'cordelia'),
    call: changing(({ users }) => ({ add: [users.moderator], delete: [users.hamlet] })),
  },
  {
    name: 'a user in can_manage_all_groups adds and removes others',
    as: 'moderator',
    given: (world) => world.settings({ can_manage_all_groups: 4 }),
    call: changing(({ users }) => ({ add: [users.newcomer], delete: [users.hamlet] })),
  },
  {
    name: 'a user in can_join_group joins without a direct message',
    as: 'cordelia',
    given: holding('can_join_group', 'cordelia'),
    call: changing(add('cordelia')),
    events: ({ users, groups }) => ({
      cordelia: [event('add_members', groups.kitchen, { user_ids: [users.cordelia] })],
    }),
  },
  refused(
    'a user in can_join_group cannot add others',
    add('cordelia', 'moderator'),
    /not allowed/,
    'cordelia',
    holding('can_join_group', 'cordelia'),
  ),
  refused('a user outside can_join_group cannot join', add('cordelia'), /not allowed/, 'cordelia'),
  {
    name: 'a user in can_leave_group leaves, which includes everyone by default',
    as: 'hamlet',
    call: changing(remove('hamlet')),
    events: ({ users, groups }) => ({
      hamlet: [event('remove_members', groups.kitchen, { user_ids: [users.hamlet] })],
    }),
  },
  refused(
    'a user who may only leave cannot remove another user together with themselves',
    remove('hamlet', 'cordelia'),
    /not allowed/,
    'hamlet',
    ({ as, groups, users }) =>
      as('owner').userGroups.updateMembers({ user_group_id: groups.kitchen, add: [users.cordelia] }),
  ),
  refused(
    'a user outside can_leave_group cannot leave',
    remove('hamlet'),
    /not allowed/,
    'hamlet',
    storing(() => ({ can_leave_group: 1 })),
  ),
  refused(
    'a user without can_add_members_group cannot add subgroups',
    ({ groups }) => ({ add_subgroups: [groups.hamletcharacters] }),
    /not allowed/,
    'cordelia',
    holding('can_remove_members_group', 'cordelia'),
  ),
  refused(
    'a user without can_remove_members_group cannot remove subgroups',
    ({ groups }) => ({ delete_subgroups: [groups.cooks] }),
    /not allowed/,
    'cordelia',
    holding('can_add_members_group', 'cordelia'),
  ),
  {
    name: 'a private channel appears with its subscribers to a new member who can see it through the group',
    as: 'owner',
    given: (world) => letKnow(world, ({ groups }) => groups.kitchen),
    call: changing(add('newcomer'), 'cooks'),
    events: ({ users, groups, channels }) => ({
      newcomer: [
        event('add_members', groups.cooks, { user_ids: [users.newcomer] }),
        { type: 'stream', op: 'create', streams: [{ stream_id: channels.shared }] },
        {
          type: 'subscription',
          op: 'peer_add',
          stream_ids: [channels.shared],
          user_ids: [users.moderator, users.hamlet],
        },
        told(/added you/),
      ],
      cordelia: [event('add_members', groups.cooks, { user_ids: [users.newcomer] })],
    }),
  },
  {
    name: 'a private channel disappears for a removed member who saw it only through the group',
    as: 'owner',
    given: (world) => letKnow(world, ({ groups }) => groups.kitchen),
    call: changing(remove('cordelia'), 'cooks'),
    events: ({ users, groups, channels }) => ({
      cordelia: [
        event('remove_members', groups.cooks, { user_ids: [users.cordelia] }),
        { type: 'stream', op: 'delete', stream_ids: [channels.shared] },
        told(/removed you/),
      ],
    }),
  },
  { name: 'a guest is refused', as: 'guest', call: changing(add('guest')), refuses: { code: 'BAD_REQUEST' } },
  { name: 'a bot is refused', as: 'bot', call: changing(add('bot')), refuses: { code: 'BAD_REQUEST' } },
  {
    name: 'a group ID that is not a number is refused',
    as: 'owner',
    call: changing({ add: ['hamlet'] }),
    refuses: { code: 'BAD_REQUEST', says: /add\[0\]/ },
  },
]);
