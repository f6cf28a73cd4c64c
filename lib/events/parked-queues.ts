import type { Organization } from '../model/organization.ts';
import type { User } from '../model/users.ts';
import type { LoggedEvent } from '../storage/interface/events.ts';
import type { EventQueue } from '../storage/interface/queues.ts';
import type { Recipient } from './batch.ts';

export interface Seat extends Recipient {
  readonly queue: EventQueue;
  /** The authorized account, current up to `usersVersion`. */
  readonly reader: User;
  readonly usersVersion: number;
  readonly organization: Organization;
  /** Position of the newest event that the client has received or acknowledged. */
  readonly last: number;
  readonly pending: readonly LoggedEvent[];
  /** Time of the last poll (`performance.now()`). */
  readonly since: number;
}

const KEPT_MS = 10_000;
/** Events that a seat collects. A client with more reads the log. */
const MAX_PENDING = 50;
const MAX_SEATS = 50_000;

/** Seats of recently answered polls. The next poll continues there without reading the log. */
export class ParkedQueues {
  readonly #seats = new Map<string, Seat>();

  of(queueId: string): Seat | undefined {
    return this.#seats.get(queueId);
  }

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

  /** Call it if seats may have missed events. */
  clear(): void {
    this.#seats.clear();
  }

  sweep(): void {
    const before = performance.now() - KEPT_MS;
    for (const [queueId, { since }] of this.#seats) if (since < before) this.#seats.delete(queueId);
  }

  dropChanged(changed: ReadonlyMap<number, number>): void {
    if (changed.size === 0) return;
    for (const [queueId, { reader }] of this.#seats) {
      if ((changed.get(reader.id) ?? 0) > reader.version) this.#seats.delete(queueId);
    }
  }

  /** Advances all remaining seats to a position of the log, and adds the events that concern them. */
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
