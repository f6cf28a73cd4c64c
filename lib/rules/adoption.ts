import type { GroupSettingValue } from '../model/groups.ts';
import type { PermissionSetting } from './permission-settings.ts';
import { decidedByRole, defaultPermission } from './permissions.ts';

/**
 * What to do with an account, channel or group that has only the same address or name:
 * - `verified`: use it if it is certain whose it is. An account needs a verified address; a channel must be public.
 * - `reset`: use it in any case, after everything has ended that its earlier user holds
 * - `never`: refuse it
 */
export type Adopt = 'verified' | 'reset' | 'never';

export const WAYS_TO_ADOPT = ['verified', 'reset', 'never'] as const satisfies readonly Adopt[];

/**
 * The permission settings of an adopted channel or group. They are those of a new one without a creator. A setting that
 * is open to everyone by default, such as who may post, stays if it names roles only.
 */
export function settingsAfterAdoption<K extends string>(
  permissions: Readonly<Record<K, PermissionSetting>>,
  present: Readonly<Record<string, GroupSettingValue>>,
): Record<string, GroupSettingValue> {
  const settings: Record<string, GroupSettingValue> = {};
  for (const [key, { default: standard }] of Object.entries<PermissionSetting>(permissions)) {
    const value = present[key];
    if (standard === 'creator') settings[key] = defaultPermission(standard, { creator_id: null });
    else if (standard === 'role:everyone' && value !== undefined && namesOnlyRoles(value)) settings[key] = value;
  }
  return settings;
}

const namesOnlyRoles = (value: GroupSettingValue) =>
  decidedByRole(value) && (typeof value === 'number' || value.direct_members.length === 0);
