import type { LoggedEvent } from '../storage/interface/event-log.ts';
import type { Organization } from '../storage/interface/organization.ts';
import type { EventQueue } from '../storage/interface/queues.ts';
import type { User } from '../storage/interface/users.ts';
import type { Recipient } from './batch.ts';

/** Says when nobody waits for an answer any more: an `AbortSignal`, or as much of one as a poll needs. */
export interface Departure {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: DepartureListener): void;
  removeEventListener(type: 'abort', listener: DepartureListener): void;
}

/** As those of an `EventTarget`: an object needs no function of its own. */
export type DepartureListener = (() => void) | { handleEvent(): void };

/** Events, with the organization as it is by then. */
export interface Delivered {
  readonly events: readonly LoggedEvent[];
  readonly organization: Organization;
}

/** Why a waiting poll came back: events, or something happened that makes it look at the log again or answer. */
export type Wakeup = Delivered | 'look again' | 'superseded' | 'heartbeat' | 'aborted';

/** Whoever is to be told of what comes after a place of the log. */
export interface Place extends Recipient {
  readonly queue: EventQueue;
  readonly reader: User;
  /** The account was let in as of this version. */
  readonly usersVersion: number;
}

/** How a poll waits. */
export interface Patience {
  readonly commitCount?: number | undefined;
  readonly milliseconds: number;
  readonly signal?: Departure | undefined;
}

/** Whoever is told, once, why a poll came back. */
export interface Sleeper {
  woken(wakeup: Wakeup): void;
}

/** A poll that waits. It is small: there are thousands, and each of them is made anew with every event. */
export class Waiter implements Place {
  readonly queue: EventQueue;
  readonly reader: User;
  readonly usersVersion: number;
  readonly allPublic: boolean;
  readonly seq: number;
  readonly accepts: Place['accepts'];
  /** It waits no longer than this, as `performance.now()` has it. */
  readonly until: number;
  #sleeper: Sleeper | undefined;
  readonly #leave: (waiter: Waiter) => void;
  #signal: Departure | undefined;

  constructor(place: Place, { milliseconds, signal }: Patience, sleeper: Sleeper, leave: (waiter: Waiter) => void) {
    this.queue = place.queue;
    this.reader = place.reader;
    this.usersVersion = place.usersVersion;
    this.allPublic = place.allPublic;
    this.seq = place.seq;
    this.accepts = place.accepts;
    this.#sleeper = sleeper;
    this.#leave = leave;
    this.until = performance.now() + milliseconds;
    this.#signal = signal;
    signal?.addEventListener('abort', this);
  }

  /** Nobody waits for the answer any more. */
  handleEvent(): void {
    this.finish('aborted');
  }

  /**
   * It lets go of what waited with it. Until V8 goes through the whole heap, an object of some age that nobody needs any
   * more keeps all that it refers to, and with thousands of polls that is as much as they are.
   */
  finish(wakeup: Wakeup): void {
    const sleeper = this.#sleeper;
    this.#signal?.removeEventListener('abort', this);
    this.#leave(this);
    this.#sleeper = this.#signal = undefined;
    sleeper?.woken(wakeup);
  }
}
