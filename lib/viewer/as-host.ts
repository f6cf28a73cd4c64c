import { NOTIFICATION_BOT, systemActor } from '../rules/roles.ts';
import { type AccountContext, actingAs, type TransactionContext } from './context.ts';

/** The context of the embedding program itself, with every permission. */
export async function asHost(context: TransactionContext): Promise<AccountContext> {
  const bot = await context.tx.users.byEmail(NOTIFICATION_BOT);
  if (!bot) throw new Error(`The bot ${NOTIFICATION_BOT} is missing from this organization.`);
  return actingAs(context, systemActor(bot));
}
