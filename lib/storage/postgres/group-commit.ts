import { present } from '../../base/present.ts';
import type { Semaphore } from '../semaphore.ts';
import type { Work } from '../sql/transaction.ts';
import { StorageError } from '../storage-error.ts';
import type { Transactions } from './transactions.ts';

const MAX_JOBS_PER_TRANSACTION = 256;
/** Concurrent groups: while one commits, the next reads. */
const MAX_CONCURRENT_GROUPS = 2;

/** Longest wait of a job for a group, in milliseconds. */
const LONGEST_WAIT = 10_000;

interface Job {
  work: Work<unknown>;
  /** When it was added (`performance.now()`). */
  since: number;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/**
 * Runs `append` writes that arrive together in one transaction, so that they share one fsync and one wait for the lock of
 * the log. If one fails after it has written, the group is rolled back and each job runs again in its own transaction.
 */
export class GroupCommit {
  readonly #transactions: Transactions;
  readonly #writers: Semaphore;
  readonly #jobs: Job[] = [];
  #expiry: NodeJS.Timeout | undefined;
  /** Committed transactions and their jobs. */
  readonly done = { groups: 0, writes: 0 };
  #groups = 0;
  /** The last group used outdated versions, so the next one waits for the answer. */
  #isMistaken = false;

  constructor(transactions: Transactions, writers: Semaphore) {
    this.#transactions = transactions;
    this.#writers = writers;
  }

  /** Resolves after the commit. */
  add<T>(work: Work<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const since = performance.now();
      this.#jobs.push({ work, since, resolve: resolve as (value: unknown) => void, reject });
      this.#expiry ??= setTimeout(() => this.#expire(), LONGEST_WAIT);
      this.#schedule();
    });
  }

  /** Rejects work that waited longer than `LONGEST_WAIT`. */
  #expire(): void {
    const before = performance.now() - LONGEST_WAIT;
    const overdue = this.#jobs.findIndex(({ since }) => since > before);
    for (const job of this.#jobs.splice(0, overdue === -1 ? this.#jobs.length : overdue)) {
      job.reject(new StorageError('Earlier writes take too long. This write was not executed. Retry later.', 'busy'));
    }
    const [oldest] = this.#jobs;
    this.#expiry = oldest && setTimeout(() => this.#expire(), oldest.since - before);
  }

  #schedule(): void {
    if (this.#groups === MAX_CONCURRENT_GROUPS || this.#jobs.length === 0) return;
    this.#groups++;
    setImmediate(() => void this.#flush());
  }

  async #flush(): Promise<void> {
    await this.#writers.run(() => {
      const jobs = this.#jobs.splice(0, MAX_JOBS_PER_TRANSACTION);
      if (this.#jobs.length === 0) {
        clearTimeout(this.#expiry);
        this.#expiry = undefined;
      }
      return this.#commit(jobs);
    });
    this.#groups--;
    this.#schedule();
  }

  async #commit(jobs: readonly Job[]): Promise<void> {
    if (jobs.length === 0) return;
    try {
      const works = jobs.map(({ work }) => work);
      const { outcomes, isCommitted, isMistaken } = await this.#transactions.group(works, {
        mayForesee: !this.#isMistaken,
      });
      this.#isMistaken = isMistaken;
      if (isMistaken) {
        this.#jobs.unshift(...jobs);
        return;
      }
      if (isCommitted) {
        this.done.groups++;
        this.done.writes += jobs.length;
      }
      outcomes.forEach((outcome, at) => {
        const job = present(jobs[at]);
        if ('error' in outcome && (isCommitted || isStalled(outcome.error))) job.reject(outcome.error);
        else if ('value' in outcome && isCommitted) job.resolve(outcome.value);
        else this.#alone(job);
      });
    } catch (error) {
      for (const job of jobs) job.reject(error);
    }
  }

  #alone({ work, resolve, reject }: Job): void {
    this.#writers.run(() => this.#transactions.write('mark', work)).then(resolve, reject);
  }
}

const isStalled = (error: unknown) => error instanceof StorageError && error.reason === 'stalled';
