import { BadRequest } from '../../base/errors.ts';
import { groupBy } from '../../base/lists.ts';
import type { GroupHead, GroupSettingValue } from '../../model/groups.ts';
import type { User } from '../../model/users.ts';
import { GROUP_PERMISSION_NAMES } from '../../rules/permission-settings.ts';
import { directRoleGroupIds, groupPermission } from '../../rules/permissions.ts';
import { isBot } from '../../rules/roles.ts';
import { groupMembers } from '../../viewer/audiences.ts';
import type { AccountContext, WriteContext } from '../../viewer/context.ts';
import { checkUnlocked } from '../../views/external-ids.ts';
import { groupMembersAdded, groupMembersRemoved } from '../../views/shared-events.ts';
import { emitVisibleChannels, visibleChannelsBefore } from '../channels/visible-channels.ts';
import { endForbiddenBlocks } from '../messages/blocking.ts';
import { notifyEach, silentMention } from '../messages/notification-bot.ts';
import { groupSettingView } from '../organization/group-setting-value.ts';
import {
  about,
  checkGroupLimits,
  checkGroupPermission,
  groupUpdated,
  subgroupsAdded,
  subgroupsRemoved,
} from './group.ts';

/** For more users at a time, the notification bot sends no messages: each user would get one. */
const MAX_MEMBERSHIP_MESSAGES = 1_000;

const EVERYBODY = { scope: 'everyone' } as const;

/**
 * Adds users to a group, or removes them.
 * @throws BadRequest if a user to add is a member, or a user to remove is no direct member; then changes nothing
 */
export async function changeMembers(
  context: AccountContext,
  group: GroupHead,
  change: 'add' | 'remove',
  userIds: readonly number[],
): Promise<void> {
  const { actor } = context;
  const isAdding = change === 'add';
  const ofSelf = isAdding ? 'can_join_group' : 'can_leave_group';
  const isSelf = userIds.length === 1 && userIds[0] === actor.id;
  const checkPermission = () =>
    checkGroupPermission(context, group, `can_${change}_members_group`, ...(isSelf ? ([ofSelf] as const) : []));
  if (isAdding) await checkPermission();
  const users = await context.viewer.activeAccounts(userIds);
  if (!isAdding) await checkPermission();
  const changed = await applyMembers(context, group, change, users);
  const unchanged = users.find((user) => !changed.has(user.id));
  if (unchanged) {
    const problem = isAdding ? 'already in' : 'not a direct member of';
    throw new BadRequest(`The user with ID ${unchanged.id} is ${problem} the group "${group.name}".`);
  }
  if (isAdding) await checkGroupLimits(context);
  const action = isAdding ? 'added you to' : 'removed you from';
  await notifyMembers(context, users, `${silentMention(actor)} ${action} the group @_*${group.name}*.`);
}

/** Adds active users to a group, or removes them. The caller has checked permissions. Returns the IDs that changed. */
export async function applyMembers(
  context: WriteContext,
  group: GroupHead,
  change: 'add' | 'remove',
  users: readonly User[],
): Promise<Set<number>> {
  checkUnlocked(context, 'groups', [group], users);
  const known = await visibleChannelsBefore(context, [group.id], async () => users);
  const user_ids = await context.tx.groups[`${change}Members`](group.id, idsOf(users));
  const event = change === 'add' ? groupMembersAdded : groupMembersRemoved;
  if (user_ids.length > 0) context.emit(EVERYBODY, event({ ...about(group), user_ids }));
  if (change === 'add') await endForbiddenBlocks(context, user_ids);
  await emitVisibleChannels(context, known);
  return new Set(user_ids);
}

/** Adds a new user to groups. Does not check permissions. */
export async function joinGroups(context: WriteContext, groups: readonly GroupHead[], user: User): Promise<void> {
  if (groups.length === 0) return;
  const known = await visibleChannelsBefore(context, idsOf(groups), async () => [user]);
  await context.tx.groups.join(idsOf(groups), user.id);
  await checkGroupLimits(context);
  for (const group of groups) context.emit(EVERYBODY, groupMembersAdded({ ...about(group), user_ids: [user.id] }));
  await emitVisibleChannels(context, known);
}

/**
 * Adds subgroups to a group, or removes them. Deactivated groups can be removed.
 * @throws BadRequest if a group to add is a subgroup or would form a cycle, or a group to remove is no direct subgroup
 */
export async function changeSubgroups(
  context: AccountContext,
  group: GroupHead,
  change: 'add' | 'remove',
  groupIds: readonly number[],
): Promise<void> {
  const { tx, emit } = context;
  const isAdding = change === 'add';
  await checkGroupPermission(context, group, `can_${change}_members_group`);
  const subgroups = await accessSubgroups(context, groupIds, { deactivated: !isAdding });
  if (isAdding) await checkNoCycle(context, group, subgroups);
  const direct_subgroup_ids = idsOf(subgroups);
  const people = async () => tx.users.byIds(await groupMembers(context, groupIds));
  checkUnlocked(context, 'groups', [group], subgroups);
  const known = await visibleChannelsBefore(context, [group.id], people);
  const changed = new Set(await tx.groups[`${change}Subgroups`](group.id, direct_subgroup_ids));
  const unchanged = subgroups.find((subgroup) => !changed.has(subgroup.id));
  if (unchanged) {
    const problem = isAdding ? 'already' : 'not directly';
    throw new BadRequest(`The group "${unchanged.name}" is ${problem} in the group "${group.name}".`);
  }
  if (isAdding) await checkGroupLimits(context);
  const event = isAdding ? subgroupsAdded : subgroupsRemoved;
  emit(EVERYBODY, event({ ...about(group), direct_subgroup_ids }));
  if (isAdding) await endForbiddenBlocks(context, await groupMembers(context, groupIds));
  await emitVisibleChannels(context, known);
}

async function checkNoCycle({ tx }: AccountContext, group: GroupHead, subgroups: readonly GroupHead[]): Promise<void> {
  const around = new Set(await tx.groups.around([group.id]));
  const outer = subgroups.find((subgroup) => around.has(subgroup.id));
  if (outer?.id === group.id) throw new BadRequest(`The group "${group.name}" cannot contain itself.`);
  if (outer) {
    throw new BadRequest(`The group "${outer.name}" contains "${group.name}", so it cannot be one of its subgroups.`);
  }
}

/** The groups to add or remove. @throws BadRequest for a group that does not exist or, by default, is deactivated */
export async function accessSubgroups(
  { tx }: Pick<WriteContext, 'tx'>,
  ids: readonly number[],
  options: { deactivated?: boolean } = {},
): Promise<GroupHead[]> {
  const found = await tx.groups.heads(ids);
  const byId = new Map(found.map((group) => [group.id, group]));
  for (const id of ids) {
    const group = byId.get(id);
    if (!group) throw new BadRequest(`There is no user group with ID ${id}.`);
    if (group.deactivated && !options.deactivated) {
      throw new BadRequest(`The user group "${group.name}" has been deactivated. Reactivate it first.`);
    }
  }
  return found;
}

/** Messages users about their membership, except bots and the actor. */
export async function notifyMembers(context: AccountContext, users: readonly User[], text: string): Promise<void> {
  const people = users.filter((user) => user.id !== context.actor.id && !isBot(user));
  if (people.length > MAX_MEMBERSHIP_MESSAGES) return;
  await notifyEach(context, new Map(people.map((user) => [user, text])), context.actor);
}

const idsOf = (records: readonly { id: number }[]) => records.map(({ id }) => id).sort((a, b) => a - b);

/** Member lists contain active accounts only, so they change when accounts are deactivated or reactivated. */
export async function emitAccountMemberships(
  context: WriteContext,
  users: readonly User[],
  event: typeof groupMembersAdded | typeof groupMembersRemoved,
): Promise<void> {
  const { tx, emit } = context;
  const direct = await tx.groups.directMemberships(users.map((user) => user.id));
  const byGroup = usersByGroup([...roleMemberships(context, users), ...direct]);
  for (const group of await tx.groups.heads([...byGroup.keys()])) {
    emit(EVERYBODY, event({ ...about(group), user_ids: byGroup.get(group.id) ?? [] }));
  }
}

export function emitRoleMembers(context: WriteContext, users: readonly User[]): void {
  for (const [group_id, user_ids] of usersByGroup(roleMemberships(context, users))) {
    context.emit(EVERYBODY, groupMembersAdded({ group_id, user_ids }));
  }
}

export function emitOtherRole(context: WriteContext, before: User, after: User): void {
  const { organization, now, emit } = context;
  const was = directRoleGroupIds(before, organization, now);
  const is = directRoleGroupIds(after, organization, now);
  const user_ids = [after.id];
  for (const group_id of was) if (!is.includes(group_id)) emit(EVERYBODY, groupMembersRemoved({ group_id, user_ids }));
  for (const group_id of is) if (!was.includes(group_id)) emit(EVERYBODY, groupMembersAdded({ group_id, user_ids }));
}

function roleMemberships({ organization, now }: WriteContext, users: readonly User[]) {
  return users.flatMap((user) =>
    directRoleGroupIds(user, organization, now).map((group_id) => ({ group_id, user_id: user.id })),
  );
}

function usersByGroup(memberships: readonly { group_id: number; user_id: number }[]): Map<number, number[]> {
  const byGroup = groupBy(memberships, ({ group_id }) => group_id);
  return new Map([...byGroup].map(([id, own]) => [id, own.map(({ user_id }) => user_id).sort((a, b) => a - b)]));
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
      emit(EVERYBODY, groupUpdated({ ...about(group), data }));
    }
  }
}
