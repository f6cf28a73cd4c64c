import * as v from 'valibot';
import { BadRequest, InvitationFailed, UnauthorizedPrincipal } from '../../../base/errors.ts';
import { id, secret } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { checkConfirmed, confirmationCode } from '../../../viewer/confirmation.ts';
import { invitationEmail, reminderTime } from './emails.ts';
import {
  accessInvitation,
  emitInvitesChanged,
  invitationKey,
  invitationLink,
  maySeeLink,
  takeFromDailyLimit,
} from './invitation.ts';
import { mayInvite } from './offer.ts';

export const resendInvite = defineOperation({
  name: 'invites.resend',
  http: 'POST /invites/{invite_id}/resend',
  summary: 'Send the e-mail of an invitation again',
  description:
    'Your own invitations; for administrators, all invitations. Only owners can resend invitations with the owner role. The expiry time does not change.',
  example: { invite_id: 7 },
  access: 'human member',
  scope: 'login',
  effect: 'write',
  mayNeedCode: true,
  params: { invite_id: id, code: confirmationCode },
  result: v.object({
    link_url: v.optional(secret(v.string(), 'Link to share. Only for administrators, if the server sends no e-mail.')),
  }),
  errors: [InvitationFailed, UnauthorizedPrincipal],
  async run(context, { invite_id }) {
    const { tx, actor, organization, now, services, enqueue } = context;
    const invitation = await accessInvitation(context, invite_id, { isForMany: false });
    if (!(await mayInvite(context, actor, { isForMany: false })))
      throw new BadRequest('You are not allowed to invite people.');
    if (!services.options.mail) {
      if (!maySeeLink(actor, invitation)) return {};
      await checkConfirmed(context, invitation.invited_as);
      return { link_url: invitationLink(services, invitationKey(organization, invitation)) };
    }
    await takeFromDailyLimit(context, 1);
    await tx.invitations.resend(invitation.id, reminderTime(invitation, now));
    enqueue(invitationEmail({ invitation_id: invitation.id, kind: 'invitation' }));
    await emitInvitesChanged(context, invitation.invited_by_user_id);
    return {};
  },
});
