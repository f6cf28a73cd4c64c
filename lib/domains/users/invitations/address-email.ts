import { deliverEmail, EMAILS_AT_ONCE } from '../../../jobs/send-email.ts';
import type { ReadContext, Services } from '../../../kernel/context.ts';
import { InvitationUnusable } from '../../../kernel/errors.ts';
import { defineOutboxKind } from '../../../kernel/outbox.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { isBot } from '../../../rules/roles.ts';
import type { User } from '../../../storage/interface/users.ts';
import { COUNTED_MS, isMailedTooOften } from '../email-limits.ts';
import { composeLinkEmail } from '../link-email.ts';
import { ADDRESS_LINK_HOURS, newAddressKey } from './address-key.ts';
import { findValidInvitation } from './invitation-validity.ts';
import { hashOfKey, invitationLink } from './links.ts';

/**
 * The e-mail that confirms the address of a person who joins by a multi-use link. The address is looked up here and not
 * in the request, so that the response time does not reveal accounts. The outbox does not store the link.
 */
export const addressEmail = defineOutboxKind<{ invitation_id: number; email: string }>('address', {
  concurrency: EMAILS_AT_ONCE,
  async perform(services, { invitation_id, email }, item) {
    // The request is too old.
    if (services.clock.now() - item.created_ms > COUNTED_MS) return;
    const key = newAddressKey();
    const found = await services.maintain(async (context) => {
      const { tx, organization, now } = context;
      if (!(await stands(context, invitation_id))) return undefined;
      const user = await tx.users.byEmail(email);
      if (user && (isBot(user) || user.is_system_bot)) return undefined;
      if (isMailedTooOften(await tx.emailVerifications.mailedSince(email, now - COUNTED_MS), now)) return undefined;
      const proof = { key_hash: hashOfKey(key), invitation_id, email, created_ms: now };
      // If the address has an account, the key is not sent. The row only counts towards the limit.
      await tx.emailVerifications.add({ ...proof, is_mailed: true, is_used: user !== undefined });
      return { organization, user };
    });
    if (!found) return;
    const { organization, user } = found;
    const hasPasswords = organizationSetting(organization, 'password_login');
    const composed = user
      ? ofAccount(services, { name: organization.name, user, hasPasswords })
      : composeLinkEmail({
          subject: `Confirm your address to join ${organization.name}`,
          opening: [`someone asked to join ${organization.name} with this e-mail address.`],
          invitation: `If this was you, choose a name${hasPasswords ? ' and a password' : ''} at`,
          link: invitationLink(services, key),
          button: `Join ${organization.name}`,
          after: [`The link works once, within ${ADDRESS_LINK_HOURS} hours, while the invitation is valid.`],
          closing: 'If this was not you, ignore this e-mail.',
        });
    try {
      await deliverEmail(services, { to: email, ...composed }, item);
    } catch (error) {
      // The retry sends another link. This link stays valid, because the e-mail may have arrived.
      const uncount = (hash: string) =>
        services.storage.write((tx) => tx.emailVerifications.uncount(hash), { shared: true, silent: true });
      await uncount(hashOfKey(key));
      throw error;
    }
  },
});

/** Whether the invitation can still be accepted. */
async function stands(context: ReadContext, invitationId: number): Promise<boolean> {
  const invitation = await context.tx.invitations.byId(invitationId);
  if (!invitation) return false;
  try {
    await findValidInvitation(context, invitation, null);
    return true;
  } catch (error) {
    if (error instanceof InvitationUnusable) return false;
    throw error;
  }
}

interface Account {
  /** Name of the organization. */
  name: string;
  user: User;
  hasPasswords: boolean;
}

function ofAccount({ options: { baseUrl } }: Services, { name, user, hasPasswords }: Account) {
  const isActive = user.is_active;
  const forgotten = `${baseUrl}/accounts/password/reset/`;
  return composeLinkEmail({
    subject: `You already have an account in ${name}`,
    greeting: `Hello ${user.full_name},`,
    opening: [
      `someone asked to join ${name} with this e-mail address. ${isActive ? 'You already have an account and do not need to join again' : 'The address has an account, but it is deactivated. An administrator can reactivate it'}.`,
    ],
    invitation: isActive ? 'Sign in with any Zulip app at' : 'The account is at',
    link: baseUrl,
    button: `Open ${name}`,
    after: isActive && hasPasswords ? [`If you forgot your password, reset it at ${forgotten}`] : [],
    closing: 'If this was not you, ignore this e-mail. Nothing was changed.',
  });
}
