import { roleGroupIds } from '../rules/membership.ts';
import { organizationPermission } from '../rules/organization-settings.ts';
import { ORGANIZATION_PERMISSIONS, type OrganizationPermission } from '../rules/permission-settings.ts';
import { decidedByRole, permits, roleStanding, type Standing } from '../rules/permits.ts';
import type { GroupSettingValue, Organization, Transaction, User } from '../storage/storage.ts';

interface Scope {
  tx: Transaction;
  organization: Organization;
  now: number;
}

/** The user with every group they belong to. */
export async function standingOf({ tx, organization, now }: Scope, user: User): Promise<Standing> {
  const groups = await tx.groups.containing(user.id, roleGroupIds(user, organization, now));
  return { user, groups: new Set(groups) };
}

/** As `standingOf`, without asking the database where roles alone decide every one of the values. */
export async function standingFor(scope: Scope, user: User, values: readonly GroupSettingValue[]): Promise<Standing> {
  if (values.every(decidedByRole)) return roleStanding(user, scope.organization, scope.now);
  return standingOf(scope, user);
}

/** Whether the organization grants the user a permission. */
export async function isGranted(scope: Scope, user: User, key: OrganizationPermission): Promise<boolean> {
  const value = organizationPermission(scope.organization, key);
  const standing = await standingFor(scope, user, [value]);
  return permits(value, standing, { guests: ORGANIZATION_PERMISSIONS[key].everyone });
}
