import type { ReadContext } from '../kernel/context.ts';
import { roleGroups } from '../rules/permissions.ts';
import { isGuest } from '../rules/roles.ts';
import { systemGroupId } from '../rules/system-groups.ts';
import type { GroupSettingValue } from '../storage/interface/groups.ts';

const nobody = systemGroupId('role:nobody');

/** Active accounts that one of the permission values includes, without guests. */
export async function usersWithPermission(
  context: ReadContext,
  values: readonly GroupSettingValue[],
): Promise<Set<number>> {
  const { direct_members, direct_subgroups } = named(values);
  return holders(context, direct_members, direct_subgroups);
}

/** Like usersWithPermission() for several lists, with one query for all users and one per distinct set of groups. */
export async function usersWithPermissions(
  context: ReadContext,
  lists: readonly (readonly GroupSettingValue[])[],
): Promise<Set<number>[]> {
  const all = lists.map(named);
  const members = await holders(context, new Set(all.flatMap((one) => [...one.direct_members])), new Set());
  const ofGroups = new Map<string, Set<number>>();
  for (const { direct_subgroups } of all) {
    const key = [...direct_subgroups].sort((a, b) => a - b).join();
    if (!ofGroups.has(key)) ofGroups.set(key, await holders(context, new Set(), direct_subgroups));
  }
  return all.map(({ direct_members, direct_subgroups }) => {
    const key = [...direct_subgroups].sort((a, b) => a - b).join();
    return new Set([...(ofGroups.get(key) ?? []), ...[...direct_members].filter((id) => members.has(id))]);
  });
}

interface Named {
  direct_members: ReadonlySet<number>;
  direct_subgroups: ReadonlySet<number>;
}

function named(values: readonly GroupSettingValue[]): Named {
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
  return { direct_members, direct_subgroups };
}

async function holders(
  { tx, organization, now }: ReadContext,
  members: ReadonlySet<number>,
  groups: ReadonlySet<number>,
): Promise<Set<number>> {
  if (members.size + groups.size === 0) return new Set();
  const named = { direct_members: [...members], direct_subgroups: [...groups] };
  const found = await tx.groups.holders(named, roleGroups(organization, now));
  return new Set(found.filter((user) => !isGuest(user)).map((user) => user.id));
}
