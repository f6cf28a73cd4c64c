import type { TransactionContext } from '../../kernel/context.ts';
import { BadRequest, ExpectationMismatch } from '../../kernel/errors.ts';

import type { PermissionSetting } from '../../rules/permission-settings.ts';
import { normalizeGroupSetting, sameGroupSetting } from '../../rules/permissions.ts';
import { SYSTEM_GROUPS, systemGroupId } from '../../rules/system-groups.ts';
import type { GroupSettingValue } from '../../storage/storage.ts';
import { groupSettingView } from './group-setting-view.ts';

/** A permission value as it may be stored, or a refusal (reference 3.3). */
export async function checkedGroupSetting(
  { tx }: Pick<TransactionContext, 'tx'>,
  name: string,
  given: GroupSettingValue,
  setting: PermissionSetting,
): Promise<GroupSettingValue> {
  // First, so that a lone group in an object is judged like the bare ID it is stored as.
  const value = normalizeGroupSetting(given);
  const groupIds = typeof value === 'number' ? [value] : value.direct_subgroups;
  const groups = groupIds.length > 0 ? await tx.groups.byIds(groupIds) : [];
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
  const users = value.direct_members.length > 0 ? await tx.users.byIds(value.direct_members) : [];
  const active = new Set(users.filter((user) => user.is_active).map((user) => user.id));
  const bad = value.direct_members.find((id) => !active.has(id));
  if (bad !== undefined)
    throw new BadRequest(`${name} names a user who does not exist or has been deactivated: ${bad}.`);
  return value;
}

/** Which groups a setting takes as a bare id; inside an object these rules do not apply. */
function checkBareGroup(name: string, id: number, setting: PermissionSetting): void {
  const group = SYSTEM_GROUPS.find((one) => one.id === id)?.name;
  const refuse = () => new BadRequest(`${name} cannot be set to ${group ?? 'this group'}.`);
  if (setting.only && !setting.only.some((one) => systemGroupId(one) === id)) throw refuse();
  if (group === 'role:internet') throw refuse();
  if (group === 'role:nobody' && !setting.nobody) throw refuse();
  if (group === 'role:everyone' && !setting.everyone) throw refuse();
  if (group && setting.never?.includes(group)) throw refuse();
}

/**
 * Applies an update object (spec, "An update object"): undefined when nothing changes, which needs no
 * permission and makes no event.
 */
export async function updatedGroupSetting(
  scope: Pick<TransactionContext, 'tx'>,
  name: string,
  update: { new: GroupSettingValue; old?: GroupSettingValue | undefined },
  current: GroupSettingValue,
  setting: PermissionSetting,
): Promise<GroupSettingValue | undefined> {
  const shown = await shownValue(scope, current);
  if (update.old !== undefined && !sameGroupSetting(update.old, shown)) throw new ExpectationMismatch();
  if (sameGroupSetting(update.new, shown)) return undefined;
  return checkedGroupSetting(scope, name, update.new, setting);
}

/** Clients know a value without its deactivated members, so that is what they compare with. */
async function shownValue(
  { tx }: Pick<TransactionContext, 'tx'>,
  value: GroupSettingValue,
): Promise<GroupSettingValue> {
  if (typeof value === 'number' || value.direct_members.length === 0) return value;
  return groupSettingView(value, new Set(await tx.users.inactiveIds()));
}
