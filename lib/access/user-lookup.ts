import type { ReadContext, TransactionContext } from '../kernel/context.ts';
import { BadRequest } from '../kernel/errors.ts';
import { isAdministrator } from '../rules/roles.ts';
import type { User } from '../storage/storage.ts';
import { usersByAddress } from './addressed-users.ts';
import { visibleUserIds } from './users.ts';

/** The account with this id, if the viewer may see it (reference 6.10). */
export async function userKnownTo(
  scope: ReadContext & Pick<TransactionContext, 'account'>,
  viewer: User,
  id: number,
): Promise<User> {
  const user = await scope.account(id);
  if (!user) throw new BadRequest(`There is no user with ID ${id}.`);
  const visible = await visibleUserIds(scope, viewer);
  if (visible && !visible.has(id)) throw new BadRequest('You are not allowed to see this user.');
  return user;
}

/** The account with this real address, where the viewer may see it, or with this placeholder address (reference 7.6). */
export async function userByAddress(scope: ReadContext, viewer: User, address: string): Promise<User> {
  const refusal = () => new BadRequest(`There is no user with the address "${address}".`);
  const user = (await usersByAddress(scope, viewer, [address])).get(address);
  if (!user) throw refusal();
  const visible = await visibleUserIds(scope, viewer);
  if (visible && !visible.has(user.id)) throw refusal();
  return user;
}

/** The account with this id, if the caller may administer it: an administrator, or the owner of the bot. */
export async function administeredUser(scope: ReadContext, actor: User, id: number): Promise<User> {
  const user = await scope.tx.users.byId(id);
  if (!user || user.is_system_bot) throw new BadRequest(`There is no user with ID ${id}.`);
  if (!isAdministrator(actor) && user.bot_owner_id !== actor.id)
    throw new BadRequest('You are not allowed to administer this user.');
  return user;
}
