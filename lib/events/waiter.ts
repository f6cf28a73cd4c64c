import type { Organization } from '../model/organization.ts';
import type { User } from '../model/users.ts';
import type { EventQueue, LoggedEvent, PublicFeed } from '../storage/interface/events.ts';

/** Signals that the client is gone: an `AbortSignal`, or the part of it that a poll needs. */
export interface CancelSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: CancelListener): void;
  removeEventListener(type: 'abort', listener: CancelListener): void;
}

/** A listener of an `EventTarget`. An object needs no closure. */
export type CancelListener = (() => void) | { handleEvent(): void };

export interface Delivered {
  readonly events: readonly LoggedEvent[];
  readonly organization: Organization;
}

export type Wakeup = Delivered | 'look again' | 'superseded' | 'heartbeat' | 'aborted';

/** Where the poll of a queue continues. */
export interface PollState {
  readonly queue: EventQueue;
  readonly reader: User;
  /** The account is current up to this version. */
  readonly usersVersion: number;
  readonly publicFeed: PublicFeed;
  /** The log has been searched up to this position. */
  readonly seq: number;
  accepts(event: LoggedEvent, organization: Organization): boolean;
}

export interface WaitOptions {
  readonly milliseconds: number;
  readonly signal?: CancelSignal | undefined;
}

/** Milliseconds. Two clients that poll the same queue would otherwise end each other's polls without a pause. */
const SUPERSEDED_MS = 1_000;

/** A waiting poll. Keep it small: there are thousands, and every event creates new ones. */
export class Waiter {
  #wake: ((wakeup: Wakeup) => void) | undefined;
  #signal: CancelSignal | undefined;
  #timer: NodeJS.Timeout;

  constructor(
    readonly poll: PollState,
    { milliseconds, signal }: WaitOptions,
    wake: (wakeup: Wakeup) => void,
    private readonly leave: (waiter: Waiter) => void,
  ) {
    this.#wake = wake;
    this.#timer = setTimeout(() => this.finish('heartbeat'), milliseconds);
    this.#signal = signal;
    signal?.addEventListener('abort', this);
  }

  handleEvent(): void {
    this.finish('aborted');
  }

  /** A newer poll of the queue gets the events from now on. */
  supersede(): void {
    clearTimeout(this.#timer);
    this.leave(this);
    this.#timer = setTimeout(() => this.finish('superseded'), SUPERSEDED_MS);
  }

  /**
   * Clears its references. Until a full garbage collection, an old unreachable object keeps everything that it refers
   * to. With thousands of polls, this would double their memory.
   */
  finish(wakeup: Wakeup): void {
    const wake = this.#wake;
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this);
    this.leave(this);
    this.#wake = this.#signal = undefined;
    wake?.(wakeup);
  }
}
