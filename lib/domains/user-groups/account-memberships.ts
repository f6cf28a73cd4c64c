import { groupMembersAdded, groupMembersRemoved } from '../../access/events.ts';
import { groupSettingView } from '../../access/group-setting-value.ts';
import type { WriteContext } from '../../kernel/context.ts';
import { GROUP_PERMISSION_NAMES } from '../../rules/permission-settings.ts';
import { directRoleGroupIds, groupPermission } from '../../rules/permissions.ts';
import type { GroupSettingValue } from '../../storage/interface/groups.ts';
import type { User } from '../../storage/interface/users.ts';
import { groupUpdated } from './groups/events.ts';

/**
 * Sends the events that add accounts to their groups or remove them. Member lists contain active accounts only, so this
 * is needed when accounts are deactivated or reactivated.
 */
export async function emitAccountMemberships(
  context: WriteContext,
  users: readonly User[],
  event: typeof groupMembersAdded | typeof groupMembersRemoved,
): Promise<void> {
  const { tx, emit } = context;
  const byGroup = byRoleGroup(context, users);
  for (const { group_id, user_id } of await tx.groups.directMemberships(users.map((user) => user.id))) {
    put(byGroup, group_id, user_id);
  }
  const deactivated = await deactivatedAmong(context, [...byGroup.keys()]);
  for (const [group_id, ids] of byGroup) {
    const user_ids = ids.sort((a, b) => a - b);
    emit({ scope: 'everyone' }, event({ group_id, user_ids, ...hiddenIf(deactivated.has(group_id)) }));
  }
}

/** Sends the memberships of new accounts in system groups. */
export function emitRoleMembers(context: Roles & Pick<WriteContext, 'emit'>, users: readonly User[]): void {
  for (const [group_id, ids] of byRoleGroup(context, users)) {
    context.emit({ scope: 'everyone' }, groupMembersAdded({ group_id, user_ids: ids.sort((a, b) => a - b) }));
  }
}

/** Sends the changed memberships in system groups of an account whose role changed. */
export function emitOtherRole(context: Roles & Pick<WriteContext, 'emit'>, before: User, after: User): void {
  const { organization, now, emit } = context;
  const [was, is] = [before, after].map((user) => directRoleGroupIds(user, organization, now)) as [number[], number[]];
  const user_ids = [after.id];
  for (const group_id of was.filter((id) => !is.includes(id)))
    emit({ scope: 'everyone' }, groupMembersRemoved({ group_id, user_ids }));
  for (const group_id of is.filter((id) => !was.includes(id)))
    emit({ scope: 'everyone' }, groupMembersAdded({ group_id, user_ids }));
}

type Roles = Pick<WriteContext, 'organization' | 'now'>;

/** The IDs of the accounts by their system groups. */
function byRoleGroup({ organization, now }: Roles, users: readonly User[]): Map<number, number[]> {
  const byGroup = new Map<number, number[]>();
  for (const user of users) for (const id of directRoleGroupIds(user, organization, now)) put(byGroup, id, user.id);
  return byGroup;
}

function put(byGroup: Map<number, number[]>, groupId: number, userId: number): void {
  const present = byGroup.get(groupId);
  if (present) present.push(userId);
  else byGroup.set(groupId, [userId]);
}

/** Sends the group permissions that contain one of the accounts, because values show active accounts only. */
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
