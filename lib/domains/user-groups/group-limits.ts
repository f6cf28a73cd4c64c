import type { ReadContext } from '../../kernel/context.ts';
import { BadRequest } from '../../kernel/errors.ts';

/* Clients load all groups with their members at start, so the totals are limited. */

const MAX_GROUPS = 5_000;
/** Direct memberships in all groups. */
const MAX_MEMBERSHIPS = 500_000;
/** Direct subgroups in all groups, including system groups. */
const MAX_NESTINGS = 20_000;

/** Call it after the insert. @throws BadRequest if the organization exceeds a limit */
export async function checkGroupLimits({ tx }: Pick<ReadContext, 'tx'>): Promise<void> {
  const { groups, memberships, nestings } = await tx.groups.count();
  if (groups > MAX_GROUPS) throw new BadRequest(`An organization can have at most ${MAX_GROUPS} user groups.`);
  if (memberships > MAX_MEMBERSHIPS) {
    throw new BadRequest(
      `All user groups together can have at most ${MAX_MEMBERSHIPS} direct members. Add groups as subgroups instead of their members.`,
    );
  }
  if (nestings > MAX_NESTINGS)
    throw new BadRequest(`All user groups together can have at most ${MAX_NESTINGS} direct subgroups.`);
}
