import type { AccountContext, WriteContext } from '../../access/context.ts';
import { groupMembersAdded, groupMembersRemoved } from '../../access/events.ts';
import { groupSettingView } from '../../access/group-setting-value.ts';
import { groupMembers } from '../../access/membership.ts';
import { accessUsers } from '../../access/users.ts';
import { BadRequest } from '../../base/errors.ts';
import { groupBy } from '../../base/group-by.ts';
import type { GroupHead, GroupSettingValue } from '../../model/groups.ts';
import type { User } from '../../model/users.ts';
import { GROUP_PERMISSION_NAMES } from '../../rules/permission-settings.ts';
import { directRoleGroupIds, groupPermission } from '../../rules/permissions.ts';
import { isBot } from '../../rules/roles.ts';
import { emitVisibleChannels, visibleChannelsBefore } from '../channels/visible-channels.ts';
import { notifyEach, silentMention } from '../messages/notification-bot.ts';
import { checkGroupLimits, checkGroupPermission } from './group.ts';
import { groupUpdated, subgroupsAdded, subgroupsRemoved } from './group-view.ts';

/** For more users at a time, the notification bot sends no messages: each user would get one. */
const MAX_MEMBERSHIP_MESSAGES = 1_000;

const EVERYBODY = { scope: 'everyone' } as const;

const about = ({ id, deactivated }: GroupHead) => ({ group_id: id, ...hiddenIf(deactivated) });

/** Adds users to a group. @throws BadRequest if one of them is already a member; then adds none */
export async function addMembers(context: AccountContext, group: GroupHead, userIds: readonly number[]): Promise<void> {
  const { tx, actor, emit } = context;
  const isSelf = userIds.length === 1 && userIds[0] === actor.id;
  await checkGroupPermission(context, group, 'can_add_members_group', ...(isSelf ? (['can_join_group'] as const) : []));
  const users = await accessUsers(context, actor, userIds);
  const known = await visibleChannelsBefore(context, [group.id], async () => users);
  const added = new Set(await tx.groups.addMembers(group.id, idsOf(users)));
  const present = users.find((user) => !added.has(user.id));
  if (present) throw new BadRequest(`The user with ID ${present.id} is already in the group "${group.name}".`);
  await checkGroupLimits(context);
  emit(EVERYBODY, groupMembersAdded({ ...about(group), user_ids: idsOf(users) }));
  await emitVisibleChannels(context, known);
  await notifyMembers(context, users, `${silentMention(actor)} added you to the group @_*${group.name}*.`);
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

/** Removes users from a group. @throws BadRequest if one of them is not a direct member; then removes none */
export async function removeMembers(context: AccountContext, group: GroupHead, userIds: readonly number[]) {
  const { tx, actor, emit } = context;
  const users = await accessUsers(context, actor, userIds);
  const isSelf = userIds.length === 1 && userIds[0] === actor.id;
  await checkGroupPermission(
    context,
    group,
    'can_remove_members_group',
    ...(isSelf ? (['can_leave_group'] as const) : []),
  );
  const known = await visibleChannelsBefore(context, [group.id], async () => users);
  const removed = new Set(await tx.groups.removeMembers(group.id, idsOf(users)));
  const absent = users.find((user) => !removed.has(user.id));
  if (absent)
    throw new BadRequest(`The user with ID ${absent.id} is not a direct member of the group "${group.name}".`);
  emit(EVERYBODY, groupMembersRemoved({ ...about(group), user_ids: idsOf(users) }));
  await emitVisibleChannels(context, known);
  await notifyMembers(context, users, `${silentMention(actor)} removed you from the group @_*${group.name}*.`);
}

/** Adds subgroups to a group. @throws BadRequest for a group that is already a subgroup, or would form a cycle */
export async function addSubgroups(context: AccountContext, group: GroupHead, groupIds: readonly number[]) {
  const { tx, emit } = context;
  await checkGroupPermission(context, group, 'can_add_members_group');
  const subgroups = await accessSubgroups(context, groupIds);
  const around = new Set(await tx.groups.around([group.id]));
  const outer = subgroups.find((subgroup) => around.has(subgroup.id));
  if (outer?.id === group.id) throw new BadRequest(`The group "${group.name}" cannot contain itself.`);
  if (outer) {
    throw new BadRequest(`The group "${outer.name}" contains "${group.name}", so it cannot be one of its subgroups.`);
  }
  const known = await visibleChannelsBefore(context, [group.id], () => peopleIn(context, groupIds));
  const added = new Set(await tx.groups.addSubgroups(group.id, idsOf(subgroups)));
  const present = subgroups.find((subgroup) => !added.has(subgroup.id));
  if (present) throw new BadRequest(`The group "${present.name}" is already in the group "${group.name}".`);
  await checkGroupLimits(context);
  emit(EVERYBODY, subgroupsAdded({ ...about(group), direct_subgroup_ids: idsOf(subgroups) }));
  await emitVisibleChannels(context, known);
}

/** Removes subgroups, including deactivated groups. @throws BadRequest for a group that is not a direct subgroup */
export async function removeSubgroups(context: AccountContext, group: GroupHead, groupIds: readonly number[]) {
  const { tx, emit } = context;
  await checkGroupPermission(context, group, 'can_remove_members_group');
  const subgroups = await accessSubgroups(context, groupIds, { deactivated: true });
  const known = await visibleChannelsBefore(context, [group.id], () => peopleIn(context, groupIds));
  const removed = new Set(await tx.groups.removeSubgroups(group.id, idsOf(subgroups)));
  const absent = subgroups.find((subgroup) => !removed.has(subgroup.id));
  if (absent) throw new BadRequest(`The group "${absent.name}" is not directly in the group "${group.name}".`);
  emit(EVERYBODY, subgroupsRemoved({ ...about(group), direct_subgroup_ids: idsOf(subgroups) }));
  await emitVisibleChannels(context, known);
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

async function peopleIn(context: WriteContext, groupIds: readonly number[]): Promise<User[]> {
  return context.tx.users.byIds(await groupMembers(context, groupIds));
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
  const groups = await tx.groups.heads(byGroup.map(([group_id]) => group_id));
  const deactivated = new Set(groups.filter((group) => group.deactivated).map((group) => group.id));
  for (const [group_id, user_ids] of byGroup) {
    emit(EVERYBODY, event({ group_id, user_ids, ...hiddenIf(deactivated.has(group_id)) }));
  }
}

export function emitRoleMembers(context: Roles & Pick<WriteContext, 'emit'>, users: readonly User[]): void {
  for (const [group_id, user_ids] of usersByGroup(roleMemberships(context, users))) {
    context.emit(EVERYBODY, groupMembersAdded({ group_id, user_ids }));
  }
}

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

function roleMemberships({ organization, now }: Roles, users: readonly User[]) {
  return users.flatMap((user) =>
    directRoleGroupIds(user, organization, now).map((group_id) => ({ group_id, user_id: user.id })),
  );
}

function usersByGroup(
  memberships: readonly { group_id: number; user_id: number }[],
): [group: number, users: number[]][] {
  const byGroup = groupBy(memberships, ({ group_id }) => group_id);
  return [...byGroup].map(([id, own]) => [id, own.map(({ user_id }) => user_id).sort((a, b) => a - b)]);
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

const hiddenIf = (isDeactivated: boolean) => (isDeactivated ? { ofDeactivated: true as const } : {});
