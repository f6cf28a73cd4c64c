import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDirectMember, isFullMember, roleGroupIds } from '../../lib/rules/permissions.ts';
import { SYSTEM_GROUPS, type SystemGroupName, systemGroupId } from '../../lib/rules/roles.ts';
import { account, NOW, organization, ROLES } from './accounts.ts';

const waiting = organization({ waiting_period_threshold: 3 });
const named = (ids: readonly number[]) =>
  SYSTEM_GROUPS.filter((group) => ids.includes(group.id)).map((group) => group.name);

test('a member is a full member once the account is old enough, in whole days', () => {
  assert.equal(isFullMember(account(400, 3), waiting, NOW), true);
  assert.equal(isFullMember(account(400, 2.99), waiting, NOW), false);
  assert.equal(isFullMember(account(400, 0), organization(), NOW), true);
});

test('moderators and above are full members at once, guests never', () => {
  for (const role of [100, 200, 300] as const) assert.equal(isFullMember(account(role, 0), waiting, NOW), true);
  assert.equal(isFullMember(account(600), organization(), NOW), false);
});

test('the groups of a role contain those of every role below it', () => {
  const chain: SystemGroupName[] = [
    'role:owners',
    'role:administrators',
    'role:moderators',
    'role:fullmembers',
    'role:members',
    'role:everyone',
    'role:internet',
  ];
  for (const [role, first] of [
    [100, 0],
    [200, 1],
    [300, 2],
    [400, 3],
    [600, 5],
  ] as const) {
    assert.deepEqual(named(roleGroupIds(account(role), waiting, NOW)), chain.slice(first), String(role));
  }
  assert.deepEqual(named(roleGroupIds(account(400, 1), waiting, NOW)), chain.slice(4));
});

test('role:nobody has no members', () => {
  for (const role of ROLES) {
    assert.ok(!roleGroupIds(account(role), organization(), NOW).includes(systemGroupId('role:nobody')));
  }
});

test('each user is a direct member of one role group, full members also of role:fullmembers', () => {
  const groupsOf = (role: (typeof ROLES)[number], days?: number) =>
    named(
      SYSTEM_GROUPS.filter((group) => isDirectMember(group.id, account(role, days), waiting, NOW)).map(
        (group) => group.id,
      ),
    );
  assert.deepEqual(
    ROLES.flatMap((role) => groupsOf(role)),
    ['role:owners', 'role:administrators', 'role:moderators', 'role:fullmembers', 'role:members', 'role:everyone'],
  );
  assert.deepEqual(groupsOf(400, 1), ['role:members']);
});

test('each system group contains the previous one in the chain', () => {
  for (const { id, subgroup } of SYSTEM_GROUPS) {
    if (subgroup !== null) assert.equal(subgroup, id - 1);
  }
});
