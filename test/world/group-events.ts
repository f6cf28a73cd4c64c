import { systemGroupId } from '../../lib/rules/system-groups.ts';

const OF_MEMBERS = [systemGroupId('role:fullmembers'), systemGroupId('role:members')];

/** What everybody is told of the groups of a member who comes or goes: those of the role, and others. */
export const memberships = (op: 'add_members' | 'remove_members', ...others: readonly number[]) =>
  [...OF_MEMBERS, ...others].map((group_id) => ({ type: 'user_group', op, group_id }));
