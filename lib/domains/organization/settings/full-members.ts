import type { WriteContext } from '../../../kernel/context.ts';

import { isDirectMember } from '../../../rules/membership.ts';
import { systemGroupId } from '../../../rules/system-groups.ts';
import type { Organization } from '../../../storage/storage.ts';

/** Tells who became a full member, or is one no more, by another waiting period. */
export async function fullMembersChanged(
  { tx, now, emit }: WriteContext,
  before: Organization,
  after: Organization,
): Promise<void> {
  const group_id = systemGroupId('role:fullmembers');
  const joined: number[] = [];
  const left: number[] = [];
  for (const user of await tx.users.changedSince(0)) {
    if (!user.is_active || user.is_system_bot) continue;
    const [was, is] = [isDirectMember(group_id, user, before, now), isDirectMember(group_id, user, after, now)];
    if (is && !was) joined.push(user.id);
    if (was && !is) left.push(user.id);
  }
  const tell = (op: string, user_ids: number[]) => {
    if (user_ids.length === 0) return;
    const event = { type: 'user_group', op, group_id, user_ids: user_ids.sort((a, b) => a - b) };
    emit({ audience: { scope: 'everyone' }, event });
  };
  tell('remove_members', left);
  tell('add_members', joined);
}
