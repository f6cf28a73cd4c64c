import { Unauthorized } from '../base/errors.ts';
import type { User } from '../model/users.ts';
import type { Transaction } from '../storage/interface/storage.ts';

/** An account: user ID, e-mail address, or an object with `user_id`. */
export type UserReference = number | string | { user_id: number };

export const idOrAddress = (user: UserReference) => (typeof user === 'object' ? user.user_id : user);

export function findAccount(tx: Transaction, user: UserReference): Promise<User | undefined> {
  const reference = idOrAddress(user);
  return typeof reference === 'number' ? tx.users.byId(reference) : tx.users.byEmail(reference);
}

/** @throws Unauthorized */
export async function accessAccount(tx: Transaction, user: UserReference): Promise<User> {
  const account = await findAccount(tx, user);
  if (!account) throw noAccount(user);
  return account;
}

export function noAccount(user: UserReference): Unauthorized {
  const reference = idOrAddress(user);
  return new Unauthorized(
    `There is no account with ${typeof reference === 'number' ? 'ID' : 'the address'} ${reference}.`,
  );
}
