import type { Clock } from '../adapters/clock.ts';
import type { Logger } from '../adapters/logger.ts';
import type { NewAuditEntry } from '../storage/interface/audit.ts';
import type { Storage } from '../storage/interface/storage.ts';
import { AuditNote } from './audit.ts';
import type { Caller } from './callers.ts';
import { ChatError } from './errors.ts';
import type { Operation } from './operation.ts';
import type { DecodeParameter } from './parameters.ts';
import type { Refusals } from './refusals.ts';
import type { Transact } from './transact.ts';

/** The required part of the engine. */
interface Performer {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly refusals: Refusals;
  perform(
    operation: Operation,
    caller: Caller,
    values: Readonly<Record<string, unknown>>,
    decode: DecodeParameter | undefined,
    trial: Transact | undefined,
    note: AuditNote,
  ): Promise<object>;
}

/** A success is recorded in the transaction of the change. A refusal has no transaction and is recorded later. */
export async function performAudited(
  engine: Performer,
  operation: Operation,
  caller: Caller,
  values: Readonly<Record<string, unknown>>,
  decode: DecodeParameter | undefined,
): Promise<object> {
  const note = new AuditNote(operation, caller);
  const now = () => engine.clock.now();
  try {
    const result = await engine.perform(operation, caller, values, decode, undefined, note);
    if (note.isSignIn) await keepAfterwards(engine, note.signIn((result as { user_id: number }).user_id, now()));
    else if (operation.effect === 'read') await keepAfterwards(engine, note.done(note.actorId, now(), undefined));
    return result;
  } catch (error) {
    const refused = error instanceof ChatError ? note.refused(error, now()) : undefined;
    if (refused) engine.refusals.add(refused.entry, refused.account);
    throw error;
  }
}

/** A read or a sign-in succeeds even if the entry cannot be written. */
async function keepAfterwards({ storage, logger }: Performer, entry: NewAuditEntry): Promise<void> {
  await storage
    .write((tx) => tx.audit.add([entry]), { shared: true, silent: true })
    .catch((error: unknown) =>
      logger.warn({ error, action: entry.action }, 'a call was not recorded in the audit log'),
    );
}
