import type { AccountContext } from '../../../kernel/context.ts';
import { InvitationFailed } from '../../../kernel/errors.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { isAdministrator } from '../../../rules/roles.ts';

const DAY_MS = 24 * 3_600_000;
/** High enough to invite a whole company in a day, low enough that a stolen API key cannot send mass e-mail. */
const OF_ADMINISTRATORS = 10_000;

/**
 * Counts the invitation e-mails of the caller in 24 hours. The limit is per user: a user cannot exhaust it for others.
 * @throws InvitationFailed if the limit would be exceeded
 */
export async function takeFromDailyLimit(context: AccountContext, invitations: number): Promise<void> {
  const { tx, actor, organization, now } = context;
  const limit = isAdministrator(actor) ? OF_ADMINISTRATORS : organizationSetting(organization, 'max_invites');
  const sent = await tx.invitations.sentSince(actor.id, now - DAY_MS);
  if (sent + invitations > limit) {
    throw new InvitationFailed(
      `You can invite ${limit} people in 24 hours and have already invited ${sent}. No invitations were sent.`,
      { daily_limit_reached: true },
    );
  }
  await tx.invitations.countSent(actor.id, invitations, now);
}
