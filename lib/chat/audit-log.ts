import type { Engine } from '../engine/engine.ts';
import type { AuditEntry } from '../storage/interface/audit.ts';
import { accessAccount, type UserReference } from './accounts.ts';

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
    return tx.audit.list({
      since,
      ...(user === undefined ? {} : { userId: (await accessAccount(tx, user)).id }),
      ...(action === undefined ? {} : { action }),
      limit: Math.max(1, Math.min(10_000, Math.floor(limit))),
    });
  });
}
