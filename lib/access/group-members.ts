import type { ReadContext } from '../kernel/context.ts';

import { isDirectMember } from '../rules/membership.ts';
import { nestedGroups } from '../rules/permissions.ts';
import type { Group } from '../storage/storage.ts';

/** Ids of everybody in the groups, directly or through nesting; those of roles follow from the accounts. */
export async function membersOf(
  { tx, organization, now }: ReadContext,
  groups: readonly Group[],
): Promise<Set<number>> {
  const start = groups.map((group) => group.id);
  const nests = groups.some((group) => group.direct_subgroup_ids.length > 0);
  const all = nests ? (await tx.groups.all()).filter((group) => !group.deactivated) : groups;
  const inside = nestedGroups(start, all);
  const included = all.filter((group) => inside.has(group.id));
  const members = new Set(included.flatMap((group) => group.members));
  const roles = included.filter((group) => group.is_system_group);
  if (roles.length === 0) return members;
  for (const user of await tx.users.changedSince(0)) {
    if (user.is_system_bot) continue;
    if (roles.some((group) => isDirectMember(group.id, user, organization, now))) members.add(user.id);
  }
  return members;
}
