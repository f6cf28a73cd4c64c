import type { ReadContext } from '../kernel/context.ts';
import { BadRequest, ExpectationMismatch, SystemGroupRequired } from '../kernel/errors.ts';
import type { PermissionSetting } from '../rules/permission-settings.ts';
import { normalizeGroupSetting, sameGroupSetting } from '../rules/permissions.ts';
import { SYSTEM_GROUPS, systemGroupId } from '../rules/system-groups.ts';
import type { GroupSettingValue } from '../storage/interface/groups.ts';
import { inactiveUserIds } from './inactive-users.ts';

/** Users and groups that one value names: it is told with every channel and group that has it. */
const MAX_NAMED = 200;

/** A permission value as the API shows it: deactivated accounts stay in what is stored, and are not shown. */
export function groupSettingView(value: GroupSettingValue, inactiveIds: ReadonlySet<number>): GroupSettingValue {
  if (typeof value === 'number' || !value.direct_members.some((id) => inactiveIds.has(id))) return value;
  return { ...value, direct_members: value.direct_members.filter((id) => !inactiveIds.has(id)) };
}

/**
 * A permission value as it is stored. Throws where it names a group or user that does not exist or is
 * deactivated, or is a group alone that the setting does not take.
 * @param name of the setting, for the error
 */
export async function checkedGroupSetting(
  { tx }: Pick<ReadContext, 'tx'>,
  name: string,
  given: GroupSettingValue,
  setting: PermissionSetting,
): Promise<GroupSettingValue> {
  // First, so that a lone group in an object is judged like the bare ID it is stored as.
  const value = normalizeGroupSetting(given);
  const groupIds = typeof value === 'number' ? [value] : value.direct_subgroups;
  const groups = await tx.groups.heads(groupIds);
  const found = new Map(groups.map((group) => [group.id, group]));
  for (const id of groupIds) {
    const group = found.get(id);
    if (!group) throw new BadRequest(`${name} names a user group that does not exist: ${id}.`);
    if (group.deactivated) throw new BadRequest(`${name} names a user group that has been deactivated: ${id}.`);
  }
  if (typeof value === 'number') {
    checkBareGroup(name, value, setting);
    return value;
  }
  if (setting.only) throw new SystemGroupRequired(name);
  const named = value.direct_members.length + value.direct_subgroups.length;
  if (named > MAX_NAMED) {
    throw new BadRequest(
      `${name} names ${named} users and groups; it takes ${MAX_NAMED} at most. Make a user group of them.`,
    );
  }
  const users = value.direct_members.length > 0 ? await tx.users.byIds(value.direct_members) : [];
  // Accounts of the software hold no permissions: it is bound by none.
  const active = new Set(users.filter((user) => user.is_active && !user.is_system_bot).map((user) => user.id));
  const bad = value.direct_members.find((id) => !active.has(id));
  if (bad !== undefined)
    throw new BadRequest(`${name} names a user who does not exist or has been deactivated: ${bad}.`);
  return value;
}

/** Which groups a setting takes as a bare id; inside an object these rules do not apply. */
function checkBareGroup(name: string, id: number, setting: PermissionSetting): void {
  const group = SYSTEM_GROUPS.find((systemGroup) => systemGroup.id === id)?.name;
  const refuse = () => new BadRequest(`${name} cannot be set to ${group ?? 'this group'}.`);
  if (setting.only && group === undefined) throw new SystemGroupRequired(name);
  if (setting.only && !setting.only.some((allowed) => systemGroupId(allowed) === id)) throw refuse();
  if (group === 'role:internet') throw refuse();
  if (group === 'role:nobody' && !setting.nobody) throw refuse();
  if (group === 'role:everyone' && !setting.everyone) throw refuse();
  if (group && setting.never?.includes(group)) throw refuse();
}

/**
 * What `{ new, old? }` makes of a permission value: undefined when nothing changes, which needs no
 * permission and makes no event. Throws ExpectationMismatch where the value is not `old` any more.
 */
export async function updatedGroupSetting(
  context: Pick<ReadContext, 'tx'>,
  name: string,
  update: { new: GroupSettingValue; old?: GroupSettingValue | undefined },
  current: GroupSettingValue,
  setting: PermissionSetting,
): Promise<GroupSettingValue | undefined> {
  const shown = await shownValue(context, current);
  if (update.old !== undefined && !sameGroupSetting(update.old, shown)) throw new ExpectationMismatch();
  if (sameGroupSetting(update.new, shown)) return undefined;
  return checkedGroupSetting(context, name, update.new, setting);
}

/** Clients know a value without its deactivated members, so that is what they compare with. */
async function shownValue(context: Pick<ReadContext, 'tx'>, value: GroupSettingValue): Promise<GroupSettingValue> {
  if (typeof value === 'number' || value.direct_members.length === 0) return value;
  return groupSettingView(value, await inactiveUserIds(context));
}
