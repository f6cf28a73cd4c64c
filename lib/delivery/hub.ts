import type { Audience, LoggedEvent } from '../kernel/event.ts';
import type { Logger } from '../ports/logger.ts';
import type { Storage } from '../storage/storage.ts';
import { MovedMessages } from './moved-messages.ts';

/** Why a waiting poll came back: events, or something happened that makes it look at the log again or answer. */
export type Wakeup = readonly LoggedEvent[] | 'look again' | 'superseded' | 'heartbeat' | 'aborted';

interface Waiter {
  readonly queueId: string;
  readonly userId: number;
  readonly isGuest: boolean;
  /** Also wants the messages of public channels it is not subscribed to. */
  readonly allPublic: boolean;
  /** The log has been searched for this waiter up to here. */
  readonly seq: number;
  readonly accepts: (event: LoggedEvent) => boolean;
  readonly finish: (wakeup: Wakeup) => void;
}

/** How many events one look at the log takes. */
const BATCH = 1_000;

/**
 * Wakes the polls of this process. After a commit (here or elsewhere) the new part of the log is read
 * once for all waiting polls, not once for each.
 */
export class EventHub {
  readonly moved = new MovedMessages();
  readonly #waiting = new Map<string, Waiter>();
  /** Arrived while a drain was under way: its view of the waiting users lacks them. */
  readonly #late = new Map<string, Waiter>();
  #notices = 0;
  #position = 0;
  /** Of the accounts, at that position. */
  #usersVersion = -1;
  #draining = false;
  #again = false;
  #scheduled = false;

  constructor(
    private readonly storage: Storage,
    private readonly logger: Logger,
  ) {}

  /** Polls held at the moment. */
  get waiting(): number {
    return this.#waiting.size + this.#late.size;
  }

  isWaiting(queueId: string): boolean {
    return this.#waiting.has(queueId) || this.#late.has(queueId);
  }

  /** How often commits have been noticed, whether anybody waited or not. */
  get notices(): number {
    return this.#notices;
  }

  /**
   * Waits until something after `seq` concerns the user. One poll a queue: a newer one ends it. `notices`
   * are those from before the caller looked at the log: a commit noticed since may be one it has not seen.
   */
  wait(
    poll: Omit<Waiter, 'finish'> & { notices: number; milliseconds: number; signal?: AbortSignal | undefined },
  ): Promise<Wakeup> {
    this.supersede(poll.queueId);
    if (poll.signal?.aborted) return Promise.resolve('aborted');
    if (this.#waiting.size === 0 && !this.#draining) this.#position = Math.max(this.#position, poll.seq);
    if (poll.seq < this.#position) return Promise.resolve('look again');
    return new Promise((resolve) => {
      const { signal } = poll;
      const finish = (wakeup: Wakeup) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        if (this.#waiting.get(poll.queueId) === waiter) this.#waiting.delete(poll.queueId);
        if (this.#late.get(poll.queueId) === waiter) this.#late.delete(poll.queueId);
        resolve(wakeup);
      };
      const abort = () => finish('aborted');
      const waiter: Waiter = {
        queueId: poll.queueId,
        userId: poll.userId,
        isGuest: poll.isGuest,
        allPublic: poll.allPublic,
        seq: poll.seq,
        accepts: poll.accepts,
        finish,
      };
      const timer = setTimeout(finish, poll.milliseconds, 'heartbeat');
      signal?.addEventListener('abort', abort);
      (this.#draining ? this.#late : this.#waiting).set(poll.queueId, waiter);
      if (poll.notices !== this.#notices) this.#schedule();
    });
  }

  /** Ends the poll that waits on this queue, if any. */
  supersede(queueId: string): void {
    (this.#waiting.get(queueId) ?? this.#late.get(queueId))?.finish('superseded');
  }

  /** Something may have been committed. */
  wake(): void {
    this.#notices++;
    this.#schedule();
  }

  #schedule(): void {
    if (this.#draining) {
      this.#again = true;
      return;
    }
    if (this.#scheduled || this.waiting === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      void this.#drain();
    });
  }

  /** Lets every poll go, for closing. */
  releaseAll(): void {
    for (const waiter of [...this.#waiting.values(), ...this.#late.values()]) waiter.finish('superseded');
  }

  async #drain(): Promise<void> {
    this.#draining = true;
    try {
      do {
        this.#again = false;
        if (await this.#deliverBatch()) this.#again = true;
        this.#admitLate();
      } while (this.#again && this.waiting > 0);
    } catch (error) {
      this.logger.error({ error }, 'reading the event log failed; waiting polls look again');
      for (const waiter of [...this.#waiting.values(), ...this.#late.values()]) waiter.finish('look again');
    } finally {
      this.#draining = false;
      this.#admitLate();
    }
  }

  #admitLate(): void {
    for (const [queueId, waiter] of this.#late) {
      if (waiter.seq < this.#position) waiter.finish('look again');
      else {
        this.#late.delete(queueId);
        this.#waiting.set(queueId, waiter);
      }
    }
  }

  /** Returns true when the batch was full and more may follow. */
  async #deliverBatch(): Promise<boolean> {
    if (this.#waiting.size === 0) return false;
    const { events, members, usersVersion } = await this.storage.read(async (tx) => {
      const events = await tx.events.since(this.#position, BATCH);
      const members = new Map<LoggedEvent, ReadonlySet<number>>();
      if (events.length === 0) return { events, members, usersVersion: this.#usersVersion };
      const usersVersion = (await tx.organization.versions())?.users_version ?? 0;
      const userIds = [...new Set([...this.#waiting.values()].map((waiter) => waiter.userId))];
      for (const event of events) {
        const { channel } = event.audience;
        if (channel !== undefined) {
          members.set(event, new Set(await tx.subscriptions.subscribersAt(channel, event.seq, userIds)));
        }
      }
      return { events, members, usersVersion };
    });
    const last = events.at(-1);
    if (!last) return false;
    if (usersVersion !== this.#usersVersion) {
      // Some of those waiting may have lost their account, key or role meanwhile: each is let in afresh.
      this.#usersVersion = usersVersion;
      this.#position = last.seq;
      for (const waiter of [...this.#waiting.values()]) waiter.finish('look again');
      return events.length === BATCH;
    }
    const deliveries = new Map<Waiter, LoggedEvent[]>();
    const byUser = new Map<number, Waiter[]>();
    for (const waiter of this.#waiting.values()) {
      const same = byUser.get(waiter.userId);
      if (same) same.push(waiter);
      else byUser.set(waiter.userId, [waiter]);
    }
    const deliver = (event: LoggedEvent, waiter: Waiter) => {
      if (event.seq <= waiter.seq || event.audience.except?.includes(waiter.userId) || !waiter.accepts(event)) return;
      const delivery = deliveries.get(waiter);
      if (!delivery) deliveries.set(waiter, [event]);
      else if (delivery.at(-1) !== event) delivery.push(event);
    };
    for (const event of events) {
      const { scope, users } = event.audience;
      if (scope) {
        for (const waiter of this.#waiting.values()) {
          if (isInScope(waiter, scope)) deliver(event, waiter);
        }
      }
      for (const group of [members.get(event), users]) {
        if (group) for (const userId of group) for (const waiter of byUser.get(userId) ?? []) deliver(event, waiter);
      }
    }
    this.#position = last.seq;
    for (const [waiter, delivery] of deliveries) waiter.finish(delivery);
    return events.length === BATCH;
  }
}

function isInScope(waiter: Waiter, scope: NonNullable<Audience['scope']>): boolean {
  return scope === 'everyone' || (scope === 'members' ? !waiter.isGuest : waiter.allPublic);
}
