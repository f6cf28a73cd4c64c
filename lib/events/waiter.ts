import type { Organization } from '../model/organization.ts';
import type { User } from '../model/users.ts';
import type { LoggedEvent } from '../storage/interface/events.ts';
import type { EventQueue } from '../storage/interface/queues.ts';
import type { Recipient } from './batch.ts';

/** Signals that the client is gone: an `AbortSignal`, or the part of it that a poll needs. */
export interface Departure {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: DepartureListener): void;
  removeEventListener(type: 'abort', listener: DepartureListener): void;
}

/** A listener of an `EventTarget`. An object needs no closure. */
export type DepartureListener = (() => void) | { handleEvent(): void };

export interface Delivered {
  readonly events: readonly LoggedEvent[];
  readonly organization: Organization;
}

export type Wakeup = Delivered | 'look again' | 'superseded' | 'heartbeat' | 'aborted';

export interface Place extends Recipient {
  readonly queue: EventQueue;
  readonly reader: User;
  /** The account is current up to this version. */
  readonly usersVersion: number;
}

export interface Patience {
  readonly commitCount?: number | undefined;
  readonly milliseconds: number;
  readonly signal?: Departure | undefined;
}

/** A waiting poll. Keep it small: there are thousands, and every event creates new ones. */
export class Waiter implements Place {
  readonly queue: EventQueue;
  readonly reader: User;
  readonly usersVersion: number;
  readonly allPublic: boolean;
  readonly seq: number;
  readonly accepts: Place['accepts'];
  /** Timeout (`performance.now()`). */
  readonly until: number;
  #wake: ((wakeup: Wakeup) => void) | undefined;
  readonly #leave: (waiter: Waiter) => void;
  #signal: Departure | undefined;

  constructor(
    place: Place,
    { milliseconds, signal }: Patience,
    wake: (wakeup: Wakeup) => void,
    leave: (waiter: Waiter) => void,
  ) {
    this.queue = place.queue;
    this.reader = place.reader;
    this.usersVersion = place.usersVersion;
    this.allPublic = place.allPublic;
    this.seq = place.seq;
    this.accepts = place.accepts;
    this.#wake = wake;
    this.#leave = leave;
    this.until = performance.now() + milliseconds;
    this.#signal = signal;
    signal?.addEventListener('abort', this);
  }

  handleEvent(): void {
    this.finish('aborted');
  }

  /**
   * Clears its references. Until a full garbage collection, an old unreachable object keeps everything that it refers
   * to. With thousands of polls, this would double their memory.
   */
  finish(wakeup: Wakeup): void {
    const wake = this.#wake;
    this.#signal?.removeEventListener('abort', this);
    this.#leave(this);
    this.#wake = this.#signal = undefined;
    wake?.(wakeup);
  }
}

/** Shortest time between two checks, in milliseconds. */
const MIN_INTERVAL_MS = 100;

/** One timer for the timeouts of all polls, because few reach them. Times are those of `performance.now()`. */
export class Alarm {
  readonly #ring: (now: number) => number;
  #timer: NodeJS.Timeout | undefined;
  #at = Number.POSITIVE_INFINITY;

  /** @param ring ends the polls whose time is over, and returns the next time */
  constructor(ring: (now: number) => number) {
    this.#ring = ring;
  }

  /** Calls `ring` at this time, or up to `PAUSE` later. */
  set(at: number): void {
    if (at >= this.#at) return;
    clearTimeout(this.#timer);
    this.#at = at;
    this.#timer = setTimeout(() => this.#goOff(), Math.max(0, at - performance.now()));
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#at = Number.POSITIVE_INFINITY;
  }

  #goOff(): void {
    const now = performance.now();
    const next = this.#ring(now);
    this.stop();
    if (next < Number.POSITIVE_INFINITY) this.set(Math.max(next, now + MIN_INTERVAL_MS));
  }
}
