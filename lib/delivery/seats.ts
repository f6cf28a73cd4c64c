import type { LoggedEvent } from '../storage/interface/event-log.ts';
import type { Organization } from '../storage/interface/organization.ts';
import type { EventQueue } from '../storage/interface/queues.ts';
import type { User } from '../storage/interface/users.ts';
import type { Recipient } from './batch.ts';

/** The place of a poll that was answered, kept for the one that follows it. */
export interface Seat extends Recipient {
  readonly queue: EventQueue;
  /** As it was let in, unchanged up to `usersVersion`. */
  readonly reader: User;
  readonly usersVersion: number;
  readonly organization: Organization;
  /** Place of the newest event that the client was given or has acknowledged. */
  readonly last: number;
  /** What came after that place. */
  readonly pending: readonly LoggedEvent[];
  /** When it was last polled, as `performance.now()` has it. */
  readonly since: number;
}

/** Milliseconds: clients poll again at once. */
const KEPT_MS = 10_000;
/** Events that a seat gathers; whoever is further behind looks at the log. */
const MAX_PENDING = 50;
const MAX_SEATS = 50_000;

/**
 * Seats of the queues whose polls this process has just answered. They are told of what comes as if they waited, so
 * that the next poll goes on where the last one ended, and neither reads the log nor is its caller looked up.
 */
export class Seats {
  readonly #seats = new Map<string, Seat>();

  of(queueId: string): Seat | undefined {
    return this.#seats.get(queueId);
  }

  /** Drops pending events up to the place that the client has acknowledged. */
  acknowledge(seat: Seat, seq: number): Seat {
    if (seq === seat.last) return seat;
    const kept = { ...seat, last: seq, pending: seat.pending.filter((event) => event.seq > seq) };
    this.#seats.set(seat.queue.id, kept);
    return kept;
  }

  all(): Iterable<Seat> {
    return this.#seats.values();
  }

  keep(seat: Seat): void {
    if (this.#seats.size >= MAX_SEATS) this.#seats.clear();
    this.#seats.set(seat.queue.id, seat);
  }

  leave(queueId: string): void {
    this.#seats.delete(queueId);
  }

  /** For those who have come too late to be told of something. */
  clear(): void {
    this.#seats.clear();
  }

  /** Gives up the seats that nobody has come back to. */
  sweep(): void {
    const before = performance.now() - KEPT_MS;
    for (const [queueId, { since }] of this.#seats) if (since < before) this.#seats.delete(queueId);
  }

  /** Gives up those of accounts that have changed. */
  dropChanged(changed: ReadonlyMap<number, number>): void {
    if (changed.size === 0) return;
    for (const [queueId, { reader }] of this.#seats) {
      if ((changed.get(reader.id) ?? 0) > reader.version) this.#seats.delete(queueId);
    }
  }

  /** All that remain have been told of the log up to a place, some of them of something that concerns them. */
  advance(
    place: Pick<Seat, 'seq' | 'usersVersion' | 'organization'>,
    deliveries: ReadonlyMap<Recipient, readonly LoggedEvent[]>,
  ): void {
    for (const [queueId, seat] of this.#seats) {
      const pending = [...seat.pending, ...(deliveries.get(seat) ?? [])];
      if (pending.length > MAX_PENDING) this.#seats.delete(queueId);
      else this.#seats.set(queueId, { ...seat, ...place, pending });
    }
  }
}
