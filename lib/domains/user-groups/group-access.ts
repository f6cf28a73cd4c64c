import { membershipFor } from '../../access/membership.ts';
import type { AccountContext, ReadContext } from '../../kernel/context.ts';
import { BadRequest } from '../../kernel/errors.ts';
import { organizationPermission } from '../../rules/organization-settings.ts';
import { GROUP_PERMISSION_NAMES, GROUP_PERMISSIONS, type GroupPermission } from '../../rules/permission-settings.ts';
import { groupPermission, hasPermission, type Membership } from '../../rules/permissions.ts';
import type { GroupHead } from '../../storage/interface/groups.ts';
import type { Organization } from '../../storage/interface/organization.ts';

/** The group, active or deactivated. @throws BadRequest if it does not exist */
export async function accessGroup({ tx }: Pick<ReadContext, 'tx'>, id: number): Promise<GroupHead> {
  const [group] = await tx.groups.heads([id]);
  if (!group) throw new BadRequest(`There is no user group with ID ${id}.`);
  return group;
}

/** Like accessGroup(), but throws for system groups: their members follow from roles. */
export async function accessChangeableGroup(context: Pick<ReadContext, 'tx'>, id: number): Promise<GroupHead> {
  const group = await accessGroup(context, id);
  if (group.is_system_group) throw new BadRequest(`The group "${group.name}" is a system group and cannot be changed.`);
  return group;
}

/** @throws BadRequest unless the caller can manage the group or has one of the other permissions. */
export async function checkGroupPermission(
  context: AccountContext,
  group: GroupHead,
  ...others: readonly GroupPermission[]
): Promise<void> {
  const { organization, actor } = context;
  const overall = organizationPermission(organization, 'can_manage_all_groups');
  const values = GROUP_PERMISSION_NAMES.map((key) => groupPermission(group, key));
  const membership = await membershipFor(context, actor, [overall, ...values]);
  if (hasGroupPermission(organization, group, membership, others)) return;
  throw new BadRequest(`You are not allowed to do this with the group "${group.name}".`);
}

/** Whether a user can manage the group or has one of the other permissions. */
export function hasGroupPermission(
  organization: Organization,
  group: GroupHead,
  membership: Membership,
  others: readonly GroupPermission[],
): boolean {
  const overall = organizationPermission(organization, 'can_manage_all_groups');
  if (hasPermission(overall, membership, { guests: false, setting: 'can_manage_all_groups' })) return true;
  const of = { kind: 'group', id: group.id, name: group.name } as const;
  return (['can_manage_group', ...others] as const).some((key) =>
    hasPermission(groupPermission(group, key), membership, {
      guests: GROUP_PERMISSIONS[key].everyone,
      setting: key,
      of,
    }),
  );
}
