import { ChatError } from '../base/errors.ts';
import type { ManualContext } from '../viewer/context.ts';
import type { Perform } from './call.ts';
import { manualContext } from './transaction-context.ts';

/** Runs what a feature has registered for a refusal (`refused`). The caller gets the refusal in any case. */
export const followedUp =
  (inner: Perform): Perform =>
  (call) => {
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
