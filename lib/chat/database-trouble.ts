import type { Logger } from '../adapters/logger.ts';
import { StorageError, type StorageErrorReason } from '../storage/storage-error.ts';
import { DISPLACED } from './metrics.ts';

/** Lasting problems. All other storage errors are defects, and each is logged. */
const LASTING_REASONS: readonly StorageErrorReason[] = ['unreachable', 'busy', 'full', 'io', 'read-only', 'outdated'];
/** Milliseconds between two checks. */
const CHECK_INTERVAL_MS = 2_000;
/** Milliseconds between two log lines during a problem. */
const LOG_INTERVAL_MS = 60_000;
/**
 * Milliseconds without a failure before a problem counts as over. A check only reads, so it does not prove that writes
 * work.
 */
const RECOVERED_AFTER_MS = 30_000;

const FILE_REPLACED = 'the database file was removed or replaced; new data will be lost';
const ADVICE = 'move the file back, or restart the server to use the file that is there now, or a restored backup';

interface Trouble {
  reason: StorageErrorReason;
  since: number;
  lastAt: number;
  loggedAt: number;
  failures: number;
  timer: NodeJS.Timeout;
}

/**
 * A log that groups database failures: a line at the beginning, a count every minute, and a line at the end. Otherwise
 * thousands of stack traces would hide when and why the problem began. The last line has the same level as the first,
 * so that a filter shows both.
 */
export class DatabaseTrouble implements Logger {
  #trouble: Trouble | undefined;
  #state: () => Promise<string> = async () => 'ok';
  #fileTimer: NodeJS.Timeout | undefined;

  constructor(private readonly inner: Logger) {}

  /** @param state returns `ok` if the database can be read, otherwise the problem */
  watch(state: () => Promise<string>): void {
    this.#state = state;
  }

  /** Logs when the file at the path is no longer the open database. */
  watchFile(path: string): void {
    let isGone = false;
    this.#fileTimer = setInterval(async () => {
      const wasGone = isGone;
      isGone = (await this.#state()) === DISPLACED;
      if (isGone && !wasGone) this.inner.error({ path, advice: ADVICE }, FILE_REPLACED);
      else if (!isGone && wasGone) this.inner.error({ path }, 'the database file is back');
    }, CHECK_INTERVAL_MS).unref();
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

  /** Whether the error is part of a lasting problem and needs no log line. */
  #isTold(data: object): boolean {
    const { error } = data as { error?: unknown };
    if (!(error instanceof StorageError) || !LASTING_REASONS.includes(error.reason)) return false;
    const now = performance.now();
    if (this.#trouble) {
      this.#trouble.failures++;
      this.#trouble.lastAt = now;
      return true;
    }
    const timer = setInterval(() => void this.#look(), CHECK_INTERVAL_MS).unref();
    this.#trouble = { reason: error.reason, since: now, lastAt: now, loggedAt: now, failures: 1, timer };
    this.inner.error({ reason: error.reason, cause: error.message }, 'the database cannot be used');
    return true;
  }

  async #look(): Promise<void> {
    const trouble = this.#trouble;
    if (!trouble) return;
    const doesAnswer = (await this.#state()) === 'ok';
    if (this.#trouble !== trouble) return;
    const now = performance.now();
    const { reason, failures, since } = trouble;
    const isProof = reason === 'unreachable' || now - trouble.lastAt >= RECOVERED_AFTER_MS;
    const facts = { reason, failures, seconds: Math.round((now - since) / 1000) };
    if (doesAnswer && isProof) {
      clearInterval(trouble.timer);
      this.#trouble = undefined;
      this.inner.error(facts, 'the database can be used again');
    } else if (now - trouble.loggedAt >= LOG_INTERVAL_MS) {
      trouble.loggedAt = now;
      this.inner.error(facts, 'the database still cannot be used');
    }
  }
}
