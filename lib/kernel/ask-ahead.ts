import type { Ahead } from '../storage/interface/storage.ts';
import type { Caller } from './callers.ts';
import type { Operation } from './operation.ts';

/** Queries that `run` will send for any caller. Undefined for a call whose parameters are refused. */
export function aheadOf(
  { ahead }: Pick<Operation, 'ahead'>,
  { userId }: Pick<Caller, 'userId'>,
  parameters: Record<string, unknown> | undefined,
): Ahead | undefined {
  if (!ahead || !parameters || typeof userId !== 'number') return undefined;
  return (tx) => ahead(tx, parameters, userId);
}

/** What one transaction asks ahead, where its storage wants to know. */
export class AskAhead {
  /** It was asked, and so the call is at work before its first answer comes. */
  hasAsked = false;

  constructor(private readonly ahead: Ahead | undefined) {}

  readonly ask: Ahead = (tx) => {
    const asked = this.ahead?.(tx) ?? [];
    this.hasAsked = asked.length > 0;
    return asked;
  };
}
