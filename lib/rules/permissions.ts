import { groupBy } from '../base/lists.ts';
import { present } from '../base/present.ts';
import type { Group, GroupSettingValue, RoleGroups } from '../model/groups.ts';
import type { Organization } from '../model/organization.ts';
import type { User } from '../model/users.ts';
import { organizationSetting } from './organization-settings.ts';
import { GROUP_PERMISSIONS, type GroupPermission } from './permission-settings.ts';
import {
  ADMINISTRATOR,
  isGuest,
  isSystem,
  isSystemGroupId,
  MEMBER,
  MODERATOR,
  OWNER,
  type Subject,
  SYSTEM_GROUPS,
  type SystemGroupName,
  systemGroupId,
  traceOf,
} from './roles.ts';

const DAY_MS = 86_400_000;

type Account = Pick<User, 'role' | 'joined_ms'>;

/** Moderators and above, and members whose account is older than the waiting period of the organization. */
export function isFullMember(user: Account, organization: Organization, now: number): boolean {
  if (user.role <= MODERATOR) return true;
  if (user.role !== MEMBER) return false;
  return Math.floor((now - user.joined_ms) / DAY_MS) >= organizationSetting(organization, 'waiting_period_threshold');
}

export function roleGroupIds(user: Account, organization: Organization, now: number): number[] {
  const ids = [systemGroupId('role:everyone'), systemGroupId('role:internet')];
  if (user.role <= MEMBER) ids.push(systemGroupId('role:members'));
  if (isFullMember(user, organization, now)) ids.push(systemGroupId('role:fullmembers'));
  if (user.role <= MODERATOR) ids.push(systemGroupId('role:moderators'));
  if (user.role <= ADMINISTRATOR) ids.push(systemGroupId('role:administrators'));
  if (user.role <= OWNER) ids.push(systemGroupId('role:owners'));
  return ids;
}

/** Whether the user is a direct member of the system group, as in lists of groups. */
export function isDirectMember(groupId: number, user: Account, organization: Organization, now: number): boolean {
  if (groupId === systemGroupId('role:fullmembers'))
    return user.role === MEMBER && isFullMember(user, organization, now);
  return SYSTEM_GROUPS.some((group) => group.id === groupId && group.role === user.role);
}

/** The rules of isDirectMember() as data for queries. */
export function roleGroups(organization: Organization, now: number): RoleGroups {
  const days = organizationSetting(organization, 'waiting_period_threshold');
  return {
    ofRoles: SYSTEM_GROUPS.flatMap(({ id, role }) => (role === null ? [] : [[id, role] as const])),
    full: { group: systemGroupId('role:fullmembers'), role: MEMBER, joined_by_ms: now - days * DAY_MS },
  };
}

export function directRoleGroupIds(user: Account, organization: Organization, now: number): number[] {
  return SYSTEM_GROUPS.map(({ id }) => id).filter((id) => isDirectMember(id, user, organization, now));
}

export interface Membership {
  user: Pick<User, 'id' | 'role' | 'joined_ms'>;
  groups: ReadonlySet<number>;
}

export function roleMembership(user: Membership['user'], organization: Organization, now: number): Membership {
  return { user, groups: new Set(roleGroupIds(user, organization, now)) };
}

/** Whether the user's role decides the value, without looking up group memberships. */
export function decidedByRole(value: GroupSettingValue): boolean {
  return groupsIn(value).every(isSystemGroupId);
}

export const groupsIn = (value: GroupSettingValue): readonly number[] =>
  typeof value === 'number' ? [value] : value.direct_subgroups;

/**
 * Whether a permission value includes the user.
 * @param options `guests`: whether the setting accepts `role:everyone`. If not, guests never have the permission, not
 * even as members of a group. `setting` and `of`: name and object of the value, for explanations. Default: the
 * organization
 */
export function hasPermission(
  value: GroupSettingValue,
  membership: Membership,
  options: { guests: boolean; setting?: string; of?: Subject },
): boolean {
  const isYes = includes(value, membership, options);
  traceOf(membership.user)?.({ rule: 'permission', isYes, value, ...options });
  return isYes;
}

function includes(value: GroupSettingValue, membership: Membership, { guests }: { guests: boolean }): boolean {
  if (isSystem(membership.user)) return true;
  if (isGuest(membership.user) && !guests) return false;
  if (typeof value === 'number') return value !== systemGroupId('role:nobody') && membership.groups.has(value);
  return (
    value.direct_members.includes(membership.user.id) ||
    value.direct_subgroups.some((group) => membership.groups.has(group))
  );
}

/** Sorts both arrays and removes duplicates. A single group becomes its ID, an empty value `role:nobody`. */
export function normalizeGroupSetting(value: GroupSettingValue): GroupSettingValue {
  if (typeof value === 'number') return value;
  const direct_members = [...new Set(value.direct_members)].sort((a, b) => a - b);
  const direct_subgroups = [...new Set(value.direct_subgroups)].sort((a, b) => a - b);
  if (direct_members.length === 0) {
    if (direct_subgroups.length === 0) return systemGroupId('role:nobody');
    if (direct_subgroups.length === 1) return present(direct_subgroups[0]);
  }
  return { direct_members, direct_subgroups };
}

export function sameGroupSetting(a: GroupSettingValue, b: GroupSettingValue): boolean {
  return JSON.stringify(normalizeGroupSetting(a)) === JSON.stringify(normalizeGroupSetting(b));
}

/** Finds `start` and all groups that contain one of them, for many users without a query per user. */
export function outwardGroups(nestings: readonly { group_id: number; subgroup_id: number }[]) {
  const supergroups = groupBy(nestings, ({ subgroup_id }) => subgroup_id);
  return (start: readonly number[]) => {
    const found = new Set(start);
    // The loop also visits groups that are added during the iteration.
    for (const id of found) for (const { group_id } of supergroups.get(id) ?? []) found.add(group_id);
    return found;
  };
}

export function groupPermission(
  group: Pick<Group, 'settings' | 'creator_id' | 'is_system_group'>,
  key: GroupPermission,
): GroupSettingValue {
  if (group.is_system_group) return systemGroupId('role:nobody');
  return group.settings[key] ?? defaultPermission(GROUP_PERMISSIONS[key].default, group);
}

export function defaultPermission(
  standard: SystemGroupName | 'creator',
  { creator_id }: { creator_id: number | null },
): GroupSettingValue {
  if (standard !== 'creator') return systemGroupId(standard);
  return creator_id === null ? systemGroupId('role:nobody') : { direct_members: [creator_id], direct_subgroups: [] };
}
