import { usersByAddress } from '../../access/addressed-users.ts';
import { visibleUserIds } from '../../access/users.ts';
import type { ReadContext } from '../../kernel/context.ts';
import { BadRequest } from '../../kernel/errors.ts';
import type { User } from '../../storage/storage.ts';

/**
 * The accounts a request names, by id or by API address, each once. One that does not exist, is
 * deactivated or is hidden from the requester fails the whole request.
 */
export async function namedUsers(
  scope: ReadContext,
  actor: User,
  principals: readonly (number | string)[],
): Promise<User[]> {
  const ids = principals.filter((one) => typeof one === 'number');
  const addresses = principals.filter((one) => typeof one === 'string');
  const users = new Map<number, User>();
  if (ids.length > 0) for (const user of await scope.tx.users.byIds(ids)) users.set(user.id, user);
  const missing = ids.find((id) => !users.has(id));
  if (missing !== undefined) throw new BadRequest(`There is no user with ID ${missing}.`);
  if (addresses.length > 0) {
    const found = await usersByAddress(scope, actor, addresses);
    const unknown = addresses.find((address) => !found.has(address));
    if (unknown !== undefined) throw new BadRequest(`There is no user with the address "${unknown}".`);
    for (const user of found.values()) users.set(user.id, user);
  }
  const visible = await visibleUserIds(scope, actor);
  for (const user of users.values()) {
    if (!user.is_active) throw new BadRequest(`The user with ID ${user.id} has been deactivated.`);
    if (user.is_system_bot || (visible && !visible.has(user.id)))
      throw new BadRequest(`There is no user with ID ${user.id}.`);
  }
  return [...users.values()];
}
