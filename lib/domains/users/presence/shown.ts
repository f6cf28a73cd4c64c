import type { TransactionContext } from '../../../kernel/context.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { seenNoMore } from '../../../rules/presence.ts';
import type { User } from '../../../storage/interface/users.ts';
import { emitPresence } from './events.ts';

/** Shows a user as online or offline immediately, and deletes their earlier presence. */
export async function showPresence(
  context: Pick<TransactionContext, 'tx' | 'organization' | 'services' | 'emit' | 'now'>,
  user: User,
  isShown: boolean,
): Promise<void> {
  const { tx, organization, now } = context;
  const seen = isShown ? { user_id: user.id, active_ms: now, connected_ms: now } : seenNoMore(user.id, now);
  await tx.presences.replace(seen);
  if (!organizationSetting(organization, 'presence_disabled')) await emitPresence(context, user, seen);
}
