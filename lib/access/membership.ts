import type { LookupContext, ReadContext } from '../kernel/context.ts';
import { isDirectMember, roleGroupIds } from '../rules/membership.ts';
import { organizationPermission } from '../rules/organization-settings.ts';
import { ORGANIZATION_PERMISSIONS, type OrganizationPermission } from '../rules/permission-settings.ts';
import { decidedByRole, hasPermission, type Membership, nestedGroups, roleMembership } from '../rules/permissions.ts';
import type { Group, GroupSettingValue } from '../storage/interface/groups.ts';
import type { User } from '../storage/interface/users.ts';

/** The user with every group they belong to. */
export async function membershipOf({ tx, organization, now }: LookupContext, user: User): Promise<Membership> {
  const groups = await tx.groups.containing(user.id, roleGroupIds(user, organization, now));
  return { user, groups: new Set(groups) };
}

/** As much of it as these permission values need: the database is not asked where roles alone decide every one. */
export async function membershipFor(
  context: ReadContext,
  user: User,
  values: readonly GroupSettingValue[],
): Promise<Membership> {
  if (values.every(decidedByRole)) return roleMembership(user, context.organization, context.now);
  return membershipOf(context, user);
}

/** Whether the organization grants the user a permission. */
export async function isGranted(context: ReadContext, user: User, key: OrganizationPermission): Promise<boolean> {
  const value = organizationPermission(context.organization, key);
  const membership = await membershipFor(context, user, [value]);
  return hasPermission(value, membership, { guests: ORGANIZATION_PERMISSIONS[key].everyone, setting: key });
}

/** Ids of everybody in the groups, directly or through nesting; those of roles follow from the accounts. */
export async function groupMembers(
  { tx, organization, now }: ReadContext,
  groups: readonly Group[],
): Promise<Set<number>> {
  const start = groups.map((group) => group.id);
  const nests = groups.some((group) => group.direct_subgroup_ids.length > 0);
  const all = nests ? (await tx.groups.all()).filter((group) => !group.deactivated) : groups;
  const inside = nestedGroups(start, all);
  const included = all.filter((group) => inside.has(group.id));
  const members = new Set(included.flatMap((group) => group.members));
  const roles = included.filter((group) => group.is_system_group);
  if (roles.length === 0) return members;
  for (const user of await tx.users.changedSince(0)) {
    if (user.is_system_bot) continue;
    if (roles.some((group) => isDirectMember(group.id, user, organization, now))) members.add(user.id);
  }
  return members;
}
