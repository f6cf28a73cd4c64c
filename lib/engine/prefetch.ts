import type { Operation } from '../operation/operation.ts';
import type { PrefetchedQueries } from '../storage/interface/storage.ts';
import type { Caller } from './callers.ts';

/** Queries that `run` will send for any caller. undefined for a call with invalid parameters. */
export function prefetchOf(
  { prefetch }: Pick<Operation, 'prefetch'>,
  { userId }: Pick<Caller, 'userId'>,
  parameters: Record<string, unknown> | undefined,
): PrefetchedQueries | undefined {
  if (!prefetch || !parameters || typeof userId !== 'number') return undefined;
  return (tx) => prefetch(tx, parameters, userId);
}

/** Queries that one transaction sends ahead, if its storage supports it. */
export class Prefetch {
  /** The storage has called `ask`: the call is working before its first answer arrives. */
  hasAsked = false;

  constructor(private readonly ahead: PrefetchedQueries | undefined) {}

  readonly ask: PrefetchedQueries = (tx) => {
    const asked = this.ahead?.(tx) ?? [];
    this.hasAsked = asked.length > 0;
    return asked;
  };
}
