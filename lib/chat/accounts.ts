import { Unauthorized } from '../base/errors.ts';
import type { User } from '../model/users.ts';
import type { Transaction } from '../storage/interface/storage.ts';

/** An account: user ID, e-mail address, or an object with `user_id` or with `external_id`, the ID in your program. */
export type UserReference = number | string | { user_id: number } | { external_id: string };

/** A user ID, an e-mail address, or an object with the external ID. */
export function plainReference(user: UserReference): number | string | { external_id: string } {
  return typeof user === 'object' && 'user_id' in user ? user.user_id : user;
}

export async function findAccount(tx: Transaction, user: UserReference): Promise<User | undefined> {
  const reference = plainReference(user);
  if (typeof reference === 'object') return (await tx.users.byExternalIds([reference.external_id]))[0];
  return typeof reference === 'number' ? tx.users.byId(reference) : tx.users.byEmail(reference);
}

/** @throws Unauthorized */
export async function accessAccount(tx: Transaction, user: UserReference): Promise<User> {
  const account = await findAccount(tx, user);
  if (!account) throw noAccount(user);
  return account;
}

export function noAccount(user: UserReference): Unauthorized {
  const reference = plainReference(user);
  const which =
    typeof reference === 'object'
      ? `the external ID ${reference.external_id}`
      : `${typeof reference === 'number' ? 'ID' : 'the address'} ${reference}`;
  return new Unauthorized(`There is no account with ${which}.`);
}
