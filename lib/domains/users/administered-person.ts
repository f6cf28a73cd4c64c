import { accessAdministeredUser } from '../../access/users.ts';
import type { ReadContext } from '../../kernel/context.ts';
import { BadRequest } from '../../kernel/errors.ts';
import { isBot } from '../../rules/roles.ts';
import type { User } from '../../storage/interface/users.ts';
import { checkMayChangeOwner } from './activation.ts';

/**
 * The account of a person, for an administrator who decides about how they sign in: about owners only owners
 * do, so that nobody becomes more than they are.
 */
export async function accessPersonToSignIn(context: ReadContext, actor: User, id: number): Promise<User> {
  const user = await accessAdministeredUser(context, actor, id);
  if (isBot(user)) throw new BadRequest(`The user with ID ${id} is a bot, which signs in with the key of /bots/${id}.`);
  checkMayChangeOwner(actor, user);
  return user;
}
