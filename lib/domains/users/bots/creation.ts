import { isGranted } from '../../../access/membership.ts';
import type { AccountContext } from '../../../kernel/context.ts';
import { BadRequest } from '../../../kernel/errors.ts';

export const GENERIC = 1;
export const INCOMING_WEBHOOK = 2;
/** Of one owner: everybody's clients start with all accounts, and bots are among them. */
const MAX_BOTS = 500;

/** Throws unless the actor may create bots of this type: for those that only send a lesser right is enough. */
export async function checkMayCreate(context: AccountContext, bot_type: number): Promise<void> {
  const { actor } = context;
  if (bot_type === INCOMING_WEBHOOK && (await isGranted(context, actor, 'can_create_write_only_bots_group'))) return;
  if (await isGranted(context, actor, 'can_create_bots_group')) return;
  throw new BadRequest('You are not allowed to create bots of this type.');
}

/** Throws where somebody has as many bots as one may own. */
export async function checkMayOwnMore({ tx }: AccountContext, owner: number): Promise<void> {
  if ((await tx.users.botsOwnedBy(owner)).length < MAX_BOTS) return;
  throw new BadRequest(`A person can own at most ${MAX_BOTS} bots, deactivated ones included.`);
}
