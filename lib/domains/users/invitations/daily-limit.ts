import type { AccountContext } from '../../../kernel/context.ts';
import { InvitationFailed } from '../../../kernel/errors.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { isAdministrator } from '../../../rules/roles.ts';

const DAY_MS = 24 * 3_600_000;
/** Enough to invite a company in an afternoon, and not enough to make a mail server of somebody's stolen key. */
const OF_ADMINISTRATORS = 10_000;

/**
 * Counts e-mails to strangers that somebody causes within a day. Each has a limit of their own, so that nobody
 * can use up that of others.
 * @throws InvitationFailed where it would be exceeded
 */
export async function takeFromDailyLimit(context: AccountContext, invitations: number): Promise<void> {
  const { tx, actor, organization, now } = context;
  const limit = isAdministrator(actor) ? OF_ADMINISTRATORS : organizationSetting(organization, 'max_invites');
  const sent = await tx.invitations.sentSince(actor.id, now - DAY_MS);
  if (sent + invitations > limit) {
    throw new InvitationFailed(
      `You can invite ${limit} people in 24 hours and have invited ${sent}; nobody was invited now.`,
      { daily_limit_reached: true },
    );
  }
  await tx.invitations.countSent(actor.id, invitations, now);
}
