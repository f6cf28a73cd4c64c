import * as v from 'valibot';
import { BadRequest, InvitationUnusable } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { describe, empty, text } from '../../../kernel/schemas.ts';
import { emailAddress } from '../account-creation.ts';
import { addressEmail } from './address-email.ts';
import { ADDRESS_LINK_HOURS } from './address-key.ts';
import { checkAddress, disposableCheck } from './addresses.ts';
import { accessOffer, invitationKeyParam } from './standing-offer.ts';

export const confirmInviteAddress = defineOperation({
  name: 'invites.confirmAddress',
  http: 'POST /invites/confirm_address',
  summary: 'Have a link sent by which you join with your address',
  description: `For whoever has an invitation link that is for many, on a server that sends e-mail. Who reads the mail of the address joins by the link in it, once, within ${ADDRESS_LINK_HOURS} hours and before the invitation ends. The answer is the same whether or not there is an account with the address, to which the e-mail says so. An address gets two in an hour at most, and five in a day.`,
  example: { key: 'q1Zc7P0aXw9RkT3mB8vYdL2s', email: 'ben@example.com' },
  access: 'anyone',
  effect: 'manual',
  limitedBy: { rule: 'invited-email' },
  params: v.object({
    key: invitationKeyParam,
    email: describe(text(1_000), 'Your address.'),
  }),
  result: empty,
  errors: [BadRequest, InvitationUnusable],
  async run({ transact, services }, { key, email: given }) {
    const isDisposable = await disposableCheck();
    return transact('append', async (context) => {
      const { invitation, email: known } = await accessOffer(context, key);
      if (known !== null) throw new BadRequest(`There is nothing to confirm: this link is for ${known} alone.`);
      if (!services.options.mail)
        throw new BadRequest('No e-mail is sent from here: join without confirming the address.');
      const email = emailAddress(given);
      checkAddress(context.organization, email, isDisposable);
      context.enqueue(addressEmail({ invitation_id: invitation.id, email }));
      return {};
    });
  },
});
