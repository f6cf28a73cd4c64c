import type { AccountContext, ReadContext } from '../../access/context.ts';
import { membershipFor } from '../../access/membership.ts';
import { BadRequest } from '../../base/errors.ts';
import type { GroupHead } from '../../model/groups.ts';
import type { Organization } from '../../model/organization.ts';
import { checkedName, MAX_GROUP_NAME_LENGTH } from '../../rules/names.ts';
import { organizationPermission } from '../../rules/organization-settings.ts';
import { GROUP_PERMISSION_NAMES, GROUP_PERMISSIONS, type GroupPermission } from '../../rules/permission-settings.ts';
import { groupPermission, hasPermission, type Membership } from '../../rules/permissions.ts';

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

/** Prefixes of mentions, links and system groups. */
const RESERVED = ['@', 'role:', 'user:', 'stream:', 'channel:'] as const;

export function groupName(given: string): string {
  const name = checkedName('The name of a user group', given, MAX_GROUP_NAME_LENGTH);
  const prefix = RESERVED.find((reserved) => name.startsWith(reserved));
  if (prefix) throw new BadRequest(`The name of a user group cannot begin with "${prefix}".`);
  return name;
}

/** Deactivated groups count. Ignores case, as mentions of groups do. */
export async function checkGroupNameIsFree({ tx }: Pick<ReadContext, 'tx'>, name: string, holder?: number) {
  const other = (await tx.groups.headsByNames([name])).find((group) => group.id !== holder);
  if (!other) return;
  const which = other.deactivated ? 'A deactivated user group' : 'A user group';
  throw new BadRequest(`${which} named "${other.name}" already exists.`);
}

/* Clients load all groups with their members at start, so the totals are limited. */

const MAX_GROUPS = 5_000;
/** Direct memberships in all groups. */
const MAX_MEMBERSHIPS = 500_000;
/** Direct subgroups in all groups, including system groups. */
const MAX_NESTINGS = 20_000;

/** Call it after the insert. @throws BadRequest if the organization exceeds a limit */
export async function checkGroupLimits({ tx }: Pick<ReadContext, 'tx'>): Promise<void> {
  const { groups, memberships, nestings } = await tx.groups.count();
  if (groups > MAX_GROUPS) throw new BadRequest(`An organization can have at most ${MAX_GROUPS} user groups.`);
  if (memberships > MAX_MEMBERSHIPS) {
    throw new BadRequest(`All user groups can have at most ${MAX_MEMBERSHIPS} direct members together. Use subgroups.`);
  }
  if (nestings > MAX_NESTINGS)
    throw new BadRequest(`All user groups together can have at most ${MAX_NESTINGS} direct subgroups.`);
}
