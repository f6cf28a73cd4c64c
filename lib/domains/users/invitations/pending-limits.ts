import type { AccountContext } from '../../../kernel/context.ts';
import { BadRequest } from '../../../kernel/errors.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { isAdministrator } from '../../../rules/roles.ts';

/* Administrators list all that are pending at once, so it is all of them together that must stay bearable. */

const MAX_OF_ORGANIZATION = 20_000;
const MAX_OF_ADMINISTRATOR = 10_000;
/** Or as many as the organization lets them invite in a day, where that is more. */
const MAX_OF_MEMBER = 1_000;

/**
 * Links for many are counted as well; what was accepted, was revoked or has expired is not.
 * @param planned how many the caller would add
 * @throws BadRequest where there would be too many pending invitations, of the caller's or of the organization's
 */
export async function checkPendingLimits(context: AccountContext, planned: number): Promise<void> {
  const { tx, actor, organization, now } = context;
  const { all, own } = await tx.invitations.countPending(now, actor.id);
  const max = isAdministrator(actor)
    ? MAX_OF_ADMINISTRATOR
    : Math.max(MAX_OF_MEMBER, organizationSetting(organization, 'max_invites'));
  if (own + planned > max) {
    throw new BadRequest(
      `You can have ${max} invitations that nobody has accepted yet, and have ${own}; revoke some, or wait until they expire.`,
    );
  }
  if (all + planned > MAX_OF_ORGANIZATION) {
    throw new BadRequest(
      `An organization has ${MAX_OF_ORGANIZATION} invitations at most that nobody has accepted yet, and this one has ${all}.`,
    );
  }
}
