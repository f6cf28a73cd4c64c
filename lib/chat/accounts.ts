import { Unauthorized } from '../kernel/errors.ts';
import type { UserReference } from './transport.ts';

/** An address is looked up with every call, in its transaction: it may pass to another account. */
export function callerOf(user: UserReference): { userId?: number; address?: string } {
  if (typeof user === 'string') return { address: user };
  return { userId: typeof user === 'number' ? user : user.user_id };
}

export function noAccount(user: UserReference): Unauthorized {
  const { userId, address } = callerOf(user);
  return new Unauthorized(`There is no account with ${address ? `the address ${address}` : `ID ${userId}`}.`);
}
