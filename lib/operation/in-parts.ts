import type { AccountContext } from '../access/context.ts';
import { ChatError } from '../base/errors.ts';
import type { CancelSignal } from '../events/waiter.ts';

/** The context of a long call: a `ManualContext` of any access. */
export interface LongCall {
  transact<T>(effect: 'write' | 'mark', work: (context: AccountContext) => Promise<T>): Promise<T>;
  readonly signal: CancelSignal | undefined;
  readonly isDryRun: boolean;
}

export interface Progress {
  readonly isComplete: boolean;
}

interface PartsOptions<P extends Progress> {
  /** The progress of a call that has begun in another transaction. */
  begun?: P | undefined;
  /** Time in milliseconds after which no part begins. A call with this limit also stops when its client is gone. */
  maxMs?: number;
  /** A sentence for the error message if a later part fails, because the changes of earlier parts are kept. */
  describe?(done: P): string;
}

/**
 * Does a long call in several transactions, so that other writers get their turn in between. Most calls have one part.
 * Returns the progress after the last part.
 * @param doPart does the next part. It repeats all checks, because anything may have changed since the last part
 */
export async function inParts<P extends Progress>(
  { transact, signal }: LongCall,
  effect: 'write' | 'mark',
  doPart: (context: AccountContext, before: P | undefined) => Promise<P>,
  { begun, maxMs, describe }: PartsOptions<P> = {},
): Promise<P> {
  const end = maxMs === undefined ? undefined : performance.now() + maxMs;
  const isOver = () => end !== undefined && (performance.now() >= end || signal?.aborted === true);
  const next = async (before?: P) => {
    try {
      return await transact(effect, (context) => doPart(context, before));
    } catch (error) {
      if (before && describe && error instanceof ChatError) error.message = `${error.message} ${describe(before)}`;
      throw error;
    }
  };
  let done = begun ?? (await next());
  while (!done.isComplete && !isOver()) done = await next(done);
  return done;
}
