import type { AccountContext } from '../../../kernel/context.ts';
import { accessInvitation } from './access-invitation.ts';
import { emitInvitesChanged } from './events.ts';

/** Ends an invitation, so that it cannot be accepted. Throws like `accessInvitation`. */
export async function revoke(context: AccountContext, id: number, kind: { isForMany: boolean }): Promise<void> {
  const invitation = await accessInvitation(context, id, kind);
  await context.tx.invitations.end(invitation.id, 'revoked', context.now);
  await emitInvitesChanged(context, invitation.invited_by_user_id);
}
