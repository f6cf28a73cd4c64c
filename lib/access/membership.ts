import { BadRequest } from '../base/errors.ts';
import type { GroupSettingValue } from '../model/groups.ts';
import type { User } from '../model/users.ts';
import { organizationPermission } from '../rules/organization-settings.ts';
import { ORGANIZATION_PERMISSIONS, type OrganizationPermission } from '../rules/permission-settings.ts';
import {
  decidedByRole,
  hasPermission,
  type Membership,
  roleGroupIds,
  roleGroups,
  roleMembership,
} from '../rules/permissions.ts';
import type { AccountContext, LookupContext, ReadContext } from './context.ts';

export async function membershipOf({ tx, organization, now }: LookupContext, user: User): Promise<Membership> {
  const groups = await tx.groups.containing(user.id, roleGroupIds(user, organization, now));
  return { user, groups: new Set(groups) };
}

/** Memberships for checking these permission values. Needs no query if roles decide all of them. */
export async function membershipFor(context: ReadContext, user: User, values: readonly GroupSettingValue[]) {
  if (values.every(decidedByRole)) return roleMembership(user, context.organization, context.now);
  return membershipOf(context, user);
}

export async function isGranted(context: ReadContext, user: User, key: OrganizationPermission): Promise<boolean> {
  const value = organizationPermission(context.organization, key);
  const membership = await membershipFor(context, user, [value]);
  return hasPermission(value, membership, { guests: ORGANIZATION_PERMISSIONS[key].everyone, setting: key });
}

/** @param action for the error message. @throws BadRequest unless the caller has the permission */
export async function checkGranted(context: AccountContext, key: OrganizationPermission, action: string) {
  if (!(await isGranted(context, context.actor, key))) throw new BadRequest(`You are not allowed to ${action}.`);
}

export async function groupMembers({ tx, organization, now }: ReadContext, groupIds: readonly number[]) {
  const within = { direct_members: [], direct_subgroups: groupIds };
  return (await tx.groups.holders(within, roleGroups(organization, now))).map(({ id }) => id);
}
