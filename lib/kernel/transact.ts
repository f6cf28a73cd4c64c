import type { ReadExtent } from '../storage/interface/storage.ts';
import type { Caller } from './callers.ts';
import type { TransactionContext } from './context.ts';
import type { Effect } from './operation.ts';

/** Does one piece of an operation's work in a transaction. */
export type Transact = <T>(
  caller: Caller,
  effect: Exclude<Effect, 'manual'>,
  work: (context: TransactionContext) => Promise<T>,
  /** How far the reads of a reading transaction may go. */
  extent?: ReadExtent,
) => Promise<T>;
