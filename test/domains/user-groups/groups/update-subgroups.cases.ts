import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
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
    name: 'puts groups in and takes groups out; everybody learns of it, and nobody is written to',
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
    name: 'subgroups of a deactivated group can be changed',
    as: 'owner',
    call: changing(({ groups }) => ({ add: [groups.cooks] }), 'disbanded'),
  },
  {
    name: 'a deactivated group can be taken out',
    as: 'owner',
    given: ({ storage, groups }) => storage.write((tx) => tx.groups.addSubgroups(groups.kitchen, [groups.disbanded])),
    call: changing(({ groups }) => ({ delete: [groups.disbanded] })),
  },
  refused('nothing given is refused', {}, /No group to add/),
  refused('a group cannot contain itself', ({ groups }) => ({ add: [groups.kitchen] }), /itself/),
  refused('nor a group that contains it', ({ groups }) => ({ add: [groups.kitchen] }), /contains "cooks"/, 'cooks'),
  {
    name: 'nor one that contains it through others',
    as: 'owner',
    given: ({ as, groups }) =>
      as('owner').userGroups.updateSubgroups({ user_group_id: groups.hamletcharacters, add: [groups.kitchen] }),
    call: changing(({ groups }) => ({ add: [groups.hamletcharacters] }), 'cooks'),
    refuses: { code: 'BAD_REQUEST', says: /contains "cooks"/ },
  },
  refused('a group that is there is refused', ({ groups }) => ({ add: [groups.cooks] }), /already/),
  refused('a group that is not there cannot be taken out', ({ groups }) => ({ delete: [groups.disbanded] }), /not/),
  refused('an unknown group is refused', { add: [9999] }, /no user group with ID 9999/),
  refused('a deactivated group cannot be put in', ({ groups }) => ({ add: [groups.disbanded] }), /deactivated/),
  refused('nothing given is refused before the group is looked up', { user_group_id: 9999 }, /No group to add/),
  refused('the group has to exist', { user_group_id: 9999, add: [3] }, /no user group with ID 9999/),
  refused('groups are put in before others are taken out', { add: [9998], delete: [9999] }, /ID 9998/),
  {
    name: 'nobody puts groups into a group of the system',
    as: 'owner',
    call: ['userGroups.updateSubgroups', ({ groups }) => ({ user_group_id: 3, add: [groups.cooks] })],
    refuses: { code: 'BAD_REQUEST', says: /belongs to the system/ },
  },
  {
    name: 'members have no right to by that alone',
    as: 'hamlet',
    call: changing(({ groups }) => ({ add: [groups.hamletcharacters] })),
    refuses: { code: 'BAD_REQUEST', says: /not allowed/ },
  },
  { name: 'guests may not', as: 'guest', call: changing({ add: [9] }), refuses: { code: 'BAD_REQUEST' } },
  { name: 'bots may not', as: 'bot', call: changing({ add: [9] }), refuses: { code: 'BAD_REQUEST' } },
]);
