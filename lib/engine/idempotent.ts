import type { Call, Perform } from './call.ts';
import { hasHooks } from './hooked.ts';
import type { RepeatableCall } from './idempotency.ts';
import { fileParameter } from './parameters.ts';

/** Returns the stored answer of an earlier call with the same idempotency key. */
export const idempotent =
  (inner: Perform): Perform =>
  (call) =>
    call.parameters.idempotency_key === undefined ? inner(call) : performOnce(inner, call);

async function performOnce(inner: Perform, call: Call): Promise<object> {
  const { engine, operation, parameters, note } = call;
  const repeatable = (await engine.idempotencyKeys.callOf(operation, parameters)) as RepeatableCall;
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
