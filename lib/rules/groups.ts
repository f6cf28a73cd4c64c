import type { Group, GroupSettingValue } from '../storage/interface/groups.ts';
import { GROUP_PERMISSIONS, type GroupPermission } from './permission-settings.ts';
import { systemGroupId } from './system-groups.ts';

/** The value of a group permission, or its default. */
export function groupPermission(
  group: Pick<Group, 'settings' | 'creator_id' | 'is_system_group'>,
  key: GroupPermission,
): GroupSettingValue {
  if (group.is_system_group) return systemGroupId('role:nobody');
  const stored = group.settings[key];
  if (stored !== undefined) return stored;
  const standard = GROUP_PERMISSIONS[key].default;
  if (standard !== 'creator') return systemGroupId(standard);
  return group.creator_id === null
    ? systemGroupId('role:nobody')
    : { direct_members: [group.creator_id], direct_subgroups: [] };
}
