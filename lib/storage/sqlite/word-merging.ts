import { setTimeout as pause } from 'node:timers/promises';
import type { Semaphore } from '../semaphore.ts';
import type { SqliteConnection } from './connection.ts';

const INDEXES = ['message_words', 'topic_words'] as const;
/** Writes before a merge starts. */
const WRITES_BETWEEN_CHECKS = 32;
/** Milliseconds between these writes and the merge. */
const REST_MS = 1_000;
/** Pages of 4 kB per merge step: about 1 ms, in which the event loop and other writers wait. */
const PAGES_PER_MERGE = 16;
/** Milliseconds between two merge steps, for the event loop and other writers. */
const PAUSE_MS = 10;

/**
 * Merges the segments of the FTS5 indexes in small steps. Every commit with words adds a segment, and a search reads
 * all of them. Without this, a sender would have to merge them.
 */
export class WordMerging {
  readonly #writer: SqliteConnection;
  readonly #mutex: Semaphore;
  /** Setting of the connection, restored after each merge: a power failure may lose a merge, but nothing else. */
  readonly #synchronous: unknown;
  readonly #stopping = new AbortController();
  #writes = 0;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  constructor(writer: SqliteConnection, mutex: Semaphore) {
    this.#writer = writer;
    this.#mutex = mutex;
    this.#synchronous = writer.pragma('synchronous');
  }

  /** Call it after a write, which may have added words. */
  countWrite(): void {
    if (++this.#writes < WRITES_BETWEEN_CHECKS || this.#timer || this.#running) return;
    this.#timer = setTimeout(() => void this.run(), REST_MS);
    this.#timer.unref();
  }

  /** Merges until nothing is left to merge. `whole`: into one segment, without the words of removed rows. */
  async run({ whole = false } = {}): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (whole) await this.#running;
    this.#running ??= this.#mergeAll(whole).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Starts no more merges. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #mergeAll(whole: boolean): Promise<void> {
    const { signal } = this.#stopping;
    this.#writes = 0;
    for (const index of INDEXES) {
      // A negative number begins to merge all segments into one. Later steps continue with it before they take new ones.
      if (whole) await this.#mutex.run(async () => this.#mergeSome(index, -PAGES_PER_MERGE));
      while (!signal.aborted && (await this.#mutex.run(async () => this.#mergeSome(index, PAGES_PER_MERGE)))) {
        await pause(PAUSE_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  /** Returns whether there may be more to merge. Gives way to a write of another process. */
  #mergeSome(index: (typeof INDEXES)[number], pages: number): boolean {
    const writer = this.#writer;
    try {
      // No fsync for the merge: the next commit includes it.
      writer.exec('PRAGMA synchronous = NORMAL');
      writer.exec(`INSERT INTO ${index} (${index}, rank) SELECT 'usermerge', 2
        WHERE NOT EXISTS (SELECT 1 FROM ${index}_config WHERE k = 'usermerge' AND v = 2)`);
      const before = Number(writer.scalar('SELECT total_changes()'));
      writer.exec(`INSERT INTO ${index} (${index}, rank) VALUES ('merge', ${pages})`);
      // FTS5 reports a second change if it has merged something.
      return Number(writer.scalar('SELECT total_changes()')) - before >= 2;
    } catch {
      return false;
    } finally {
      writer.exec(`PRAGMA synchronous = ${this.#synchronous}`);
    }
  }
}
