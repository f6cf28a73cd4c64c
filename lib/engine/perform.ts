import { ChatError, isChatError } from '../base/errors.ts';
import { present } from '../base/present.ts';
import { withoutSecrets } from '../operation/secrets.ts';
import type { ManualContext, TransactionContext } from '../viewer/context.ts';
import { contentAfterHooks } from './ask-hooks.ts';
import { AuditNote, auditEntry, recordAfterwards } from './audit.ts';
import type { Call, Perform } from './call.ts';
import { checkLoginParameters } from './callers.ts';
import { untilAnswered } from './idempotency.ts';
import { fileParameter, readParameters, unknownParameters } from './parameters.ts';
import { manualContext } from './transaction-context.ts';

/** The way of a dry run. It is not recorded, and nothing follows a refusal. */
export const preview: Perform = decoded(idempotent(confirmed(hooked(transacted(run)))));

/**
 * The way of a call. Each step does its part before and after the next one, and can end the call. What follows a refusal
 * is outside of `audited`: its changes are not those of the call.
 */
export const perform: Perform = followedUp(audited(preview));

/**
 * Records the call in the audit log. A change is recorded in its own transaction. A refusal, a read and a sign-in have
 * no such transaction: they are recorded afterwards.
 */
function audited(inner: Perform): Perform {
  return (call) => (call.operation.audited ? performNoted(inner, call) : inner(call));
}

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

/** Runs what a feature has registered for a refusal (`refused`). The caller gets the refusal in any case. */
function followedUp(inner: Perform): Perform {
  return (call) => {
    const { engine, operation, caller, transact } = call;
    const act = engine.refused[operation.name];
    if (!act) return inner(call);
    return inner(call).catch(async (refusal) => {
      const context = manualContext(engine, caller, transact) as ManualContext<'user'>;
      if (refusal instanceof ChatError) {
        await act(context, refusal).catch((error: unknown) =>
          engine.logger.error({ error }, 'an action after a refusal failed'),
        );
      }
      throw refusal;
    });
  };
}

/**
 * Reads the parameters. Leaves secrets out of every answer to a token, also out of a stored one. The answer names
 * parameters that are unknown.
 */
function decoded(inner: Perform): Perform {
  return async (call) => {
    const { operation, caller, values, note } = call;
    let parameters: Record<string, unknown>;
    try {
      parameters = readParameters(operation, values, call.decode);
      checkLoginParameters(operation, caller, parameters);
    } catch (refusal) {
      note?.read({}, refusal);
      // Authorizes the caller first. A request with invalid parameters never opens a write transaction.
      return call.transact(caller, 'read', () => Promise.reject(refusal));
    }
    note?.read(parameters);
    const answer = await inner({ ...call, parameters });
    const result = caller.login?.kind === 'token' ? withoutSecrets(operation, answer) : answer;
    // Not before the call: fields after a streamed file arrive while it runs.
    const ignored = unknownParameters(operation, values);
    return ignored.length === 0 ? result : { ...result, ignored_parameters_unsupported: ignored };
  };
}

/** Returns the stored answer of an earlier call with the same idempotency key. */
function idempotent(inner: Perform): Perform {
  return (call) => (call.parameters.idempotency_key === undefined ? inner(call) : performOnce(inner, call));
}

async function performOnce(inner: Perform, call: Call): Promise<object> {
  const { engine, operation, parameters, note } = call;
  const repeatable = present(await engine.idempotencyKeys.callOf(operation, parameters));
  note?.watch(repeatable);
  // Other calls look in the transaction that makes the change.
  if (!looksBefore(call)) return inner({ ...call, repeatable });
  const isManual = operation.effect === 'manual';
  const recall = () => call.transact(call.caller, 'read', (context) => repeatable.recall(context));
  let first = await recall();
  try {
    return first && !isManual ? first : await inner({ ...call, repeatable, first });
  } catch (refusal) {
    // The same call may have succeeded elsewhere since this one looked.
    first = repeatable.isAnswered ? undefined : await recall();
    if (!first) throw refusal;
    return isManual ? inner({ ...call, repeatable, first }) : first;
  }
}

/** Before a hook is called, and before an operation works outside of transactions. */
function looksBefore(call: Call): boolean {
  const { operation } = call;
  // The digest of a streamed file is not known yet.
  return operation.effect === 'manual' ? !fileParameter(operation)?.isStreamed : hasHooks(call);
}

/**
 * Uses up the code of the caller's second factor before anything else: a wrong one counts although the call fails. Dry
 * runs need none, since the secrets in their answers are fake.
 */
function confirmed(inner: Perform): Perform {
  return async (call) => {
    const { engine, operation, caller, parameters, transact, isDryRun, first } = call;
    if (!operation.mayNeedCode || caller.keyGeneration === undefined) return inner(call);
    if (isDryRun) return inner({ ...call, caller: { ...caller, isConfirmed: true } });
    const { code } = parameters;
    if (typeof code !== 'string' || code === '' || first) return inner(call);
    const { id } = present(await transact(caller, 'read', async ({ actor }) => actor));
    await present(engine.confirm)(engine, id, code).catch((refusal) => {
      noteWrongCode(call, id, refusal);
      throw refusal;
    });
    return inner({ ...call, caller: { ...caller, userId: id, isConfirmed: true } });
  };
}

/** Records a guess also in a call that is not audited. */
function noteWrongCode({ engine, operation, caller, note }: Call, user_id: number, refusal: unknown): void {
  if (!isChatError(refusal, 'SECOND_FACTOR_NEEDED') || (note && !note.isKept)) return;
  const { client, network = null, request = null } = caller;
  const { status, code } = refusal;
  const entry = auditEntry(engine.clock.now(), operation.name, { user_id, status, code, client, network, request });
  engine.refusals.add({ entry });
}

/**
 * Calls the hooks of the embedding program with the message that the operation proposes, outside of any transaction.
 * The operation then repeats all checks. Dry runs call no hooks.
 */
function hooked(inner: Perform): Perform {
  return (call) => (hasHooks(call) ? afterHooks(call).then(inner) : inner(call));
}

const hasHooks = ({ engine, operation, isDryRun }: Call): boolean =>
  operation.propose !== undefined && engine.options.hooks.beforeSend !== undefined && !isDryRun;

async function afterHooks(call: Call): Promise<Call> {
  const { engine, operation, caller, parameters } = call;
  const { proposal, actor } = await call.transact(caller, 'read', async (context) => ({
    proposal: await operation.propose?.(context as never, parameters),
    actor: present(context.actor),
  }));
  if (!proposal) return call;
  const content = await contentAfterHooks(engine, proposal.message, actor);
  // By user ID: the address may move to another account before the call continues.
  return {
    ...call,
    caller: { ...caller, userId: actor.id },
    parameters: { ...parameters, ...proposal.pinned, content },
  };
}

/**
 * Runs the operation in one transaction. Operations with the effects `manual` and `poll` open their own, and the first
 * one authorizes.
 */
function transacted(work: typeof run): Perform {
  return (call) => {
    const { engine, services = engine, operation, caller, parameters, transact, repeatable } = call;
    const { effect } = operation;
    const extent = operation.extent?.(parameters);
    if (effect === 'manual' || effect === 'poll') {
      const { first, isDryRun } = call;
      const context = manualContext(services, caller, transact, { extent, first, repeatable, isDryRun });
      return work(context, call).finally(async () => {
        // It may refuse before its first transaction, which only a caller who is authorized may learn.
        if (!context.isCallerChecked) await transact(caller, 'read', async () => undefined);
      });
    }
    const inTransaction = (context: TransactionContext) => work(context, call);
    if (repeatable) return untilAnswered(() => transact(caller, effect, repeatable.once(inTransaction)));
    return transact(caller, effect, inTransaction, { extent });
  };
}

function run(context: TransactionContext | ManualContext, { operation, parameters }: Call): Promise<object> {
  return operation.run(context as never, parameters);
}
