import type { ManualContext, TransactionContext } from '../viewer/context.ts';
import type { Call, Perform } from './call.ts';
import { untilAnswered } from './idempotency.ts';
import { manualContext } from './transaction-context.ts';

export type Run = (context: TransactionContext | ManualContext, call: Call) => Promise<object>;

/** Runs the operation in one transaction. Those with the effects `manual` and `poll` open their own, and the first one authorizes. */
export const transacted =
  (run: Run): Perform =>
  (call) => {
    const { engine, services = engine, operation, caller, parameters, transact, repeatable } = call;
    const { effect } = operation;
    const extent = operation.extent?.(parameters);
    if (effect === 'manual' || effect === 'poll') {
      const { first, isDryRun } = call;
      const context = manualContext(services, caller, transact, { extent, first, repeatable, isDryRun });
      return run(context, call).finally(async () => {
        // It may refuse before its first transaction, which only a caller who is authorized may learn.
        if (!context.isCallerChecked) await transact(caller, 'read', async () => undefined);
      });
    }
    const work = (context: TransactionContext) => run(context, call);
    if (repeatable) return untilAnswered(() => transact(caller, effect, repeatable.once(work)));
    return transact(caller, effect, work, { extent });
  };
