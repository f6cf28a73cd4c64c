import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  decidedByRole,
  directRoleGroupIds,
  groupPermission,
  hasPermission,
  normalizeGroupSetting,
  outwardGroups,
  roleGroups,
  sameGroupSetting,
} from '../../lib/rules/permissions.ts';
import { systemGroupId } from '../../lib/rules/roles.ts';
import { account, membership, NOW, organization, ROLES } from './accounts.ts';

const OPEN = { guests: true };
const CLOSED = { guests: false };
const KITCHEN = 20;

test('a system group grants a permission to its role and those above', () => {
  const permitted = (group: Parameters<typeof systemGroupId>[0]) =>
    ROLES.filter((role) => hasPermission(systemGroupId(group), membership(role), OPEN));
  assert.deepEqual(permitted('role:owners'), [100]);
  assert.deepEqual(permitted('role:administrators'), [100, 200]);
  assert.deepEqual(permitted('role:moderators'), [100, 200, 300]);
  assert.deepEqual(permitted('role:members'), [100, 200, 300, 400]);
  assert.deepEqual(permitted('role:everyone'), [...ROLES]);
  assert.deepEqual(permitted('role:nobody'), []);
});

test('a named group grants a permission to its members only', () => {
  assert.equal(hasPermission(KITCHEN, membership(400, [KITCHEN]), CLOSED), true);
  assert.equal(hasPermission(KITCHEN, membership(100), CLOSED), false);
});

test('a permission can be granted to listed users and to members of listed groups', () => {
  const value = { direct_members: [7], direct_subgroups: [KITCHEN] };
  assert.equal(hasPermission(value, membership(400, [], 7), CLOSED), true);
  assert.equal(hasPermission(value, membership(400, [KITCHEN], 8), CLOSED), true);
  assert.equal(hasPermission(value, membership(400, [], 8), CLOSED), false);
});

test('guests never have a permission that is not open to guests, even as members of its group', () => {
  const value = { direct_members: [7], direct_subgroups: [KITCHEN] };
  for (const one of [value, KITCHEN, systemGroupId('role:everyone')]) {
    assert.equal(hasPermission(one, membership(600, [KITCHEN], 7), CLOSED), false);
    assert.equal(hasPermission(one, membership(600, [KITCHEN], 7), OPEN), true);
  }
});

test('a group setting of one group is normalized to its ID, and an empty one to role:nobody', () => {
  assert.equal(normalizeGroupSetting({ direct_members: [], direct_subgroups: [KITCHEN] }), KITCHEN);
  assert.equal(normalizeGroupSetting({ direct_members: [], direct_subgroups: [] }), systemGroupId('role:nobody'));
  assert.equal(normalizeGroupSetting({ direct_members: [], direct_subgroups: [KITCHEN, KITCHEN] }), KITCHEN);
});

const ids = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 6 });
const settings = fc.record({ direct_members: ids, direct_subgroups: ids });

test('group settings are compared without order and repetition of IDs', () => {
  fc.assert(
    fc.property(settings, ({ direct_members, direct_subgroups }) => {
      const shuffled = {
        direct_members: [...direct_members, ...direct_members].reverse(),
        direct_subgroups: [...direct_subgroups].reverse(),
      };
      assert.ok(sameGroupSetting({ direct_members, direct_subgroups }, shuffled));
    }),
  );
});

test('normalizing a group setting is idempotent and keeps its meaning', () => {
  fc.assert(
    fc.property(settings, fc.constantFrom(...ROLES), ids, (value, role, groups) => {
      const once = normalizeGroupSetting(value);
      assert.deepEqual(normalizeGroupSetting(once), once);
      // IDs from 20 on are not system groups.
      const shifted = { ...value, direct_subgroups: value.direct_subgroups.map((id) => id + 20) };
      const who = membership(
        role,
        groups.map((id) => id + 20),
        5,
      );
      assert.equal(hasPermission(normalizeGroupSetting(shifted), who, OPEN), hasPermission(shifted, who, OPEN));
    }),
  );
});

test('a group setting of system groups only is decided by role', () => {
  assert.equal(decidedByRole(systemGroupId('role:members')), true);
  assert.equal(decidedByRole(KITCHEN), false);
  assert.equal(decidedByRole({ direct_members: [7], direct_subgroups: [2] }), true);
  assert.equal(decidedByRole({ direct_members: [7], direct_subgroups: [KITCHEN] }), false);
});

test('outward groups are found through any nesting, each once, also in a cycle', () => {
  const pairs: [number, number][] = [
    [1, 2],
    [1, 3],
    [2, 4],
    [3, 4],
    [4, 2],
    [5, 1],
  ];
  const outward = outwardGroups(pairs.map(([group_id, subgroup_id]) => ({ group_id, subgroup_id })));
  assert.deepEqual([...outward([4])].sort(), [1, 2, 3, 4, 5]);
  assert.deepEqual([...outward([3])].sort(), [1, 3, 5]);
  assert.deepEqual([...outward([5, 9])].sort(), [5, 9]);
});

test('permissions of a group are the stored ones or defaults, and role:nobody for system groups', () => {
  const group = { creator_id: 7, is_system_group: false, settings: { can_manage_group: KITCHEN } };
  assert.equal(groupPermission(group, 'can_manage_group'), KITCHEN);
  assert.deepEqual(groupPermission({ ...group, settings: {} }, 'can_manage_group'), {
    direct_members: [7],
    direct_subgroups: [],
  });
  assert.equal(
    groupPermission({ ...group, settings: {}, creator_id: null }, 'can_manage_group'),
    systemGroupId('role:nobody'),
  );
  assert.equal(groupPermission({ ...group, is_system_group: true }, 'can_manage_group'), systemGroupId('role:nobody'));
});

test('roleGroups names the same direct members as directRoleGroupIds', () => {
  const waiting = organization({ waiting_period_threshold: 3 });
  const { ofRoles, full } = roleGroups(waiting, NOW);
  for (const role of ROLES) {
    for (const days of [2.999, 3, 100]) {
      const user = account(role, days);
      const ids = ofRoles.filter(([, one]) => one === role).map(([id]) => id);
      if (role === full.role && user.joined_ms <= full.joined_by_ms) ids.push(full.group);
      assert.deepEqual(ids.sort(), directRoleGroupIds(user, waiting, NOW).sort(), `${role} ${days}`);
    }
  }
});
