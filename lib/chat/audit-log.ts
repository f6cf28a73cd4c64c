import { Unauthorized } from '../base/errors.ts';
import type { Engine } from '../engine/engine.ts';
import type { AuditEntry, NewAuditEntry } from '../storage/interface/audit.ts';
import type { UserReference } from './transport.ts';

/** Options of `chat.auditLog`. */
export interface AuditLogOptions {
  /** Only entries from this time on, in milliseconds since the epoch. Default: all stored entries. */
  since?: number;
  /** Only actions of this account and sign-ins to it. Default: all accounts. */
  user?: UserReference;
  /** Only this operation, for example `users.edit`, or `authenticate` for wrong API keys. Default: all. */
  action?: string;
  /** Largest number of entries; the newest are kept. Default 100, at most 10,000. */
  limit?: number;
}

/** Includes refusals that are not written to the database yet. */
export async function readAuditLog(
  engine: Engine,
  { since = 0, user, action, limit = 100 }: AuditLogOptions,
): Promise<AuditEntry[]> {
  await engine.refusals.flush();
  return engine.storage.read(async (tx) => {
    const { userId, address = '' } = user === undefined ? {} : callerOf(user);
    const account = user === undefined ? undefined : (userId ?? (await tx.users.byEmail(address))?.id);
    if (user !== undefined && account === undefined) throw noAccount(user);
    return tx.audit.list({
      since,
      ...(account === undefined ? {} : { userId: account }),
      ...(action === undefined ? {} : { action }),
      limit: Math.max(1, Math.min(10_000, Math.floor(limit))),
    });
  });
}

/** `user_id` is null: the operator of the server did it. */
export function permissionGiven(id: number, permission: string, isGranted: boolean, now: number): NewAuditEntry {
  return {
    at_ms: now,
    action: 'chat.setSpecialPermission',
    user_id: null,
    status: 200,
    code: null,
    details: { user_id: id, [permission]: isGranted },
    client: 'Parlance',
    network: null,
    request: null,
    times: 1,
  };
}

/** Every call looks the address up again, in its own transaction: the address may move to another account. */
export function callerOf(user: UserReference): { userId?: number; address?: string } {
  if (typeof user === 'string') return { address: user };
  return { userId: typeof user === 'number' ? user : user.user_id };
}

export function noAccount(user: UserReference): Unauthorized {
  const { userId, address } = callerOf(user);
  return new Unauthorized(`There is no account with ${address ? `the address ${address}` : `ID ${userId}`}.`);
}
