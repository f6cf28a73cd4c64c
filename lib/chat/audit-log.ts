import type { Engine } from '../kernel/engine.ts';
import type { AuditEntry, NewAuditEntry } from '../storage/interface/audit.ts';
import { callerOf, noAccount } from './accounts.ts';
import type { UserReference } from './transport.ts';

/** Which entries of the audit log. */
export interface AuditLogOptions {
  /** From which time on, milliseconds since the epoch. Default: all that is kept. */
  since?: number;
  /** Only what this account did, or, of sign-ins, those to it. Default: everybody's. */
  user?: UserReference;
  /** Only this operation, such as `users.edit`, or `authenticate` for keys that were not right. Default: all. */
  action?: string;
  /** The newest so many of them; default 100, at most 10000. */
  limit?: number;
}

/** Refusals that wait to be written are in it. */
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

/** By whoever runs the software. */
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
