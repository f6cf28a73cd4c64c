import type { RoleGroups } from '../storage/interface/groups.ts';
import type { Organization } from '../storage/interface/organization.ts';
import type { User } from '../storage/interface/users.ts';
import { organizationSetting } from './organization-settings.ts';
import { ADMINISTRATOR, MEMBER, MODERATOR, OWNER } from './roles.ts';
import { SYSTEM_GROUPS, systemGroupId } from './system-groups.ts';

const DAY_MS = 86_400_000;

type Account = Pick<User, 'role' | 'joined_ms'>;

/** Moderators and above, and members whose account is older than the waiting period of the organization. */
export function isFullMember(user: Account, organization: Organization, now: number): boolean {
  if (user.role <= MODERATOR) return true;
  if (user.role !== MEMBER) return false;
  return Math.floor((now - user.joined_ms) / DAY_MS) >= organizationSetting(organization, 'waiting_period_threshold');
}

/** Every system group the user is in, directly or through nesting. */
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

/** The system groups of which the account is a direct member. */
export function directRoleGroupIds(user: Account, organization: Organization, now: number): number[] {
  return SYSTEM_GROUPS.map(({ id }) => id).filter((id) => isDirectMember(id, user, organization, now));
}
