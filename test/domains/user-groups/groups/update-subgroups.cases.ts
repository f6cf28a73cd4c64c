import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import { letKnow } from '../../../world/group-events.ts';
import type { World } from '../../../world/world.ts';

type Given = object | ((world: World) => object);

const changing = (given: Given, group: keyof World['groups'] = 'kitchen'): Case['call'] => [
  'userGroups.updateSubgroups',
  (world) => ({ user_group_id: world.groups[group], ...(typeof given === 'function' ? given(world) : given) }),
];
const refused = (name: string, given: Given, says: RegExp, group: keyof World['groups'] = 'kitchen'): Case => ({
  name,
  as: 'owner',
  call: changing(given, group),
  refuses: { code: 'BAD_REQUEST', says },
});

export const updateSubgroupsCases = cases('userGroups.updateSubgroups', [
  {
    name: 'subgroups are added and removed with events for all users and without direct messages',
    as: 'owner',
    call: changing(({ groups }) => ({ add: [groups.hamletcharacters, 3], delete: [groups.cooks] })),
    returns: {},
    events: ({ groups }) => {
      const told = [
        {
          type: 'user_group',
          op: 'add_subgroups',
          group_id: groups.kitchen,
          direct_subgroup_ids: [3, groups.hamletcharacters],
        },
        {
          type: 'user_group',
          op: 'remove_subgroups',
          group_id: groups.kitchen,
          direct_subgroup_ids: [groups.cooks],
        },
      ];
      return { cordelia: told, guest: told, bot: told };
    },
    state: async ({ as, groups }) => {
      const user_group_id = groups.kitchen;
      const { subgroups } = await as('owner').userGroups.subgroups({ user_group_id, direct_subgroup_only: true });
      assert.deepEqual(subgroups, [3, groups.hamletcharacters]);
      const all = await as('owner').userGroups.subgroups({ user_group_id });
      assert.deepEqual(all.subgroups, [2, 3, groups.hamletcharacters]);
    },
  },
  {
    name: 'a private channel appears with its subscribers to members of an added subgroup who can see it through the group',
    as: 'owner',
    given: async (world) => {
      await letKnow(world, ({ groups }) => groups.kitchen);
      await world.storage.write((tx) => tx.groups.addMembers(world.groups.hamletcharacters, [world.users.newcomer]));
    },
    call: changing(({ groups }) => ({ add: [groups.hamletcharacters] })),
    events: ({ users, channels }) => ({
      newcomer: [
        { type: 'user_group', op: 'add_subgroups' },
        { type: 'stream', op: 'create', streams: [{ stream_id: channels.shared }] },
        {
          type: 'subscription',
          op: 'peer_add',
          stream_ids: [channels.shared],
          user_ids: [users.moderator, users.hamlet],
        },
      ],
      // This user sees the channel without the group.
      owner: [{ type: 'user_group', op: 'add_subgroups' }],
      guest: [{ type: 'user_group', op: 'add_subgroups' }],
    }),
  },
  {
    name: 'a private channel disappears for members of a removed subgroup who saw it only through the group',
    as: 'owner',
    given: (world) => letKnow(world, ({ groups }) => groups.kitchen),
    call: changing(({ groups }) => ({ delete: [groups.cooks] })),
    events: ({ channels }) => ({
      cordelia: [
        { type: 'user_group', op: 'remove_subgroups' },
        { type: 'stream', op: 'delete', stream_ids: [channels.shared] },
      ],
      owner: [{ type: 'user_group', op: 'remove_subgroups' }],
    }),
  },
  {
    name: 'subgroups of a deactivated group can be changed',
    as: 'owner',
    call: changing(({ groups }) => ({ add: [groups.cooks] }), 'disbanded'),
  },
  {
    name: 'a deactivated subgroup can be removed',
    as: 'owner',
    given: ({ storage, groups }) => storage.write((tx) => tx.groups.addSubgroups(groups.kitchen, [groups.disbanded])),
    call: changing(({ groups }) => ({ delete: [groups.disbanded] })),
  },
  refused('a request without changes is refused', {}, /at least one group/),
  refused('a group cannot contain itself', ({ groups }) => ({ add: [groups.kitchen] }), /itself/),
  refused(
    'a group that contains it is refused as a subgroup',
    ({ groups }) => ({ add: [groups.kitchen] }),
    /contains "cooks"/,
    'cooks',
  ),
  {
    name: 'a group that contains it through other groups is refused as a subgroup',
    as: 'owner',
    given: ({ as, groups }) =>
      as('owner').userGroups.updateSubgroups({ user_group_id: groups.hamletcharacters, add: [groups.kitchen] }),
    call: changing(({ groups }) => ({ add: [groups.hamletcharacters] }), 'cooks'),
    refuses: { code: 'BAD_REQUEST', says: /contains "cooks"/ },
  },
  refused('a group that is already a subgroup is refused', ({ groups }) => ({ add: [groups.cooks] }), /already/),
  refused('a group that is not a subgroup cannot be removed', ({ groups }) => ({ delete: [groups.disbanded] }), /not/),
  refused('an unknown group is refused', { add: [9999] }, /no user group with ID 9999/),
  refused('a deactivated group cannot be added', ({ groups }) => ({ add: [groups.disbanded] }), /deactivated/),
  refused(
    'a request without changes is refused before an unknown group',
    { user_group_id: 9999 },
    /at least one group/,
  ),
  refused('a group that does not exist is refused', { user_group_id: 9999, add: [3] }, /no user group with ID 9999/),
  refused('subgroups are added before others are removed', { add: [9998], delete: [9999] }, /ID 9998/),
  {
    name: 'a system group is refused',
    as: 'owner',
    call: ['userGroups.updateSubgroups', ({ groups }) => ({ user_group_id: 3, add: [groups.cooks] })],
    refuses: { code: 'BAD_REQUEST', says: /is a system group/ },
  },
  {
    name: 'a group member without the permission is refused',
    as: 'hamlet',
    call: changing(({ groups }) => ({ add: [groups.hamletcharacters] })),
    refuses: { code: 'BAD_REQUEST', says: /not allowed/ },
  },
  { name: 'a guest is refused', as: 'guest', call: changing({ add: [9] }), refuses: { code: 'BAD_REQUEST' } },
  { name: 'a bot is refused', as: 'bot', call: changing({ add: [9] }), refuses: { code: 'BAD_REQUEST' } },
]);
