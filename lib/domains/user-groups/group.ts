import * as v from 'valibot';
import { BadRequest } from '../../base/errors.ts';
import { recordOf } from '../../base/keys.ts';
import { describe, entriesOf, groupSetting } from '../../base/schemas.ts';
import { defineEvent } from '../../events/define-event.ts';
import type { Group, GroupHead } from '../../model/groups.ts';
import type { Organization } from '../../model/organization.ts';
import type { User } from '../../model/users.ts';
import { checkedName, MAX_GROUP_NAME_LENGTH } from '../../rules/names.ts';
import { organizationPermission } from '../../rules/organization-settings.ts';
import { GROUP_PERMISSION_NAMES, GROUP_PERMISSIONS, type GroupPermission } from '../../rules/permission-settings.ts';
import { groupPermission, hasPermission, isDirectMember, type Membership } from '../../rules/permissions.ts';
import { inactiveUserIds } from '../../viewer/audiences.ts';
import type { AccountContext, ReadContext } from '../../viewer/context.ts';
import { ifGroupShown } from '../../views/shared-events.ts';
import { groupSettingView } from '../organization/group-setting-value.ts';

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
  const { organization } = context;
  const overall = organizationPermission(organization, 'can_manage_all_groups');
  const values = GROUP_PERMISSION_NAMES.map((key) => groupPermission(group, key));
  const membership = await context.viewer.membershipFor([overall, ...values]);
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

/** A user group in the API. `members` contains only active direct members. */
export const groupObject = v.object({
  id: describe(v.number(), 'ID of the group.'),
  name: describe(v.string(), 'Name. System groups have names such as `role:members`.'),
  description: describe(v.string(), 'Plain text.'),
  date_created: v.nullable(v.number()),
  creator_id: v.nullable(v.number()),
  members: v.array(v.number()),
  direct_subgroup_ids: v.array(v.number()),
  is_system_group: v.boolean(),
  deactivated: v.boolean(),
  ...entriesOf(GROUP_PERMISSION_NAMES, groupSetting),
});

/** A change in an event: one of these properties. */
const groupChange = v.partial(v.pick(groupObject, ['name', 'description', 'deactivated', ...GROUP_PERMISSION_NAMES]));

type GroupObject = v.InferOutput<typeof groupObject>;

/** The groups of the organization, system groups first. */
export async function groupViews(context: AccountContext, { deactivated }: { deactivated: boolean }) {
  const users = (await context.accounts()).all();
  const inactive = await inactiveUserIds(context);
  const groups = (await context.tx.groups.all()).filter((group) => deactivated || !group.deactivated);
  return groups.map((group) => groupView(group, users, context, inactive));
}

export async function namedGroupView(context: AccountContext, id: number): Promise<GroupObject> {
  const [group] = await context.tx.groups.byIds([id]);
  if (!group) throw new Error(`The group ${id} must exist: this transaction has just read it.`);
  const users = group.is_system_group ? (await context.accounts()).all() : [];
  return groupView(group, users, context, await inactiveUserIds(context));
}

/** @param users all accounts, to find the members of system groups by role */
function groupView(
  group: Group,
  users: readonly User[],
  { organization, now }: ReadContext,
  inactiveIds: ReadonlySet<number>,
): GroupObject {
  const members = group.is_system_group
    ? users
        .filter((user) => user.is_active && !user.is_system_bot && isDirectMember(group.id, user, organization, now))
        .map((user) => user.id)
    : group.members.filter((id) => !inactiveIds.has(id));
  const permissions = recordOf(GROUP_PERMISSION_NAMES, (key) =>
    groupSettingView(groupPermission(group, key), inactiveIds),
  );
  const { created_ms, settings: _settings, external_id: _external, ...shown } = group;
  return {
    ...shown,
    date_created: created_ms === null ? null : Math.floor(created_ms / 1000),
    members: members.sort((a, b) => a - b),
    direct_subgroup_ids: [...group.direct_subgroup_ids].sort((a, b) => a - b),
    ...permissions,
  };
}

export const groupCreated = defineEvent('user_group/add', {
  summary: 'A user group was created. Clients without deactivated groups also get it on reactivation.',
  fields: { group: groupObject },
  forClient({ group, isReactivated }: { group: GroupObject; isReactivated?: true }, { options }) {
    return isReactivated && options.client_capabilities.include_deactivated_groups ? [] : { group };
  },
});

export const groupUpdated = defineEvent('user_group/update', {
  summary: 'A property of a user group changed.',
  fields: { group_id: v.number(), data: describe(groupChange, 'The new value by the name of the property.') },
  forClient: ifGroupShown<{ group_id: number; data: v.InferOutput<typeof groupChange> }>,
});

export const groupRemoved = defineEvent('user_group/remove', {
  summary: 'A user group was deactivated. Only for clients without support for deactivated groups.',
  fields: { group_id: v.number() },
  forClient: ({ group_id }: { group_id: number }, { options }) =>
    options.client_capabilities.include_deactivated_groups ? [] : { group_id },
});

/** The group of an event. Events of deactivated groups are only for clients that support deactivated groups. */
export const about = ({ id, deactivated }: Pick<Group, 'id' | 'deactivated'>) => ({
  group_id: id,
  ...(deactivated ? { ofDeactivated: true as const } : {}),
});

const subgroups = { group_id: v.number(), direct_subgroup_ids: v.array(v.number()) };

export const subgroupsAdded = defineEvent('user_group/add_subgroups', {
  summary: 'Direct subgroups were added to a group.',
  fields: subgroups,
  forClient: ifGroupShown<{ group_id: number; direct_subgroup_ids: number[] }>,
});

export const subgroupsRemoved = defineEvent('user_group/remove_subgroups', {
  summary: 'Direct subgroups were removed from a group.',
  fields: subgroups,
  forClient: ifGroupShown<{ group_id: number; direct_subgroup_ids: number[] }>,
});
