import type pg from 'pg';
import type { ForeignCommit } from '../interface/storage.ts';
import type { Keys } from './keys.ts';

const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 5_000;
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

interface ListenerOptions {
  connect: () => pg.Client;
  keys: Keys;
  ownId: string;
  onCommit: (commit: ForeignCommit) => void;
  /** Called with each new connection, before `onCommit`. */
  onConnect: () => Promise<void> | undefined;
  /** Sends a notification with `ownId` over another connection. */
  announce: () => Promise<void> | undefined;
  /** Compares the clocks. Called with each new connection, and every 5 s to check that the connection answers. */
  measure: (client: pg.Client) => Promise<void>;
}

/**
 * Listens for commits of other processes on its own connection, and reconnects when it breaks. A new connection counts
 * as a commit, since earlier ones may have been missed.
 */
export class CommitListener {
  readonly #options: ListenerOptions;
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #retryMs = FIRST_RETRY_MS;
  #polling: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: ListenerOptions) {
    this.#options = options;
    this.#start(options.connect());
  }

  #start(client: pg.Client): void {
    this.#client = client;
    let lost = false;
    const lose = () => {
      if (lost) return;
      lost = true;
      client.end().catch(() => undefined);
      if (!this.#stopped) this.#retry();
    };
    client.on('error', lose);
    client.on('end', lose);
    client.on('notification', ({ channel, payload }) => {
      if (payload === this.#options.ownId) client.emit('echo');
      if (payload === this.#options.ownId || this.#stopped) return;
      const dueWork = channel === this.#options.keys.dueWork;
      this.#options.onCommit({ changes: !dueWork, dueWork });
    });
    this.#listen(client, lose).catch(lose);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    clearInterval(this.#polling);
    await this.#client?.end().catch(() => undefined);
  }

  async #listen(client: pg.Client, lose: () => void): Promise<void> {
    await client.connect();
    // Listening must not keep the process alive.
    (client as pg.Client & { unref(): void }).unref();
    await client.query(`LISTEN ${this.#options.keys.commits}; LISTEN ${this.#options.keys.dueWork}`);
    const hears = await this.#hearsItself(client);
    if (hears) {
      clearInterval(this.#polling);
      this.#polling = undefined;
      // The lock shows that a process uses the database. During a restore, it waits for the end of the restore.
      // Not through a pooler, which would pass the connection with the lock to other clients.
      await client.query(`SET lock_timeout = 0; SET statement_timeout = 0`);
      await client.query(`SELECT pg_advisory_lock_shared(${this.#options.keys.servers})`);
    } else this.#poll();
    await this.#options.onConnect();
    await this.#options.measure(client);
    if (this.#stopped) return;
    this.#retryMs = FIRST_RETRY_MS;
    this.#options.onCommit({ changes: true, dueWork: true });
    if (hears) this.#heartbeat(client, lose);
    else this.#after(DEAF_MS, lose);
  }

  async #hearsItself(client: pg.Client): Promise<boolean> {
    const heard = new Promise<boolean>((resolve) => client.once('echo' as 'end', () => resolve(true)));
    await this.#options.announce();
    let timer: NodeJS.Timeout | undefined;
    const never = new Promise<boolean>((resolve) => {
      timer = setTimeout(resolve, ECHO_MS, false).unref();
    });
    return Promise.race([heard, never]).finally(() => clearTimeout(timer));
  }

  #poll(): void {
    if (this.#polling || this.#stopped) return;
    this.#options.onCommit({ changes: false, dueWork: false, warning: DEAF });
    this.#polling = setInterval(() => this.#options.onCommit({ changes: true, dueWork: true }), POLL_MS);
    this.#polling.unref();
  }

  #heartbeat(client: pg.Client, lose: () => void): void {
    this.#after(HEARTBEAT_MS, () => {
      const overdue = setTimeout(lose, HEARTBEAT_MS);
      overdue.unref();
      this.#options
        .measure(client)
        .then(() => this.#client === client && !this.#stopped && this.#heartbeat(client, lose), lose)
        .finally(() => clearTimeout(overdue));
    });
  }

  #retry(): void {
    this.#after(this.#retryMs * (0.5 + Math.random()), () => this.#start(this.#options.connect()));
    this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS);
  }

  #after(ms: number, then: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(then, ms);
    this.#timer.unref();
  }
}
