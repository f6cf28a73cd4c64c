import { accessUsers, administratorIds } from '../../../access/users.ts';
import type { AccountContext } from '../../../kernel/context.ts';
import { BadRequest } from '../../../kernel/errors.ts';
import { isBot, isGuest } from '../../../rules/roles.ts';
import type { User } from '../../../storage/interface/users.ts';
import { emitAccountUpdated } from '../accounts/events.ts';
import { botView } from './bot.ts';
import { checkMayOwnMore } from './creation.ts';
import { botCreated, botHidden, botUpdated } from './events.ts';

/** @throws BadRequest unless the account can own a bot. An owner can act with the role of the bot. */
export async function checkNewOwner(context: AccountContext, id: number): Promise<void> {
  const [owner] = (await accessUsers(context, context.actor, [id])) as [User];
  if (isBot(owner)) throw new BadRequest('A bot cannot own a bot.');
  if (isGuest(owner)) throw new BadRequest('A guest cannot own a bot.');
  await checkMayOwnMore(context, id);
}

/** Changes the owner of a bot. The previous owner loses access to it, unless they are an administrator. */
export async function changeBotOwner(context: AccountContext, bot: User, owner_id: number): Promise<User> {
  const { tx, emit, organization } = context;
  const changed = await tx.users.update(bot.id, { bot_owner_id: owner_id });
  await emitAccountUpdated(context, changed, { bot_owner_id: owner_id });
  const administrators = await administratorIds(context);
  const lost = bot.bot_owner_id;
  if (lost !== null && !administrators.includes(lost)) {
    emit({ users: [lost] }, botHidden({ bot: { user_id: bot.id } }));
  }
  if (!administrators.includes(owner_id)) {
    emit({ users: [owner_id] }, botCreated({ bot: botView(changed, organization) }));
  }
  emit({ users: administrators }, botUpdated({ bot: { user_id: bot.id, owner_id } }));
  return changed;
}
