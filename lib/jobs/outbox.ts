import { type Email, UndeliverableEmail } from '../adapters/mail.ts';
import {
  type DueWork,
  defineOutboxKind,
  inBatches,
  type OutboxAttempt,
  type OutboxKind,
  type OutboxOutcome,
  PermanentFailure,
} from '../operation/feature.ts';
import { PLACEHOLDER_DOMAIN } from '../rules/names.ts';
import type { OutboxClaim, OutboxItem } from '../storage/interface/outbox.ts';
import type { Transaction } from '../storage/interface/storage.ts';
import type { Services } from '../viewer/context.ts';

/** An item without a result or a renewal in this time may be claimed again: its process has died. */
const LEASE_MS = 120_000;
/** Pause before each retry. After the last one, the item fails finally. */
const RETRY_AFTER_MS = [5_000, 30_000, 120_000, 600_000, 3_600_000, 6 * 3_600_000, 24 * 3_600_000];
/** Longest pause between two attempts of a kind with `retryForMs`. */
const LONGEST_WAIT_MS = 3_600_000;
/** Items per key that wait in memory for a place of their share. */
const MAX_WAITING = 200;
/** When further items of such a key are due again. */
const POSTPONED_MS = 5_000;
/** Stored characters of an error: some servers answer with a whole page. */
const LONGEST_REASON = 1_000;

interface Lease extends OutboxClaim {
  until: number;
}

/**
 * The items of one kind that this process works on. One transaction writes all results of the same turn, or of a commit.
 * It also claims new items: only as many as can start immediately.
 */
export class OutboxLane implements DueWork {
  readonly name: string;
  /** Leases of running items, by item ID. */
  readonly #leases = new Map<number, Lease>();
  /** Running items by key of the share, and the claimed items that wait for one of them to end. */
  readonly #running = new Map<number, number>();
  readonly #waiting = new Map<number, OutboxItem[]>();
  /** Results that are not written yet. */
  readonly #outcomes: OutboxOutcome[] = [];
  #isRunning = false;
  #mayBeDue = false;
  #wake: (() => void) | undefined;

  /** @param onLull called when all due items are claimed, to look up the next due time */
  constructor(
    private readonly services: Services,
    private readonly kind: OutboxKind,
    private readonly onLull: () => void,
  ) {
    this.name = `outbox: ${kind.kind}`;
  }

  async nextDue(tx: Transaction): Promise<number | undefined> {
    // A run that failed to write results leaves them here.
    if (this.#outcomes.length > 0 && !this.#isRunning) return this.services.clock.now();
    const renewals = [...this.#leases.values()].map(({ until }) => until - LEASE_MS / 2);
    const due = this.#room > 0 ? await tx.outbox.nextDue(this.kind.kind) : undefined;
    const times = due === undefined ? renewals : [...renewals, due];
    return times.length > 0 ? Math.min(...times) : undefined;
  }

  startMore(): void {
    this.#mayBeDue = true;
    this.#wake?.();
  }

  async run(_: Services, isStopping: () => boolean): Promise<number> {
    this.#isRunning = true;
    this.#mayBeDue = true;
    let done = 0;
    let failure: { error: unknown } | undefined;
    for (;;) {
      if (failure || isStopping()) this.#putBack();
      else this.#startWaiting();
      const wanted = this.#mayBeDue && !failure && !isStopping() ? this.#room : 0;
      if (!failure && (wanted > 0 || this.#outcomes.length > 0 || this.#renewals().length > 0)) {
        try {
          done += await this.#exchange(wanted);
        } catch (error) {
          failure = { error };
        }
      } else if (this.#leases.size > 0) {
        await this.#change();
      } else {
        this.#isRunning = false;
        if (failure) throw failure.error;
        return done;
      }
    }
  }

  get #room(): number {
    let waiting = 0;
    for (const items of this.#waiting.values()) waiting += items.length;
    return this.kind.concurrency - (this.#leases.size - waiting);
  }

  /** Writes results and claims items. Returns the number of written results. */
  async #exchange(wanted: number): Promise<number> {
    const { services, kind } = this;
    const outcomes = this.#outcomes.slice();
    const renewals = this.#renewals();
    const now = services.clock.now();
    const until = now + LEASE_MS;
    if (wanted > 0) this.#mayBeDue = false;
    const done = outcomes.flatMap(({ item, failure }) => (failure ? [] : [item.id]));
    const failed = outcomes.flatMap(({ item, failure }) => (failure ? [{ ...item, ...failure }] : []));
    const claimed = await services.storage.write(async (tx) => {
      const { outbox } = tx;
      await outbox.done(done);
      const recorded = new Set(await outbox.failed(failed, now));
      // Another process may have succeeded with an item after the lease of this one.
      const noted = outcomes.filter(({ item, failure }) => !failure || recorded.has(item.id));
      if (noted.length > 0) await kind.noteOutcomes?.(tx, noted);
      await outbox.renew(renewals, until);
      return wanted > 0 ? outbox.claimDue(kind.kind, now, until, wanted) : [];
    }, 'silent');
    this.#outcomes.splice(0, outcomes.length);
    for (const lease of renewals) lease.until = until;
    for (const item of claimed) {
      this.#leases.set(item.id, { id: item.id, attempts: item.attempts, until });
      this.#startOrWait(item);
    }
    if (wanted > 0 && claimed.length === wanted) this.#mayBeDue = true;
    if (!this.#mayBeDue) this.onLull();
    return outcomes.length;
  }

  #startOrWait(item: OutboxItem): void {
    const key = this.kind.share?.keyOf(item.payload);
    if (key === undefined || !this.#isFull(key)) return this.#start(item, key);
    const waiting = this.#waiting.get(key) ?? [];
    this.#waiting.set(key, waiting);
    if (waiting.length < MAX_WAITING) waiting.push(item);
    else this.#postpone(item, POSTPONED_MS);
  }

  #isFull(key: number): boolean {
    return (this.#running.get(key) ?? 0) >= (this.kind.share?.places ?? Number.POSITIVE_INFINITY);
  }

  #start(item: OutboxItem, key: number | undefined): void {
    if (key !== undefined) this.#running.set(key, (this.#running.get(key) ?? 0) + 1);
    void this.#attempt(item).then((outcome) => {
      const others = key === undefined ? 0 : (this.#running.get(key) ?? 1) - 1;
      if (key !== undefined && others > 0) this.#running.set(key, others);
      else if (key !== undefined) this.#running.delete(key);
      this.#end(outcome);
      this.#wake?.();
    });
  }

  #end(outcome: OutboxOutcome): void {
    this.#leases.delete(outcome.item.id);
    this.#outcomes.push(outcome);
  }

  #startWaiting(): void {
    for (const [key, items] of this.#waiting) {
      while (items.length > 0 && this.#room > 0 && !this.#isFull(key)) this.#start(items.shift() as OutboxItem, key);
      if (items.length === 0) this.#waiting.delete(key);
    }
  }

  /** Another process, or a later run, performs the items that wait. */
  #putBack(): void {
    for (const items of this.#waiting.values()) for (const item of items) this.#postpone(item, 0);
    this.#waiting.clear();
  }

  #postpone(item: OutboxItem, milliseconds: number): void {
    const due_ms = this.services.clock.now() + milliseconds;
    this.#end({ item, failure: { error: 'Waits for other items of its account.', due_ms } });
  }

  #renewals(): Lease[] {
    const soon = this.services.clock.now() + LEASE_MS / 2;
    return [...this.#leases.values()].filter(({ until }) => until <= soon);
  }

  async #attempt(item: OutboxItem): Promise<OutboxOutcome> {
    const { services, kind } = this;
    try {
      await kind.perform(services, item.payload, item);
      return { item };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const due_ms = error instanceof PermanentFailure ? null : this.#nextAttempt(item);
      services.logger.warn(
        { error, item: item.id, attempts: item.attempts },
        due_ms === null ? 'outbox item given up' : 'outbox item will be retried',
      );
      return { item, failure: { error: reason.slice(0, LONGEST_REASON), due_ms } };
    }
  }

  /** Time of the next attempt. null: no more attempts. */
  #nextAttempt({ attempts, created_ms }: OutboxItem): number | null {
    const now = this.services.clock.now();
    const { retryForMs } = this.kind;
    const wait = RETRY_AFTER_MS[attempts - 1];
    if (retryForMs === undefined) return wait === undefined ? null : now + wait;
    const last = created_ms + retryForMs;
    return now >= last ? null : Math.min(now + Math.min(wait ?? LONGEST_WAIT_MS, LONGEST_WAIT_MS), last);
  }

  /** Waits for a result or for new work, and then one more turn, to write results together. */
  async #change(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#wake = undefined;
    await new Promise(setImmediate);
  }
}

const KEEP_GIVEN_UP_MS = 30 * 24 * 3_600_000;
const ROWS_PER_TRANSACTION = 500;

/** Deletes items that failed finally, after a month. */
export const givenUpItems: DueWork = {
  name: 'given up items',
  isHousekeeping: true,
  async nextDue(tx) {
    const oldest = await tx.outbox.oldestGivenUp();
    return oldest === undefined ? undefined : oldest + KEEP_GIVEN_UP_MS;
  },
  async run({ storage, clock }, isStopping) {
    const until = clock.now() - KEEP_GIVEN_UP_MS;
    const remove = (tx: Transaction) => tx.outbox.removeGivenUp(until, ROWS_PER_TRANSACTION);
    return inBatches(ROWS_PER_TRANSACTION, isStopping, () => storage.write(remove, 'silent'));
  },
};

/** Each e-mail may open a connection, and mail servers limit the connections of one client. */
export const EMAILS_AT_ONCE = 5;

/** Sends an e-mail with the configured `mail`. */
export const sendEmail = defineOutboxKind<Email>('mail', {
  concurrency: EMAILS_AT_ONCE,
  isPredictable: true,
  perform: (services, email, attempt) => deliverEmail(services, email, attempt),
});

/** Sends an e-mail. All attempts have the same message ID. */
export async function deliverEmail({ options: { mail } }: Services, email: Email, item: OutboxAttempt): Promise<void> {
  // The address of an account whose user has none.
  if (email.to.endsWith(`@${PLACEHOLDER_DOMAIN}`)) return;
  if (!mail) throw new Error('no mail transport is configured: set the option mail of openChat');
  try {
    await mail.send({ id: `parlance.${item.created_ms}.${item.id}`, ...email });
  } catch (error) {
    throw error instanceof UndeliverableEmail ? new PermanentFailure(error.message) : error;
  }
}
