import type { ReadContext } from '../kernel/context.ts';
import { roleGroups } from '../rules/membership.ts';
import { isGuest } from '../rules/roles.ts';
import { systemGroupId } from '../rules/system-groups.ts';
import type { GroupSettingValue } from '../storage/interface/groups.ts';

const nobody = systemGroupId('role:nobody');

/** Active accounts that any of the permission values includes; never guests. */
export async function usersWithPermission(
  { tx, organization, now }: ReadContext,
  values: readonly GroupSettingValue[],
): Promise<Set<number>> {
  const direct_members = new Set<number>();
  const direct_subgroups = new Set<number>();
  for (const value of values) {
    if (typeof value === 'number') direct_subgroups.add(value);
    else {
      for (const id of value.direct_members) direct_members.add(id);
      for (const id of value.direct_subgroups) direct_subgroups.add(id);
    }
  }
  direct_subgroups.delete(nobody);
  if (direct_members.size + direct_subgroups.size === 0) return new Set();
  const named = { direct_members: [...direct_members], direct_subgroups: [...direct_subgroups] };
  const holders = await tx.groups.holders(named, roleGroups(organization, now));
  return new Set(holders.filter((user) => !isGuest(user)).map((user) => user.id));
}
