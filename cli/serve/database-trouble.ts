import type { Logger } from '../../lib/index.ts';
import { StorageError } from '../../lib/index.ts';
import { DISPLACED, type StorageErrorReason } from '../../lib/internal.ts';

/** What goes on until somebody sees to it, or it passes; anything else is a defect and told each time. */
const LASTING: ReadonlySet<StorageErrorReason> = new Set([
  'unreachable',
  'busy',
  'full',
  'io',
  'read-only',
  'outdated',
]);
/** Milliseconds between two looks whether it is over. */
const BETWEEN_LOOKS = 2_000;
/** Milliseconds between two lines while it goes on. */
const BETWEEN_LINES = 60_000;
/** Milliseconds without a failure after which it is over, where a look, which only reads, does not prove it. */
const QUIET = 30_000;

const REPLACED = 'the file of the database was removed or replaced; what is written now will be lost';
const ADVICE =
  'move the file back to its place; or, to go on with what is there now or with a restored backup, restart the server';

interface Trouble {
  reason: StorageErrorReason;
  since: number;
  lastAt: number;
  toldAt: number;
  failures: number;
  timer: NodeJS.Timeout;
}

/**
 * A log in which trouble with the database is told once, counted every minute while it goes on, and told to be over:
 * each request and each look of the worker meets it, and a thousand traces would hide when and how it began. Its end is
 * told at the level of its beginning, so that whoever sees the one sees the other.
 */
export class DatabaseTrouble implements Logger {
  #trouble: Trouble | undefined;
  #state: () => Promise<string> = async () => 'ok';
  #fileTimer: NodeJS.Timeout | undefined;

  constructor(private readonly inner: Logger) {}

  /** @param state `ok` where the database can be read, else what is amiss */
  watch(state: () => Promise<string>): void {
    this.#state = state;
  }

  /** Tells when the file at the path is not the one that is served. */
  watchFile(path: string): void {
    let isGone = false;
    this.#fileTimer = setInterval(async () => {
      const wasGone = isGone;
      isGone = (await this.#state()) === DISPLACED;
      if (isGone && !wasGone) this.inner.error({ path, advice: ADVICE }, REPLACED);
      else if (!isGone && wasGone) this.inner.error({ path }, 'the file of the database is there again');
    }, BETWEEN_LOOKS).unref();
  }

  close(): void {
    clearInterval(this.#fileTimer);
    if (this.#trouble) clearInterval(this.#trouble.timer);
    this.#trouble = undefined;
  }

  debug(data: object, message: string): void {
    this.inner.debug(data, message);
  }

  info(data: object, message: string): void {
    this.inner.info(data, message);
  }

  warn(data: object, message: string): void {
    if (!this.#isTold(data)) this.inner.warn(data, message);
  }

  error(data: object, message: string): void {
    if (!this.#isTold(data)) this.inner.error(data, message);
  }

  /** Whether this needs no line of its own. */
  #isTold(data: object): boolean {
    const { error } = data as { error?: unknown };
    if (!(error instanceof StorageError) || !LASTING.has(error.reason)) return false;
    const now = performance.now();
    if (this.#trouble) {
      this.#trouble.failures++;
      this.#trouble.lastAt = now;
      return true;
    }
    const timer = setInterval(() => void this.#look(), BETWEEN_LOOKS).unref();
    this.#trouble = { reason: error.reason, since: now, lastAt: now, toldAt: now, failures: 1, timer };
    this.inner.error({ reason: error.reason, cause: error.message }, 'the database cannot be used');
    return true;
  }

  async #look(): Promise<void> {
    const trouble = this.#trouble;
    if (!trouble) return;
    const doesAnswer = (await this.#state()) === 'ok';
    if (this.#trouble !== trouble) return;
    const now = performance.now();
    const isProof = trouble.reason === 'unreachable' || now - trouble.lastAt >= QUIET;
    const told = {
      reason: trouble.reason,
      failures: trouble.failures,
      seconds: Math.round((now - trouble.since) / 1000),
    };
    if (doesAnswer && isProof) {
      clearInterval(trouble.timer);
      this.#trouble = undefined;
      this.inner.error(told, 'the database can be used again');
    } else if (now - trouble.toldAt >= BETWEEN_LINES) {
      trouble.toldAt = now;
      this.inner.error(told, 'the database still cannot be used');
    }
  }
}
