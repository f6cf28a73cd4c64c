import type { groupMembersAdded, groupMembersRemoved } from '../../access/events.ts';
import { groupSettingView } from '../../access/group-setting-value.ts';
import type { WriteContext } from '../../kernel/context.ts';
import { groupPermission } from '../../rules/groups.ts';
import { directRoleGroupIds } from '../../rules/membership.ts';
import { GROUP_PERMISSION_NAMES } from '../../rules/permission-settings.ts';
import type { GroupSettingValue } from '../../storage/interface/groups.ts';
import type { User } from '../../storage/interface/users.ts';
import { groupUpdated } from './groups/events.ts';

/**
 * Lists of members name active accounts only: accounts that were deactivated are taken out of those of
 * their groups, and accounts that were reactivated come back.
 */
export async function emitAccountMemberships(
  context: WriteContext,
  users: readonly User[],
  event: typeof groupMembersAdded | typeof groupMembersRemoved,
): Promise<void> {
  const { tx, organization, now, emit } = context;
  const byGroup = new Map<number, number[]>();
  const put = (group: number, user: number) => byGroup.set(group, [...(byGroup.get(group) ?? []), user]);
  for (const user of users) for (const id of directRoleGroupIds(user, organization, now)) put(id, user.id);
  for (const { group_id, user_id } of await tx.groups.directMemberships(users.map((user) => user.id))) {
    put(group_id, user_id);
  }
  const deactivated = await deactivatedAmong(context, [...byGroup.keys()]);
  for (const [group_id, ids] of byGroup) {
    const user_ids = ids.sort((a, b) => a - b);
    emit({ scope: 'everyone' }, event({ group_id, user_ids, ...hiddenIf(deactivated.has(group_id)) }));
  }
}

/** Likewise permissions of groups: `isNaming` says whether a value names one of the accounts. */
export async function emitShownGroupPermissions(
  { tx, emit }: WriteContext,
  isNaming: (value: GroupSettingValue) => boolean,
  inactiveIds: ReadonlySet<number>,
  userIds: readonly number[],
): Promise<void> {
  for (const group of await tx.groups.headsNaming(userIds)) {
    for (const key of GROUP_PERMISSION_NAMES) {
      const value = groupPermission(group, key);
      if (!isNaming(value)) continue;
      const data = { [key]: groupSettingView(value, inactiveIds) };
      emit({ scope: 'everyone' }, groupUpdated({ group_id: group.id, data, ...hiddenIf(group.deactivated) }));
    }
  }
}

async function deactivatedAmong({ tx }: WriteContext, groupIds: readonly number[]): Promise<Set<number>> {
  const groups = await tx.groups.heads(groupIds);
  return new Set(groups.filter((group) => group.deactivated).map((group) => group.id));
}

const hiddenIf = (isDeactivated: boolean) => (isDeactivated ? { ofDeactivated: true as const } : {});
