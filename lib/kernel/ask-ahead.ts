import type { Ahead } from '../storage/interface/storage.ts';
import type { Caller } from './callers.ts';
import type { Operation } from './operation.ts';

/** What one call asks ahead, where its storage wants to know. */
export class AskAhead {
  /** It was asked, and so the call is at work before its first answer comes. */
  hasAsked = false;

  /** @param parameters as they are by then; nothing is asked for a call that will be refused for them */
  constructor(
    private readonly operation: Pick<Operation, 'ahead'>,
    private readonly caller: Pick<Caller, 'userId'>,
    private readonly parameters: () => Record<string, unknown> | undefined,
  ) {}

  readonly ask: Ahead = (tx) => {
    const { userId } = this.caller;
    const parameters = this.parameters();
    if (typeof userId !== 'number' || !parameters) return [];
    this.hasAsked = true;
    return this.operation.ahead?.(tx, parameters, userId) ?? [];
  };
}
