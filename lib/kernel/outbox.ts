import type { OutboxItem } from '../storage/interface/outbox.ts';
import type { Transaction } from '../storage/interface/storage.ts';
import type { OutboxDraft, Services } from './context.ts';

/** Default concurrency per kind. A slow server delays only items of its own kind. */
const ITEMS_PER_KIND_AT_A_TIME = 10;

/** Thrown by `perform` if a retry would not help: the item fails immediately and finally. */
export class PermanentFailure extends Error {}

/** Identifies an item (`id`, `created_ms`) and the attempt. */
export type OutboxAttempt = Pick<OutboxItem, 'id' | 'created_ms' | 'attempts'>;

/** Result of an attempt. */
export interface OutboxOutcome<P extends object> {
  payload: P;
  /** Error of a failed attempt. Absent on success. */
  error?: string;
  isGivenUp: boolean;
}

interface OutboxOptions<P extends object> {
  /** Concurrent items of this kind per process. Default 10. */
  concurrency?: number;
  /**
   * Time in milliseconds for which an item is retried, at least once an hour. Default: eight attempts with growing
   * pauses.
   */
  retryForMs?: number;
  /**
   * Executes the side effect. If it throws, it is retried later and finally given up, with the error stored. After a
   * crash it may run again.
   */
  perform(services: Services, payload: P, item: OutboxAttempt): Promise<void>;
  /** Called with results, in the transaction that writes them to the outbox. */
  noteOutcomes?(tx: Transaction, outcomes: readonly OutboxOutcome<P>[]): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: the widest kind must accept every payload
export interface OutboxKind<P extends object = any> extends OutboxOptions<P> {
  (payload: P, due?: { due_ms: number }): OutboxDraft;
  readonly kind: string;
  concurrency: number;
}

/**
 * Declares a kind of side effect. Call it to create an item for `enqueue`. The item is committed together with the
 * change.
 * @example enqueue(sendEmail({ to: 'ada@example.com', subject: 'Welcome', text: '…' }));
 */
export function defineOutboxKind<P extends object>(kind: string, options: OutboxOptions<P>): OutboxKind<P> {
  const make = (payload: P, due = {}) => ({ kind, payload: payload as Record<string, unknown>, ...due });
  return Object.assign(make, { concurrency: ITEMS_PER_KIND_AT_A_TIME, ...options, kind });
}
