import { BadRequest, ExpectationMismatch, SystemGroupRequired } from '../../base/errors.ts';
import type { GroupSettingValue } from '../../model/groups.ts';
import type { PermissionSetting } from '../../rules/permission-settings.ts';
import { groupsIn, normalizeGroupSetting, sameGroupSetting } from '../../rules/permissions.ts';
import { SYSTEM_GROUPS, systemGroupId } from '../../rules/roles.ts';
import { inactiveUserIds } from '../../viewer/audiences.ts';
import type { ReadContext } from '../../viewer/context.ts';

/** Users and groups in one value. Every channel and group in a response contains its values. */
const MAX_NAMED = 200;

/** A permission value in the API: without deactivated accounts, which stay in the stored value. */
export function groupSettingView(value: GroupSettingValue, inactiveIds: ReadonlySet<number>): GroupSettingValue {
  if (typeof value === 'number' || !value.direct_members.some((id) => inactiveIds.has(id))) return value;
  return { ...value, direct_members: value.direct_members.filter((id) => !inactiveIds.has(id)) };
}

/**
 * Validates and normalizes a permission value. Throws if it contains a missing or deactivated group or user, or is a
 * single group that the setting does not accept.
 * @param name of the setting, for the error message
 */
export async function checkedGroupSetting(
  { tx }: Pick<ReadContext, 'tx'>,
  name: string,
  given: GroupSettingValue,
  setting: PermissionSetting,
): Promise<GroupSettingValue> {
  // Normalize first, so that an object with a single group is checked like the bare ID that is stored.
  const value = normalizeGroupSetting(given);
  const groupIds = groupsIn(value);
  const groups = await tx.groups.heads(groupIds);
  const found = new Map(groups.map((group) => [group.id, group]));
  for (const id of groupIds) {
    const group = found.get(id);
    if (!group) throw new BadRequest(`${name} contains a user group that does not exist: ${id}.`);
    if (group.deactivated) throw new BadRequest(`${name} contains a user group that has been deactivated: ${id}.`);
  }
  if (typeof value === 'number') {
    checkBareGroup(name, value, setting);
    return value;
  }
  if (setting.only) throw new SystemGroupRequired(name);
  const named = value.direct_members.length + value.direct_subgroups.length;
  if (named > MAX_NAMED) {
    throw new BadRequest(
      `${name} contains ${named} users and groups (limit: ${MAX_NAMED}). Create a user group instead.`,
    );
  }
  const users = value.direct_members.length > 0 ? await tx.users.byIds(value.direct_members) : [];
  // System bots need no permissions.
  const active = new Set(users.filter((user) => user.is_active && !user.is_system_bot).map((user) => user.id));
  const bad = value.direct_members.find((id) => !active.has(id));
  if (bad !== undefined)
    throw new BadRequest(`${name} contains a user who does not exist or has been deactivated: ${bad}.`);
  return value;
}

/** Checks a group given as a bare ID. Groups inside an object have no such restrictions. */
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

/** The new value of `{ new, old? }`; undefined if nothing changes. Throws ExpectationMismatch if `old` is outdated. */
export async function updatedGroupSetting(
  context: Pick<ReadContext, 'tx'>,
  name: string,
  update: { new: GroupSettingValue; old?: GroupSettingValue | undefined },
  { current, setting }: { current: GroupSettingValue; setting: PermissionSetting },
): Promise<GroupSettingValue | undefined> {
  const shown = await shownValue(context, current);
  if (update.old !== undefined && !sameGroupSetting(update.old, shown)) throw new ExpectationMismatch();
  if (sameGroupSetting(update.new, shown)) return undefined;
  return checkedGroupSetting(context, name, update.new, setting);
}

/** Clients see a value without deactivated members, so `old` is compared with that form. */
async function shownValue(context: Pick<ReadContext, 'tx'>, value: GroupSettingValue): Promise<GroupSettingValue> {
  if (typeof value === 'number' || value.direct_members.length === 0) return value;
  return groupSettingView(value, await inactiveUserIds(context));
}
