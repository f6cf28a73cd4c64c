import type { Reading } from '../storage/interface/storage.ts';
import type { Caller } from './callers.ts';
import type { TransactionContext } from './context.ts';
import type { Effect } from './operation.ts';

/** Runs a part of an operation in a transaction. */
export type Transact = <T>(
  caller: Caller,
  effect: Exclude<Effect, 'manual'>,
  work: (context: TransactionContext) => Promise<T>,
  reading?: Reading,
) => Promise<T>;
