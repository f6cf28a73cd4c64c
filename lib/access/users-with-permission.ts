import type { ReadContext } from '../kernel/context.ts';
import { isDirectMember } from '../rules/membership.ts';
import { nestedGroups } from '../rules/permissions.ts';
import { isGuest } from '../rules/roles.ts';
import { systemGroupId } from '../rules/system-groups.ts';
import type { GroupSettingValue } from '../storage/interface/groups.ts';

const nobody = systemGroupId('role:nobody');

/** Active accounts that any of the permission values includes; never guests. */
export async function usersWithPermission(
  context: ReadContext,
  values: readonly GroupSettingValue[],
): Promise<Set<number>> {
  const members = new Set<number>();
  const groupIds: number[] = [];
  for (const value of values) {
    if (typeof value === 'number') groupIds.push(value);
    else {
      for (const id of value.direct_members) members.add(id);
      groupIds.push(...value.direct_subgroups);
    }
  }
  const named = groupIds.filter((id) => id !== nobody);
  if (named.length === 0) {
    if (members.size === 0) return members;
    const users = await context.tx.users.byIds([...members]);
    return new Set(users.filter((user) => user.is_active && !isGuest(user)).map((user) => user.id));
  }
  const groups = await context.tx.groups.all();
  const inside = nestedGroups(
    named,
    groups.filter((group) => !group.deactivated),
  );
  for (const group of groups) if (inside.has(group.id)) for (const id of group.members) members.add(id);
  const users = await context.tx.users.changedSince(0);
  const systemGroups = groups.filter((group) => group.is_system_group && inside.has(group.id));
  const holders = users.filter(
    (user) =>
      user.is_active &&
      !user.is_system_bot &&
      !isGuest(user) &&
      (members.has(user.id) ||
        systemGroups.some((group) => isDirectMember(group.id, user, context.organization, context.now))),
  );
  return new Set(holders.map((user) => user.id));
}
