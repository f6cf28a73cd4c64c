import { deliverEmail, EMAILS_AT_ONCE } from '../../../background/send-email.ts';
import type { ReadContext, Services } from '../../../kernel/context.ts';
import { InvitationUnusable } from '../../../kernel/errors.ts';
import { defineOutboxKind } from '../../../kernel/outbox.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { isBot } from '../../../rules/roles.ts';
import type { User } from '../../../storage/interface/users.ts';
import { COUNTED_MS, isMailedTooOften } from '../email-limits.ts';
import { composeLinkEmail } from '../link-email.ts';
import { ADDRESS_LINK_HOURS, newAddressKey } from './address-key.ts';
import { hashOfKey, invitationLink } from './links.ts';
import { standingOffer } from './standing-offer.ts';

/**
 * An e-mail to an address that somebody wants to join with. Whether it has an account is found out here, where
 * nobody sees how long that takes, and told to whoever reads its mail. The link stands in none of what waits.
 */
export const addressEmail = defineOutboxKind<{ invitation_id: number; email: string }>('address', {
  concurrency: EMAILS_AT_ONCE,
  async perform(services, { invitation_id, email }, item) {
    // Nobody waits for it any more.
    if (services.clock.now() - item.created_ms > COUNTED_MS) return;
    const key = newAddressKey();
    const found = await services.maintain(async (context) => {
      const { tx, organization, now } = context;
      if (!(await stands(context, invitation_id))) return undefined;
      const user = await tx.users.byEmail(email);
      if (user && (isBot(user) || user.is_system_bot)) return undefined;
      if (isMailedTooOften(await tx.addressProofs.mailedSince(email, now - COUNTED_MS), now)) return undefined;
      const proof = { key_hash: hashOfKey(key), invitation_id, email, created_ms: now };
      // Of an account nobody learns the key, so the row does no more than count.
      await tx.addressProofs.add({ ...proof, is_mailed: true, is_used: user !== undefined });
      return { organization, user };
    });
    if (!found) return;
    const { organization, user } = found;
    const hasPasswords = organizationSetting(organization, 'password_login');
    const composed = user
      ? ofAccount(services, { name: organization.name, user, hasPasswords })
      : composeLinkEmail({
          subject: `Confirm your address to join ${organization.name}`,
          opening: [`somebody wants to join ${organization.name} with this address.`],
          invitation: `If it is you, choose a name${hasPasswords ? ' and a password' : ''} at`,
          link: invitationLink(services, key),
          button: `Join ${organization.name}`,
          after: [`The link works once, within ${ADDRESS_LINK_HOURS} hours, as long as the invitation is open.`],
          closing: 'If it was not you, you can leave it: without you, nothing happens.',
        });
    try {
      await deliverEmail(services, { to: email, ...composed }, item);
    } catch (error) {
      // It is tried again, with another link; this one may have arrived all the same.
      const uncount = (hash: string) =>
        services.storage.write((tx) => tx.addressProofs.uncount(hash), { shared: true, silent: true });
      await uncount(hashOfKey(key));
      throw error;
    }
  },
});

/** Whether one can still join by the invitation. */
async function stands(context: ReadContext, invitationId: number): Promise<boolean> {
  const invitation = await context.tx.invitations.byId(invitationId);
  if (!invitation) return false;
  try {
    await standingOffer(context, invitation, null);
    return true;
  } catch (error) {
    if (error instanceof InvitationUnusable) return false;
    throw error;
  }
}

interface Account {
  /** Of the organization. */
  name: string;
  user: User;
  hasPasswords: boolean;
}

function ofAccount({ options: { baseUrl } }: Services, { name, user, hasPasswords }: Account) {
  const isActive = user.is_active;
  const forgotten = `${baseUrl}/accounts/password/reset/`;
  return composeLinkEmail({
    subject: `You have an account in ${name} already`,
    greeting: `Hello ${user.full_name},`,
    opening: [
      `somebody wanted to join ${name} with this address. It has an account already${isActive ? ', so there is nothing to join' : ', which was deactivated. Administrators can bring it back'}.`,
    ],
    invitation: isActive ? 'You sign in with any Zulip app at' : 'It is the account at',
    link: baseUrl,
    button: `Open ${name}`,
    after:
      isActive && hasPasswords ? [`If you do not know the password any more, choose another one at ${forgotten}`] : [],
    closing: 'If it was not you, you can leave it: nothing was done.',
  });
}
