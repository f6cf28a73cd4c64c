import type { ReadContext } from '../kernel/context.ts';
import { organizationPermission } from '../rules/organization-settings.ts';
import { isGuest } from '../rules/roles.ts';
import { systemGroupId } from '../rules/system-groups.ts';
import type { User } from '../storage/storage.ts';

/** Conversations looked at to find whom a restricted guest knows. */
const MAX_DIRECTS = 5_000;

/**
 * Ids of the accounts a user may see, or undefined for "everybody": only guests can be restricted, and
 * then see bots and those they share a channel or a direct conversation with (reference 4.3).
 */
export async function visibleUserIds(scope: ReadContext, viewer: User): Promise<Set<number> | undefined> {
  if (!isGuest(viewer)) return undefined;
  if (organizationPermission(scope.organization, 'can_access_all_users_group') === systemGroupId('role:everyone'))
    return undefined;
  const visible = new Set([viewer.id]);
  for (const user of await scope.tx.users.changedSince(0)) if (user.bot_type !== null) visible.add(user.id);
  const subscriptions = await scope.tx.subscriptions.ofUser(viewer.id);
  const channels = subscriptions.map((subscription) => subscription.channel_id);
  for (const ids of (await scope.tx.subscriptions.subscriberIds(channels)).values())
    for (const id of ids) visible.add(id);
  for (const { conversation } of await scope.tx.conversations.directsOf(viewer.id, MAX_DIRECTS)) {
    for (const id of conversation.participants) visible.add(id);
  }
  return visible;
}
