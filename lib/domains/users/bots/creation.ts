import { isGranted } from '../../../access/membership.ts';
import type { AccountContext } from '../../../kernel/context.ts';
import { BadRequest } from '../../../kernel/errors.ts';

export const GENERIC = 1;
export const INCOMING_WEBHOOK = 2;

/** Throws unless the actor may create bots of this type: for those that only send a lesser right is enough. */
export async function checkMayCreate(context: AccountContext, bot_type: number): Promise<void> {
  const { actor } = context;
  if (bot_type === INCOMING_WEBHOOK && (await isGranted(context, actor, 'can_create_write_only_bots_group'))) return;
  if (await isGranted(context, actor, 'can_create_bots_group')) return;
  throw new BadRequest('You are not allowed to create bots of this type.');
}
