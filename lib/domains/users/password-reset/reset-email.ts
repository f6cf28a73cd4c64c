import { deliverEmail, EMAILS_AT_ONCE } from '../../../jobs/send-email.ts';
import type { Services } from '../../../kernel/context.ts';
import { defineOutboxKind } from '../../../kernel/outbox.ts';
import type { Organization } from '../../../storage/interface/organization.ts';
import type { Transaction } from '../../../storage/interface/storage.ts';
import type { User } from '../../../storage/interface/users.ts';
import { COUNTED_MS, isMailedTooOften } from '../email-limits.ts';
import { composeLinkEmail } from '../link-email.ts';
import {
  mayResetPassword,
  newResetToken,
  RESET_LINK_HOURS,
  resetLink,
  storeResetToken,
  tokenHash,
} from './reset-token.ts';

const HOUR_MS = 3_600_000;

/**
 * The e-mail with a reset link. The account is looked up here and not in the request, so that the response time does
 * not reveal accounts. The outbox does not store the link, because anyone who can read the database could use it.
 */
export const sendResetEmail = defineOutboxKind<{ email: string }>('password reset', {
  concurrency: EMAILS_AT_ONCE,
  async perform(services, { email: address }, item) {
    // The request is too old.
    if (services.clock.now() - item.created_ms > RESET_LINK_HOURS * HOUR_MS) return;
    const isWanted = await services.storage.read(async (tx) => {
      const organization = await tx.organization.get();
      return organization && (await findRecipient(tx, organization, address, services.clock.now())) !== undefined;
    });
    if (!isWanted) return;
    const token = newResetToken();
    const found = await services.maintain(async ({ tx, organization, now }) => {
      const user = await findRecipient(tx, organization, address, now);
      if (user) await storeResetToken(tx, user, { token, now, is_mailed: true });
      return user && { user, organization };
    });
    if (!found) return;
    const { user, organization } = found;
    const { baseUrl } = services.options;
    const email = composeLinkEmail({
      subject: `Reset your password for ${organization.name}`,
      greeting: `Hello ${user.full_name},`,
      opening: [`someone asked to reset the password of your account in ${organization.name}, on ${baseUrl}.`],
      invitation: 'To choose a new password, open',
      link: resetLink(baseUrl, token),
      button: 'Choose a new password',
      after: [`The link works once, within ${RESET_LINK_HOURS} hours.`],
      closing: 'If this was not you, ignore this e-mail. Your password does not change.',
    });
    try {
      await deliverEmail(services, { to: user.delivery_email, ...email }, item);
    } catch (error) {
      await uncount(services, token);
      throw error;
    }
  },
});

/** The retry sends another link. This link stays valid, because the e-mail may have arrived. */
function uncount({ storage }: Services, token: string): Promise<void> {
  return storage.write((tx) => tx.passwordResets.uncount(tokenHash(token)), { shared: true, silent: true });
}

async function findRecipient(
  tx: Transaction,
  organization: Organization,
  email: string,
  now: number,
): Promise<User | undefined> {
  const user = await tx.users.byEmail(email);
  if (!mayResetPassword(user, organization)) return undefined;
  return isMailedTooOften(await tx.passwordResets.mailedSince(user.id, now - COUNTED_MS), now) ? undefined : user;
}
