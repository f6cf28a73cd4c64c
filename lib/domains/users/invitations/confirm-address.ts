import { BadRequest, InvitationUnusable } from '../../../base/errors.ts';
import { describe, nonEmptyText } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { emailAddress } from '../names.ts';
import { checkAddress } from './addresses.ts';
import { addressEmail } from './emails.ts';
import { ADDRESS_LINK_HOURS, accessValidInvitation, invitationKeyParam } from './invitation.ts';

export const confirmInviteAddress = defineOperation({
  name: 'invites.confirmAddress',
  http: 'POST /invites/confirm_address',
  summary: 'Request the e-mail that confirms your address before you join',
  description: `For multi-use links on a server that sends e-mail. The e-mail contains a link to join. It works once, within ${ADDRESS_LINK_HOURS} hours, while the invitation is valid. If the address has an account, only the e-mail says so; the response is the same. At most 2 e-mails per address and hour, 5 per day.`,
  example: { key: 'q1Zc7P0aXw9RkT3mB8vYdL2s', email: 'ben@example.com' },
  access: 'anyone',
  effect: 'append',
  limitedBy: { rule: 'invited-email' },
  params: { key: invitationKeyParam, email: describe(nonEmptyText(1_000), 'Your e-mail address.') },
  errors: [InvitationUnusable],
  async run(context, { key, email: given }) {
    const { invitation, email: known } = await accessValidInvitation(context, key);
    if (known !== null)
      throw new BadRequest(`This link is only for ${known}. Accept the invitation without confirming the address.`);
    if (!context.services.options.mail)
      throw new BadRequest('This server sends no e-mail. Accept the invitation without confirming the address.');
    const email = emailAddress(given);
    checkAddress(context.organization, email);
    context.enqueue(addressEmail({ invitation_id: invitation.id, email }));
  },
});
