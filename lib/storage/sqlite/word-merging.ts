import type { Mutex } from '../semaphore.ts';
import type { SqliteConnection } from './connection.ts';

const INDEXES = ['message_words', 'topic_words'] as const;
/** Writes after which it is worth a look. */
const WRITES = 32;
/** Milliseconds between that many writes and the merge, in which more writes may come. */
const REST_MS = 1_000;
/** Pages of 4 kB put together at a time: about a millisecond, in which the event loop and other writers wait. */
const PAGES = 16;
/** Milliseconds between two merges, for the event loop and other writers. */
const PAUSE_MS = 10;

/**
 * The full text indexes get a part with every commit that adds words, and a search looks into all of them. Put
 * together here, little by little, they are few, and hardly ever does a sender have to do it.
 */
export class WordMerging {
  readonly #writer: SqliteConnection;
  readonly #mutex: Mutex;
  /** The setting of the connection, put back after each merge: a power failure may take a merge, and nothing else. */
  readonly #synchronous: unknown;
  #writes = 0;
  #timer: NodeJS.Timeout | undefined;
  #underWay: Promise<void> | undefined;
  #pause: { timer: NodeJS.Timeout; end(): void } | undefined;
  /** Somebody waits for it, so it keeps the process alive. */
  #isAwaited = false;
  #isStopped = false;

  constructor(writer: SqliteConnection, mutex: Mutex) {
    this.#writer = writer;
    this.#mutex = mutex;
    this.#synchronous = writer.pragma('synchronous');
  }

  /** Something was written, maybe words. */
  note(): void {
    if (++this.#writes < WRITES || this.#timer || this.#underWay || this.#isStopped) return;
    this.#timer = setTimeout(() => void this.#begin().catch(() => undefined), REST_MS);
    this.#timer.unref();
  }

  /** Puts together what there is. */
  run(): Promise<void> {
    this.#isAwaited = true;
    this.#pause?.timer.ref();
    return this.#begin();
  }

  /** Begins no more; what is left is for the next time. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#pause?.end();
    await this.#underWay;
  }

  #begin(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#underWay ??= this.#mergeAll().finally(() => {
      this.#underWay = undefined;
      this.#isAwaited = false;
    });
    return this.#underWay;
  }

  async #mergeAll(): Promise<void> {
    this.#writes = 0;
    for (const index of INDEXES) {
      while (!this.#isStopped && (await this.#mutex.run(async () => this.#mergeSome(index)))) await this.#rest();
    }
  }

  async #rest(): Promise<void> {
    await new Promise<void>((end) => {
      const timer = setTimeout(end, PAUSE_MS);
      if (!this.#isAwaited) timer.unref();
      this.#pause = { timer, end };
    });
    this.#pause = undefined;
  }

  /** Whether there may be more. Another process that writes has precedence. */
  #mergeSome(index: (typeof INDEXES)[number]): boolean {
    const writer = this.#writer;
    try {
      // The merge itself need not wait for the disk: the next commit does, and takes the merge with it.
      writer.exec('PRAGMA synchronous = NORMAL');
      writer.exec(`INSERT INTO ${index} (${index}, rank) SELECT 'usermerge', 2
        WHERE NOT EXISTS (SELECT 1 FROM ${index}_config WHERE k = 'usermerge' AND v = 2)`);
      const before = Number(writer.value('SELECT total_changes()'));
      writer.exec(`INSERT INTO ${index} (${index}, rank) VALUES ('merge', ${PAGES})`);
      // FTS5 says by a second change that it has done something.
      return Number(writer.value('SELECT total_changes()')) - before >= 2;
    } catch {
      return false;
    } finally {
      writer.exec(`PRAGMA synchronous = ${this.#synchronous}`);
    }
  }
}
