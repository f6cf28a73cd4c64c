import type { EventDraft } from '../storage/interface/event-log.ts';
import type { AuthorizedCall } from './callers.ts';
import type { OutboxDraft, TransactionContext } from './context.ts';

/** Result of the work of one transaction. */
export interface Change<T> {
  value: T;
  context: TransactionContext;
  call: AuthorizedCall;
  events: EventDraft[];
  items: OutboxDraft[];
  /** Functions to run after the commit. */
  afterwards: (() => void)[];
}
