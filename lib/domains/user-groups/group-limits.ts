import type { ReadContext } from '../../kernel/context.ts';
import { BadRequest } from '../../kernel/errors.ts';

/* Clients start with every group and its members, so it is all of them together that must stay bearable. */

const MAX_GROUPS = 5_000;
/** Direct memberships in all groups. */
const MAX_MEMBERSHIPS = 500_000;
/** Groups that are directly in others, those of the system among them. */
const MAX_NESTINGS = 20_000;

/** To be asked after adding something. @throws BadRequest where the organization has too much of it */
export async function checkGroupLimits({ tx }: Pick<ReadContext, 'tx'>): Promise<void> {
  const { groups, memberships, nestings } = await tx.groups.count();
  if (groups > MAX_GROUPS) throw new BadRequest(`An organization has ${MAX_GROUPS} user groups at most.`);
  if (memberships > MAX_MEMBERSHIPS) {
    throw new BadRequest(
      `All user groups together have ${MAX_MEMBERSHIPS} direct members at most; put a group into others instead of its people.`,
    );
  }
  if (nestings > MAX_NESTINGS) throw new BadRequest(`All user groups together contain ${MAX_NESTINGS} groups at most.`);
}
