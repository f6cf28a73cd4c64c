import { Unauthorized } from '../kernel/errors.ts';
import type { UserReference } from './transport.ts';

/** Every call looks the address up again, in its own transaction: the address may move to another account. */
export function callerOf(user: UserReference): { userId?: number; address?: string } {
  if (typeof user === 'string') return { address: user };
  return { userId: typeof user === 'number' ? user : user.user_id };
}

export function noAccount(user: UserReference): Unauthorized {
  const { userId, address } = callerOf(user);
  return new Unauthorized(`There is no account with ${address ? `the address ${address}` : `ID ${userId}`}.`);
}
