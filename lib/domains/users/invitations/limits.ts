import type { AccountContext } from '../../../access/context.ts';
import { BadRequest, InvitationFailed } from '../../../base/errors.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { isAdministrator } from '../../../rules/roles.ts';

const DAY_MS = 24 * 3_600_000;
/** High enough to invite a whole company in a day, low enough that a stolen API key cannot send mass e-mail. */
const MAX_DAILY_OF_ADMINISTRATOR = 10_000;

/** The limit is per user and 24 hours: a user cannot exhaust it for others. @param counted how many addresses count */
export async function takeFromDailyLimit(context: AccountContext, addresses: number, counted = addresses) {
  const { tx, actor, organization, now } = context;
  const limit = isAdministrator(actor) ? MAX_DAILY_OF_ADMINISTRATOR : organizationSetting(organization, 'max_invites');
  const sent = await tx.invitations.sentSince(actor.id, now - DAY_MS);
  if (sent + addresses > limit) {
    throw new InvitationFailed(
      `You can invite ${limit} people in 24 hours and have already invited ${sent}. Addresses with accounts count too. No invitations were sent.`,
      { daily_limit_reached: true },
    );
  }
  if (counted > 0) await tx.invitations.countSent(actor.id, counted, now);
}

/* Administrators list all pending invitations in one response, so their total is limited too. */

const MAX_OF_ORGANIZATION = 20_000;
const MAX_OF_ADMINISTRATOR = 10_000;
/** Or the daily limit of the organization, if it is higher. */
const MAX_OF_MEMBER = 1_000;

/** Counts multi-use links too, but not invitations that have ended. @param planned invitations to add */
export async function checkPendingLimits(context: AccountContext, planned: number): Promise<void> {
  const { tx, actor, organization, now } = context;
  const { all, own } = await tx.invitations.countPending(now, actor.id);
  const max = isAdministrator(actor)
    ? MAX_OF_ADMINISTRATOR
    : Math.max(MAX_OF_MEMBER, organizationSetting(organization, 'max_invites'));
  if (own + planned > max) {
    throw new BadRequest(`You can have at most ${max} pending invitations and have ${own}. Revoke some first.`);
  }
  if (all + planned > MAX_OF_ORGANIZATION) {
    throw new BadRequest(`An organization can have at most ${MAX_OF_ORGANIZATION} pending invitations. Revoke some.`);
  }
}
