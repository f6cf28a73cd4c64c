import { roleGroupIds } from '../rules/membership.ts';
import { organizationPermission } from '../rules/organization-settings.ts';
import { ORGANIZATION_PERMISSIONS, type OrganizationPermission } from '../rules/permission-settings.ts';
import { decidedByRole, hasPermission, type Membership, roleMembership } from '../rules/permissions.ts';
import type { GroupSettingValue, Organization, Transaction, User } from '../storage/storage.ts';

interface Scope {
  tx: Transaction;
  organization: Organization;
  now: number;
}

/** The user with every group they belong to. */
export async function membershipOf({ tx, organization, now }: Scope, user: User): Promise<Membership> {
  const groups = await tx.groups.containing(user.id, roleGroupIds(user, organization, now));
  return { user, groups: new Set(groups) };
}

/** As `membershipOf`, without asking the database where roles alone decide every one of the values. */
export async function membershipFor(
  scope: Scope,
  user: User,
  values: readonly GroupSettingValue[],
): Promise<Membership> {
  if (values.every(decidedByRole)) return roleMembership(user, scope.organization, scope.now);
  return membershipOf(scope, user);
}

/** Whether the organization grants the user a permission. */
export async function isGranted(scope: Scope, user: User, key: OrganizationPermission): Promise<boolean> {
  const value = organizationPermission(scope.organization, key);
  const membership = await membershipFor(scope, user, [value]);
  return hasPermission(value, membership, { guests: ORGANIZATION_PERMISSIONS[key].everyone });
}
