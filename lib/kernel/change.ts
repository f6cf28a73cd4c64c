import type { EventDraft } from '../storage/interface/event-log.ts';
import type { AuthorizedCall } from './callers.ts';
import type { OutboxDraft, TransactionContext } from './context.ts';

/** What the work of one transaction asks for beside its changes. */
export interface Change<T> {
  value: T;
  context: TransactionContext;
  /** As it was let in. */
  call: AuthorizedCall;
  events: EventDraft[];
  items: OutboxDraft[];
  /** What is done after the commit. */
  afterwards: (() => void)[];
}
