import type { OutboxItem } from '../storage/interface/outbox.ts';
import type { Transaction } from '../storage/interface/storage.ts';
import type { OutboxDraft, Services } from './context.ts';

/** A relay or a mail server bears so many at once; a slow one of them holds up only its own kind. */
const CONCURRENCY = 10;

/** Thrown by `perform` where trying again would not help: the item is given up at once. */
export class Hopeless extends Error {}

/** What tells an item from all others, whenever it is tried, and this attempt from others. */
export type OutboxAttempt = Pick<OutboxItem, 'id' | 'created_ms' | 'attempts'>;

/** What became of an item. */
export interface OutboxOutcome<P extends object> {
  payload: P;
  /** Why it was tried in vain; absent when it is done. */
  error?: string;
  isGivenUp: boolean;
}

interface OutboxOptions<P extends object> {
  /** Items of this kind that a process works on at a time. Default 10. */
  concurrency?: number;
  /**
   * Milliseconds after which an item is tried for the last time, once an hour at least until then. Without it, it is tried
   * a few times, later and later.
   */
  retryForMs?: number;
  /**
   * Does the side effect. What it throws is tried again, later and later, and at last given up with the reason kept;
   * a process that dies in the middle leaves it to be done once more.
   */
  perform(services: Services, payload: P, item: OutboxAttempt): Promise<void>;
  /** Keeps what became of items, in the transaction that writes it into the outbox. */
  noteOutcomes?(tx: Transaction, outcomes: readonly OutboxOutcome<P>[]): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: the widest kind must accept every payload
export interface OutboxKind<P extends object = any> extends OutboxOptions<P> {
  (payload: P, due?: { due_ms: number }): OutboxDraft;
  readonly kind: string;
  concurrency: number;
}

/**
 * Declares a kind of side effect that leaves the process. Calling it makes an item for `enqueue`, which is
 * committed together with the change that asked for it.
 * @example enqueue(sendEmail({ to: 'ada@example.com', subject: 'Welcome', text: '…' }));
 */
export function defineOutboxKind<P extends object>(kind: string, options: OutboxOptions<P>): OutboxKind<P> {
  const make = (payload: P, due = {}) => ({ kind, payload: payload as Record<string, unknown>, ...due });
  return Object.assign(make, { concurrency: CONCURRENCY, ...options, kind });
}
