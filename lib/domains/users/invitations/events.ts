import { administratorIds } from '../../../access/users.ts';
import type { WriteContext } from '../../../kernel/context.ts';
import { defineEvent } from '../../../kernel/define-event.ts';

export const invitesChanged = defineEvent('invites_changed', {
  summary: 'The invitations that the reader can list have changed. Fetch the list again.',
  fields: {},
});

/** Sends the event to administrators and the inviter. */
export async function emitInvitesChanged(context: WriteContext, inviterId: number): Promise<void> {
  const users = [...new Set([...(await administratorIds(context)), inviterId])];
  context.emit({ users }, invitesChanged({}));
}
