import type { Ahead } from '../storage/interface/storage.ts';
import type { Caller } from './callers.ts';
import type { Operation } from './operation.ts';

/** Queries that `run` will send for any caller. undefined for a call with invalid parameters. */
export function aheadOf(
  { ahead }: Pick<Operation, 'ahead'>,
  { userId }: Pick<Caller, 'userId'>,
  parameters: Record<string, unknown> | undefined,
): Ahead | undefined {
  if (!ahead || !parameters || typeof userId !== 'number') return undefined;
  return (tx) => ahead(tx, parameters, userId);
}

/** Queries that one transaction sends ahead, if its storage supports it. */
export class AskAhead {
  /** The storage has called `ask`: the call is working before its first answer arrives. */
  hasAsked = false;

  constructor(private readonly ahead: Ahead | undefined) {}

  readonly ask: Ahead = (tx) => {
    const asked = this.ahead?.(tx) ?? [];
    this.hasAsked = asked.length > 0;
    return asked;
  };
}
