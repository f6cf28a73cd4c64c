import { accessAdministeredUser } from '../../access/users.ts';
import type { ReadContext } from '../../kernel/context.ts';
import { BadRequest } from '../../kernel/errors.ts';
import { isBot } from '../../rules/roles.ts';
import type { User } from '../../storage/interface/users.ts';
import { checkMayChangeOwner } from './activation.ts';

/**
 * The account of a person whose sign-in an administrator manages. Only owners can do this for owners: otherwise an
 * administrator could take over an owner's account.
 */
export async function accessPersonToSignIn(context: ReadContext, actor: User, id: number): Promise<User> {
  const user = await accessAdministeredUser(context, actor, id);
  if (isBot(user))
    throw new BadRequest(`The user with ID ${id} is a bot. Bots sign in with their API key: GET /bots/${id}/api_key.`);
  checkMayChangeOwner(actor, user);
  return user;
}
