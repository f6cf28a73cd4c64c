import { ChatError } from '../base/errors.ts';
import { AuditNote, mayBeAudited, recordAfterwards } from './audit.ts';
import type { Call, Perform } from './call.ts';

/**
 * Records the call in the audit log. A change is recorded in its own transaction. A refusal, a read and a sign-in have
 * no such transaction: they are recorded afterwards.
 */
export const audited =
  (inner: Perform): Perform =>
  (call) =>
    mayBeAudited(call.operation) ? performNoted(inner, call) : inner(call);

async function performNoted(inner: Perform, call: Call): Promise<object> {
  const { engine, operation, caller, transact } = call;
  const note = new AuditNote(operation, caller, engine.clock, engine.isLocal);
  try {
    const result = await inner({
      ...call,
      note,
      transact: (bound, effect, work, options) => transact(bound, effect, work, { ...options, note }),
    });
    if (note.isSignIn) await recordAfterwards(engine, note.signIn((result as { user_id: number }).user_id));
    else if (operation.effect === 'read') await recordAfterwards(engine, note.done(note.actorId));
    return result;
  } catch (error) {
    const refusal = error instanceof ChatError ? note.refused(error) : undefined;
    if (refusal) engine.refusals.add(refusal);
    throw error;
  }
}
