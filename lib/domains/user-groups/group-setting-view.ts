import type { GroupSettingValue } from '../../storage/storage.ts';

/** A permission value as the API shows it: deactivated accounts are kept but not shown (spec, "Group-setting value"). */
export function groupSettingView(value: GroupSettingValue, inactiveIds: ReadonlySet<number>): GroupSettingValue {
  if (typeof value === 'number' || !value.direct_members.some((id) => inactiveIds.has(id))) return value;
  return { ...value, direct_members: value.direct_members.filter((id) => !inactiveIds.has(id)) };
}
