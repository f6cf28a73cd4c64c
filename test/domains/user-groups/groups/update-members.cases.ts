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
    name: 'adds and takes out people and groups in one go; everybody learns of each',
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
    name: 'bots and guests can be members, and the notification bot writes to no bot',
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
    name: 'members of a deactivated group can be changed; clients that do not know such groups are not told',
    as: 'owner',
    call: changing(({ users }) => ({ add: [users.moderator], delete: [users.hamlet] }), 'disbanded'),
    events: () => ({ guest: [{ type: 'heartbeat' }, { type: 'heartbeat' }] }),
    state: async ({ as, users, groups }) => {
      const { members } = await as('owner').userGroups.members({ user_group_id: groups.disbanded });
      assert.deepEqual(members, [users.moderator]);
    },
  },
  refused('nothing given is refused', { add: [], delete: [] }, /Nobody to add/),
  refused('an unknown user fails everything', ({ users }) => ({ add: [users.moderator, 9999] }), /ID 9999/),
  refused('a deactivated user cannot be added', add('moderator', 'deactivated'), /deactivated/),
  refused('a deactivated user cannot be taken out', remove('deactivated'), /deactivated/),
  refused('a bot of the system cannot be added', { add: [1] }, /no user with ID 1/),
  refused('whoever is there already fails everything', add('moderator', 'hamlet'), /already/),
  refused('whoever is not there cannot be taken out', remove('hamlet', 'moderator'), /not a direct member/),
  refused('whoever is there by a subgroup alone cannot be taken out', remove('cordelia'), /not a direct member/),
  refused(
    'a later part that fails takes the earlier ones back',
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
    'a subgroup that is there already is refused',
    ({ groups }) => ({ add_subgroups: [groups.cooks] }),
    /already/,
  ),
  refused('a group cannot contain itself', ({ groups }) => ({ add_subgroups: [groups.kitchen] }), /itself/),
  refused('guests are refused before their parameters are read', { add: 'x' }, /Guests/, 'guest'),
  refused('bots are refused before their parameters are read', { add: 'x' }, /Bots/, 'bot'),
  refused('parameters are read before the group is looked up', { user_group_id: 9999, add: ['x'] }, /add\[0\]/),
  refused('nothing given is refused before the group is looked up', { user_group_id: 9999 }, /Nobody to add/),
  refused('people are added before others are taken out', { add: [9998], delete: [9999] }, /ID 9998/),
  refused('people are taken out before groups are added', { delete: [9998], add_subgroups: [9999] }, /ID 9998/),
  refused(
    'groups are added before others are taken out',
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
    name: 'nobody changes who is in a group of the system',
    as: 'owner',
    call: ['userGroups.updateMembers', ({ users }) => ({ user_group_id: 3, add: [users.hamlet] })],
    refuses: { code: 'BAD_REQUEST', says: /belongs to the system/ },
  },
  refused('members have no right to add others by that alone', add('moderator'), /not allowed/, 'hamlet'),
  refused('permission is asked before users are looked up', { add: [9999] }, /not allowed/, 'hamlet'),
  refused('when people are taken out, users are looked up first', { delete: [9999] }, /ID 9999/, 'hamlet'),
  {
    name: 'can_add_members_group lets somebody add others',
    as: 'cordelia',
    given: holding('can_add_members_group', 'cordelia'),
    call: changing(add('moderator')),
  },
  refused(
    'can_add_members_group lets nobody take others out',
    remove('hamlet'),
    /not allowed/,
    'cordelia',
    holding('can_add_members_group', 'cordelia'),
  ),
  {
    name: 'can_remove_members_group lets somebody take others out',
    as: 'cordelia',
    given: holding('can_remove_members_group', 'cordelia'),
    call: changing(remove('hamlet')),
  },
  refused(
    'can_remove_members_group lets nobody add others',
    add('moderator'),
    /not allowed/,
    'cordelia',
    holding('can_remove_members_group', 'cordelia'),
  ),
  {
    name: 'can_manage_group lets somebody do both',
    as: 'cordelia',
    given: holding('can_manage_group', 'cordelia'),
    call: changing(({ users }) => ({ add: [users.moderator], delete: [users.hamlet] })),
  },
  {
    name: 'can_manage_all_groups lets somebody do both',
    as: 'moderator',
    given: (world) => world.settings({ can_manage_all_groups: 4 }),
    call: changing(({ users }) => ({ add: [users.newcomer], delete: [users.hamlet] })),
  },
  {
    name: 'can_join_group lets somebody come in, of which they need not be told',
    as: 'cordelia',
    given: holding('can_join_group', 'cordelia'),
    call: changing(add('cordelia')),
    events: ({ users, groups }) => ({
      cordelia: [event('add_members', groups.kitchen, { user_ids: [users.cordelia] })],
    }),
  },
  refused(
    'can_join_group lets nobody bring others along',
    add('cordelia', 'moderator'),
    /not allowed/,
    'cordelia',
    holding('can_join_group', 'cordelia'),
  ),
  refused('without can_join_group nobody comes in', add('cordelia'), /not allowed/, 'cordelia'),
  {
    name: 'can_leave_group, which everybody has at first, lets somebody go',
    as: 'hamlet',
    call: changing(remove('hamlet')),
    events: ({ users, groups }) => ({
      hamlet: [event('remove_members', groups.kitchen, { user_ids: [users.hamlet] })],
    }),
  },
  refused(
    'without can_leave_group nobody goes',
    remove('hamlet'),
    /not allowed/,
    'hamlet',
    storing(() => ({ can_leave_group: 1 })),
  ),
  refused(
    'subgroups can be added by those alone who may add members',
    ({ groups }) => ({ add_subgroups: [groups.hamletcharacters] }),
    /not allowed/,
    'cordelia',
    holding('can_remove_members_group', 'cordelia'),
  ),
  refused(
    'subgroups can be taken out by those alone who may take members out',
    ({ groups }) => ({ delete_subgroups: [groups.cooks] }),
    /not allowed/,
    'cordelia',
    holding('can_add_members_group', 'cordelia'),
  ),
  {
    name: 'whoever comes to know of a private channel by the group is shown it with its subscribers',
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
    name: 'a private channel disappears for whoever knew of it by the group alone',
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
  { name: 'guests may not', as: 'guest', call: changing(add('guest')), refuses: { code: 'BAD_REQUEST' } },
  { name: 'bots may not', as: 'bot', call: changing(add('bot')), refuses: { code: 'BAD_REQUEST' } },
  {
    name: 'an ID is a number',
    as: 'owner',
    call: changing({ add: ['hamlet'] }),
    refuses: { code: 'BAD_REQUEST', says: /add\[0\]/ },
  },
]);
