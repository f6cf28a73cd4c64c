import * as v from 'valibot';
import type { AccountContext, ReadContext } from '../../access/context.ts';
import { ifGroupShown } from '../../access/events.ts';
import { groupSettingView } from '../../access/group-setting-value.ts';
import { inactiveUserIds } from '../../access/users.ts';
import { describe, entriesOf, groupSetting } from '../../base/schemas.ts';
import { defineEvent } from '../../events/define-event.ts';
import type { Group, GroupSettingValue } from '../../model/groups.ts';
import type { User } from '../../model/users.ts';
import { GROUP_PERMISSION_NAMES, type GroupPermission } from '../../rules/permission-settings.ts';
import { groupPermission, isDirectMember } from '../../rules/permissions.ts';

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
  const permissions = {} as Record<GroupPermission, GroupSettingValue>;
  for (const key of GROUP_PERMISSION_NAMES)
    permissions[key] = groupSettingView(groupPermission(group, key), inactiveIds);
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
