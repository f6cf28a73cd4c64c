import { administratorIds } from '../../../access/users.ts';
import type { WriteContext } from '../../../kernel/context.ts';
import { defineEvent } from '../../../kernel/define-event.ts';

export const invitesChanged = defineEvent('invites_changed', {
  summary: 'Something of the invitations changed that the reader may list: they are to be fetched anew.',
  fields: {},
});

/** Tells administrators and whoever invited. */
export async function emitInvitesChanged(context: WriteContext, inviterId: number): Promise<void> {
  const users = [...new Set([...(await administratorIds(context)), inviterId])];
  context.emit({ users }, invitesChanged({}));
}
