import type { AccountContext } from '../../../kernel/context.ts';
import { BadRequest } from '../../../kernel/errors.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { isAdministrator } from '../../../rules/roles.ts';

/* Administrators list all pending invitations in one response, so their total is limited too. */

const MAX_OF_ORGANIZATION = 20_000;
const MAX_OF_ADMINISTRATOR = 10_000;
/** Or the daily limit of the organization, if it is higher. */
const MAX_OF_MEMBER = 1_000;

/**
 * Counts multi-use links too, but not invitations that have ended.
 * @param planned number of invitations to add
 * @throws BadRequest if the caller or the organization would have too many pending invitations
 */
export async function checkPendingLimits(context: AccountContext, planned: number): Promise<void> {
  const { tx, actor, organization, now } = context;
  const { all, own } = await tx.invitations.countPending(now, actor.id);
  const max = isAdministrator(actor)
    ? MAX_OF_ADMINISTRATOR
    : Math.max(MAX_OF_MEMBER, organizationSetting(organization, 'max_invites'));
  if (own + planned > max) {
    throw new BadRequest(
      `You can have at most ${max} pending invitations and have ${own}. Revoke some, or wait until they expire.`,
    );
  }
  if (all + planned > MAX_OF_ORGANIZATION) {
    throw new BadRequest(
      `The organization can have at most ${MAX_OF_ORGANIZATION} pending invitations and has ${all}. Revoke some, or wait until they expire.`,
    );
  }
}
