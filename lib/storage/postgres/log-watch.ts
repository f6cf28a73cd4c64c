import pg from 'pg';
import type { ForeignCommit } from '../interface/storage.ts';
import type { Keys } from './keys.ts';
import { connect, discard, LIMITS, reserveOf, send } from './pool.ts';

/** Milliseconds between two looks. With the time of an answer, a lost hint costs at most a second. */
const LOOK_MS = 900;
/** Each log of a statement takes two locks, and the server has a limited number of them. */
const MAX_LOGS_PER_STATEMENT = 100;

/**
 * The last position that each log gave, which costs microseconds and no planning. A writer takes a position before it
 * commits: so the end is NULL while a writer holds the lock of the log, and otherwise final.
 */
const ENDS = `
  SELECT CASE WHEN pg_try_advisory_xact_lock_shared(key) THEN pg_sequence_last_value(to_regclass(name)) END AS "end"
  FROM unnest(CAST($1 AS bigint[]), CAST($2 AS text[])) WITH ORDINALITY AS log (key, name, at) ORDER BY at`;

/** The event log of a schema. */
export interface WatchedLog {
  schema: string;
  keys: Keys;
  onCommit: (commit: ForeignCommit) => void;
  /** Whether a client or a listener waits for commits. */
  isAwaited: () => boolean;
}

/**
 * The log is the truth, and a notification is a hint that it has grown. A hint gets lost if its process ends between the
 * commit and the hint, or if the connection that listens has died silently. So each process looks at the ends of the
 * logs for which a client or a listener waits. If one has moved, it reports a commit. One statement serves all schemas
 * of a pool. It takes a connection of the pool, since the one that listens may be dead.
 */
export class LogWatch {
  readonly #pool: pg.Pool;
  readonly #logs: ReadonlySet<WatchedLog>;
  /** The ends at the last look. */
  readonly #ends = new WeakMap<WatchedLog, string>();
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;

  constructor(pool: pg.Pool, logs: ReadonlySet<WatchedLog>) {
    this.#pool = pool;
    this.#logs = logs;
  }

  start(): void {
    this.#timer = setInterval(() => void this.#look(), LOOK_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    // A server that does not answer gets no second look.
    if (this.#isLooking) return;
    this.#isLooking = true;
    const awaited = [...this.#logs].filter(({ isAwaited }) => isAwaited());
    for (let first = 0; first < awaited.length; first += MAX_LOGS_PER_STATEMENT) {
      await this.#lookAt(awaited.slice(first, first + MAX_LOGS_PER_STATEMENT));
    }
    this.#isLooking = false;
  }

  async #lookAt(logs: readonly WatchedLog[]): Promise<void> {
    try {
      const ends = await this.#endsOf(logs);
      logs.forEach((log, at) => {
        const end = ends[at] ?? null;
        if (end === null || end === this.#ends.get(log)) return;
        this.#ends.set(log, end);
        log.onCommit({ changes: true, dueWork: false });
      });
    } catch {
      // Requests report what is wrong with the server. The next look follows.
    }
  }

  async #endsOf(logs: readonly WatchedLog[]): Promise<(string | null)[]> {
    const client = await connect(this.#pool, { limit: LIMITS.answer, reserve: reserveOf(this.#pool) });
    try {
      const { rows } = await send(client, {
        text: ENDS,
        values: [
          logs.map(({ keys }) => keys.appends),
          logs.map(({ schema }) => `${pg.escapeIdentifier(schema)}.events_seq_seq`),
        ],
        rowMode: 'array',
      });
      client.release();
      return rows.map(([end]) => (end === null ? null : String(end)));
    } catch (error) {
      discard(client);
      throw error;
    }
  }
}
