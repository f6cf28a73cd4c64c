import type { WriteContext } from '../../kernel/context.ts';
import { isDirectMember } from '../../rules/membership.ts';
import { SYSTEM_GROUPS } from '../../rules/system-groups.ts';
import type { User } from '../../storage/interface/users.ts';
import { groupMembersAdded, groupMembersRemoved } from './groups/events.ts';

type Change = typeof groupMembersAdded | typeof groupMembersRemoved;

/** Tells that new accounts are members of the groups that follow from their roles. */
export function emitRoleMembers(context: Pick<WriteContext, 'organization' | 'now' | 'emit'>, users: readonly User[]) {
  for (const { id } of SYSTEM_GROUPS) emitMembers(context, id, membersByRole(context, id, users), groupMembersAdded);
}

/** Tells in which of these groups an account with another role is, and in which no more. */
export function emitOtherRole(
  context: Pick<WriteContext, 'organization' | 'now' | 'emit'>,
  before: User,
  after: User,
): void {
  for (const { id } of SYSTEM_GROUPS) {
    const [was, is] = [before, after].map((user) => membersByRole(context, id, [user]));
    if (was?.length !== is?.length)
      emitMembers(context, id, [after.id], is?.length ? groupMembersAdded : groupMembersRemoved);
  }
}

/** Lists of members name active accounts only: tells of those who were deactivated or brought back. */
export async function emitShownMembers(
  context: WriteContext,
  users: readonly User[],
  isActive: boolean,
): Promise<void> {
  const change = isActive ? groupMembersAdded : groupMembersRemoved;
  const ids = new Set(users.map(({ id }) => id));
  for (const group of await context.tx.groups.all()) {
    const members = group.is_system_group
      ? membersByRole(context, group.id, users)
      : group.members.filter((id) => ids.has(id));
    emitMembers(context, group.id, members, change);
  }
}

function membersByRole(
  { organization, now }: Pick<WriteContext, 'organization' | 'now'>,
  groupId: number,
  users: readonly User[],
): number[] {
  return users.filter((user) => isDirectMember(groupId, user, organization, now)).map(({ id }) => id);
}

function emitMembers({ emit }: Pick<WriteContext, 'emit'>, group_id: number, ids: readonly number[], change: Change) {
  if (ids.length === 0) return;
  emit({ scope: 'everyone' }, change({ group_id, user_ids: [...ids].sort((a, b) => a - b) }));
}
