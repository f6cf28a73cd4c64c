import { accessAdministeredUser } from '../../../access/users.ts';
import type { ReadContext } from '../../../kernel/context.ts';
import { BadRequest } from '../../../kernel/errors.ts';

import type { User } from '../../../storage/storage.ts';

/** The bot with this id, if the caller owns it or administers the organization. */
export async function ownedBot(context: ReadContext, actor: User, id: number): Promise<User> {
  const refusal = () => new BadRequest(`There is no bot with ID ${id} that you can administer.`);
  const bot = await accessAdministeredUser(context, actor, id).catch((error: unknown) => {
    throw error instanceof BadRequest ? refusal() : error;
  });
  if (bot.bot_type === null) throw refusal();
  return bot;
}
