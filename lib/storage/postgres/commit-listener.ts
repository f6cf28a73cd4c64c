import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { clockDifference } from '../../rules/clock-difference.ts';
import type { ForeignCommit } from '../interface/storage.ts';
import type { Keys } from './keys.ts';
import { LogWatch, type WatchedLog } from './log-watch.ts';
import { connect, discard, LIMITS, newClient, send } from './pool.ts';

const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 5_000;
/** Longest pause between two attempts of a storage to join a connection. */
const LAST_JOIN_MS = 1_000;
/** Interval of the check whether the connection still answers. A dead one is noticed within twice this time. */
const HEARTBEAT_MS = 5_000;
/** Timeout of a test notification in milliseconds. Through a pooler in transaction mode, none arrives. */
const ECHO_MS = 5_000;
/** Without notifications: milliseconds between two checks for commits, */
const POLL_MS = 500;
/** and until the next test. */
const DEAF_MS = 60_000;
const DEAF =
  'no notifications arrive through this address of PostgreSQL, which is usual for a pooler in transaction mode. Parlance now checks for commits of other processes twice a second. Set listenUrl, or listen_host and listen_port in the address, to the server itself';

/** An open storage. Storages of several schemas share the connection of a pool. */
interface Subscriber extends WatchedLog {
  ownId: string;
  /** Called with each new connection, before `onCommit`. */
  onConnect: () => Promise<void> | undefined;
}

const listeners = new WeakMap<pg.Pool, Map<string | undefined, CommitListener>>();

/** The listener of all storages with this pool and address. */
export function listenerOf(pool: pg.Pool, listenUrl: string | undefined): CommitListener {
  const ofPool = listeners.get(pool) ?? new Map<string | undefined, CommitListener>();
  const listener = ofPool.get(listenUrl) ?? new CommitListener(pool, listenUrl);
  listeners.set(pool, ofPool.set(listenUrl, listener));
  return listener;
}

/**
 * Listens for commits of other processes on its own connection, and reconnects when it breaks. A new connection counts
 * as a commit, since earlier ones may have been missed. The log is the truth and a notification is only a hint, so
 * `LogWatch` looks at the logs too.
 *
 * idle (no subscriber) -> connecting -> joining (subscribers join at any time) -> connecting after a loss -> idle.
 */
export class CommitListener {
  /** Compared with each new connection, and every 5 s to check that the connection answers. */
  readonly clock = new DatabaseClock();
  readonly #pool: pg.Pool;
  readonly #listenUrl: string | undefined;
  readonly #subscribers = new Set<Subscriber>();
  #client: pg.Client | undefined;
  #isJoinable = false;
  #hears = false;
  /** The last query: a client runs one at a time. */
  #turn: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #retryMs = FIRST_RETRY_MS;
  #polling: NodeJS.Timeout | undefined;
  readonly #watch: LogWatch;

  constructor(pool: pg.Pool, listenUrl: string | undefined) {
    this.#pool = pool;
    this.#listenUrl = listenUrl;
    this.#watch = new LogWatch(pool, this.#subscribers);
  }

  add(subscriber: Subscriber): void {
    this.#subscribers.add(subscriber);
    if (this.#subscribers.size === 1) {
      this.#watch.start();
      this.#start();
    } else if (this.#client && this.#isJoinable) void this.#join(this.#client, subscriber);
  }

  async remove(subscriber: Subscriber): Promise<void> {
    this.#subscribers.delete(subscriber);
    const client = this.#client;
    if (this.#subscribers.size > 0) {
      if (client && this.#isJoinable) await this.#leave(client, subscriber).catch(() => undefined);
      return;
    }
    this.#watch.stop();
    clearTimeout(this.#timer);
    clearInterval(this.#polling);
    this.#polling = this.#client = undefined;
    await client?.end().catch(() => undefined);
  }

  #start(): void {
    const client = newClient(this.#pool, this.#listenUrl);
    this.#client = client;
    this.#isJoinable = false;
    this.#turn = Promise.resolve();
    const lose = () => {
      client.end().catch(() => undefined);
      if (this.#client !== client) return;
      this.#client = undefined;
      this.#after(this.#retryMs * (0.5 + Math.random()), () => this.#start());
      this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS);
    };
    client.on('error', lose);
    client.on('end', lose);
    client.on('notification', ({ channel, payload }) => {
      for (const { keys, ownId, onCommit } of this.#subscribers) {
        const dueWork = channel === keys.dueWork;
        if (payload === ownId || (!dueWork && channel !== keys.commits)) continue;
        onCommit({ changes: !dueWork, dueWork });
      }
    });
    this.#listen(client, lose).catch(lose);
  }

  async #listen(client: pg.Client, lose: () => void): Promise<void> {
    await client.connect();
    // Listening must not keep the process alive.
    (client as pg.Client & { unref(): void }).unref();
    const hears = await this.#hearsItself(client);
    if (this.#client !== client) return;
    this.#hears = hears;
    if (hears) {
      clearInterval(this.#polling);
      this.#polling = undefined;
    } else this.#poll();
    await this.#measure(client);
    if (this.#client !== client) return;
    this.#retryMs = FIRST_RETRY_MS;
    this.#isJoinable = true;
    for (const subscriber of this.#subscribers) void this.#join(client, subscriber);
    if (hears) this.#heartbeat(client, lose);
    else this.#after(DEAF_MS, lose);
  }

  async #hearsItself(client: pg.Client): Promise<boolean> {
    const echo = `parlance_${randomUUID().replaceAll('-', '')}`;
    const heard = new Promise<boolean>((resolve) => {
      client.on('notification', ({ channel }) => channel === echo && resolve(true));
    });
    await this.#query(client, `LISTEN ${echo}`);
    const other = await connect(this.#pool, { limit: LIMITS.answer });
    await send(other, `NOTIFY ${echo}`).then(
      () => other.release(),
      (error) => {
        discard(other);
        throw error;
      },
    );
    let timer: NodeJS.Timeout | undefined;
    const never = new Promise<boolean>((resolve) => {
      timer = setTimeout(resolve, ECHO_MS, false).unref();
    });
    return Promise.race([heard, never]).finally(() => clearTimeout(timer));
  }

  /** Retries for this subscriber alone: a restore may hold its lock, or its schema no longer exists. */
  async #join(client: pg.Client, subscriber: Subscriber): Promise<void> {
    const { keys } = subscriber;
    const isWanted = () => this.#client === client && this.#subscribers.has(subscriber);
    let isReady = false;
    for (let pauseMs = FIRST_RETRY_MS; isWanted(); pauseMs = Math.min(pauseMs * 2, LAST_JOIN_MS)) {
      try {
        if (!isReady) await this.#query(client, `LISTEN ${keys.commits}; LISTEN ${keys.dueWork}`);
        // The lock shows that a process uses the database. During a restore, it waits for the end of the restore.
        // Not through a pooler, which would pass the connection with the lock to other clients.
        isReady ||= !this.#hears || (await this.#takeLock(client, keys));
        if (isReady) {
          await subscriber.onConnect();
          if (isWanted()) subscriber.onCommit({ changes: true, dueWork: true });
          return;
        }
      } catch {
        // If the connection is lost, the subscriber joins the next one.
      }
      await delay(pauseMs, undefined, { ref: false });
    }
    // It has left while it was joining.
    if (isReady && this.#client === client) await this.#leave(client, subscriber).catch(() => undefined);
  }

  async #takeLock(client: pg.Client, keys: Keys): Promise<boolean> {
    const { rows } = await this.#query(client, `SELECT pg_try_advisory_lock_shared(${keys.servers}) AS taken`);
    return rows[0]?.taken === true;
  }

  async #leave(client: pg.Client, { keys }: Subscriber): Promise<void> {
    const isShared = [...this.#subscribers].some((other) => other.keys.commits === keys.commits);
    if (!isShared) await this.#query(client, `UNLISTEN ${keys.commits}; UNLISTEN ${keys.dueWork}`);
    if (this.#hears) await this.#query(client, `SELECT pg_advisory_unlock_shared(${keys.servers})`);
  }

  #query(client: pg.Client, text: string): Promise<pg.QueryResult> {
    return this.#inTurn(() => client.query(text));
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  #poll(): void {
    if (this.#polling) return;
    const [first] = this.#subscribers;
    first?.onCommit({ changes: false, dueWork: false, warning: DEAF });
    this.#polling = setInterval(() => this.#tellAll({ changes: true, dueWork: true }), POLL_MS);
    this.#polling.unref();
  }

  async #measure(client: pg.Client): Promise<void> {
    const isChanged = await this.#inTurn(() => this.clock.measure(client));
    const warning = this.clock.nextWarning();
    const [first] = this.#subscribers;
    if (warning !== undefined) first?.onCommit({ changes: false, dueWork: false, warning });
    // With the new time, more work may be due.
    if (isChanged) this.#tellAll({ changes: false, dueWork: true });
  }

  #tellAll(commit: ForeignCommit): void {
    for (const { onCommit } of this.#subscribers) onCommit(commit);
  }

  #heartbeat(client: pg.Client, lose: () => void): void {
    this.#after(HEARTBEAT_MS, () => {
      const overdue = setTimeout(lose, HEARTBEAT_MS);
      overdue.unref();
      this.#measure(client)
        .then(() => {
          if (this.#client === client) this.#heartbeat(client, lose);
        }, lose)
        .finally(() => clearTimeout(overdue));
    });
  }

  #after(ms: number, then: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(then, ms);
    this.#timer.unref();
  }
}

/** Differences up to this many milliseconds may be noise of the measurement. */
const NOISE_MS = 50;
const TIME = 'SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS double precision) AS ms';

/** Times in milliseconds since the epoch: the database's, between two of this process. */
interface ClockMeasurement {
  sentMs: number;
  databaseMs: number;
  receivedMs: number;
}

/** The clock of the database, as an offset to the clock of this process. */
export class DatabaseClock {
  /** Milliseconds to add to `Date.now()` for the time of the database. */
  offsetMs = 0;
  #isReported = false;

  /** Asks the database for its time; returns whether the offset has changed. */
  async measure(client: pg.ClientBase): Promise<boolean> {
    const sentMs = Date.now();
    const { rows } = await client.query<{ ms: number }>(TIME);
    return this.apply({ sentMs, databaseMs: Number(rows[0]?.ms), receivedMs: Date.now() });
  }

  /**
   * Returns whether the offset has changed. The error of a measurement is at most half the round
   * trip. An offset within that error stays, so that time does not jump.
   */
  apply({ sentMs, databaseMs, receivedMs }: ClockMeasurement): boolean {
    const offsetMs = databaseMs - (sentMs + receivedMs) / 2;
    const errorMs = Math.max(NOISE_MS, (receivedMs - sentMs) / 2);
    if (Math.abs(offsetMs - this.offsetMs) <= errorMs) return false;
    this.offsetMs = Math.round(offsetMs);
    return true;
  }

  /** A warning for the operator, once each time that the clocks have come to differ by more than 5 s. */
  nextWarning(): string | undefined {
    const difference = clockDifference(this.offsetMs);
    const wasReported = this.#isReported;
    this.#isReported = difference !== undefined;
    if (difference === undefined || wasReported) return undefined;
    return `the clock of this machine is ${difference}; synchronize both machines with a time server, for example with chrony or systemd-timesyncd`;
  }
}
