import type { OutboxDraft, Services } from './context.ts';

/** A relay or a mail server bears so many at once; a slow one of them holds up only its own kind. */
const CONCURRENCY = 10;

interface OutboxOptions<P extends object> {
  /** Items of this kind that a process works on at a time. Default 10. */
  concurrency?: number;
  /**
   * Does it. What it throws is tried again, later and later, and at last given up with the reason kept;
   * a process that dies in the middle leaves it to be done once more.
   */
  perform(services: Services, payload: P): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: the widest kind must accept every payload
export interface OutboxKind<P extends object = any> extends Required<OutboxOptions<P>> {
  (payload: P, due?: { due_ms: number }): OutboxDraft;
  readonly kind: string;
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
