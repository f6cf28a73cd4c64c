import { isGranted } from '../../../access/membership.ts';
import type { AccountContext } from '../../../kernel/context.ts';
import { BadRequest } from '../../../kernel/errors.ts';

export const GENERIC = 1;
export const INCOMING_WEBHOOK = 2;
/** Per owner. Bots are accounts, and every client loads all accounts at start. */
const MAX_BOTS = 500;

/** Throws unless the actor may create bots of this type. Bots that only send need a lesser permission. */
export async function checkMayCreate(context: AccountContext, bot_type: number): Promise<void> {
  const { actor } = context;
  if (bot_type === INCOMING_WEBHOOK && (await isGranted(context, actor, 'can_create_write_only_bots_group'))) return;
  if (await isGranted(context, actor, 'can_create_bots_group')) return;
  throw new BadRequest('You are not allowed to create bots of this type.');
}

/** Throws if the user already owns the maximum number of bots. */
export async function checkMayOwnMore({ tx }: AccountContext, owner: number): Promise<void> {
  if ((await tx.users.botsOwnedBy(owner)).length < MAX_BOTS) return;
  throw new BadRequest(`A person can own at most ${MAX_BOTS} bots, including deactivated bots.`);
}
