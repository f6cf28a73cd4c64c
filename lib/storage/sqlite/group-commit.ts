import type { Transaction } from '../interface/storage.ts';
import type { Semaphore } from '../semaphore.ts';
import { JobConnection } from '../sql/transaction.ts';
import type { SqliteConnection } from './connection.ts';
import { sqliteCode } from './errors.ts';

const MAX_JOBS_PER_TRANSACTION = 256;

interface Job {
  work(tx: Transaction): Promise<unknown>;
  /** Runs in a transaction of its own, which is rolled back. */
  isDryRun: boolean;
  /** When it was added (`performance.now()`). */
  since: number;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

type Outcome = { job: Job; value: unknown; failed: boolean; hasWritten: boolean };

/** A job has failed after it has written, so it cannot be undone alone. */
class NeedsSavepoints extends Error {}

interface GroupCommitOptions {
  writer: SqliteConnection;
  mutex: Semaphore;
  explain: (error: unknown, waitedMs: number) => unknown;
}

/**
 * Runs the jobs that arrive in one turn of the event loop in one transaction, so that they share one fsync.
 * States: idle -> scheduled (a job arrived) -> committing -> idle, or scheduled again if new jobs have arrived.
 */
export class GroupCommit {
  readonly #options: GroupCommitOptions;
  readonly #jobs: Job[] = [];
  /** Committed transactions and their jobs. */
  readonly done = { groups: 0, writes: 0 };
  /** Scheduled or committing. */
  #isActive = false;

  constructor(options: GroupCommitOptions) {
    this.#options = options;
  }

  /** Resolves after the commit. Jobs run in order of arrival. */
  add<T>(work: (tx: Transaction) => Promise<T>, { isDryRun = false } = {}): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const since = performance.now();
      this.#jobs.push({ work, isDryRun, since, resolve: resolve as (value: unknown) => void, reject });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isActive) return;
    this.#isActive = true;
    setImmediate(() => void this.#flush());
  }

  async #flush(): Promise<void> {
    await this.#options.mutex.run(() => this.#commit(this.#nextGroup()));
    this.#isActive = false;
    if (this.#jobs.length > 0) this.#schedule();
  }

  /** The jobs up to the next dry run, or one dry run. */
  #nextGroup(): Job[] {
    const at = this.#jobs.findIndex((job) => job.isDryRun);
    return this.#jobs.splice(
      0,
      at === -1 ? MAX_JOBS_PER_TRANSACTION : Math.min(MAX_JOBS_PER_TRANSACTION, Math.max(1, at)),
    );
  }

  async #commit(jobs: readonly Job[]): Promise<void> {
    let outcomes: Outcome[];
    try {
      outcomes = await this.#perform(jobs).catch((error: unknown) => {
        if (error instanceof NeedsSavepoints) return this.#perform(jobs, { withSavepoints: true });
        throw error;
      });
    } catch (error) {
      for (const job of jobs) this.#reject(job, error);
      return;
    }
    this.done.groups++;
    this.done.writes += jobs.length;
    for (const { job, value, failed } of outcomes) {
      if (failed) this.#reject(job, value);
      else job.resolve(value);
    }
  }

  #reject(job: Job, error: unknown): void {
    job.reject(this.#options.explain(error, performance.now() - job.since));
  }

  /**
   * The first attempt has no savepoints: each would cost 10 µs and write its own segment of the word index. A job that
   * fails before it writes needs no undo. If a job fails after a write, the whole group runs again with savepoints.
   */
  async #perform(jobs: readonly Job[], { withSavepoints = false } = {}): Promise<Outcome[]> {
    const { writer } = this.#options;
    const isAlone = jobs.length === 1;
    const perform = withSavepoints ? performInSavepoint : isAlone ? attempt : performPlainly;
    const outcomes: Outcome[] = [];
    try {
      await writer.beginWriting();
      for (const job of jobs) outcomes.push(await perform(job, writer));
      // `rollBack` ignores a transaction that has ended: after a full disk, the original error must be thrown.
      if (isAlone && (outcomes[0]?.failed || jobs[0]?.isDryRun)) writer.rollBack();
      else writer.control('COMMIT');
      return outcomes;
    } catch (error) {
      writer.rollBack();
      throw error;
    }
  }
}

async function attempt(job: Job, writer: SqliteConnection): Promise<Outcome> {
  const connection = new JobConnection(writer);
  const hasWritten = () => connection.writes > 0;
  return connection.perform(job.work).then(
    (value) => ({ job, value, failed: false, hasWritten: hasWritten() }),
    (error: unknown) => ({ job, value: error, failed: true, hasWritten: hasWritten() }),
  );
}

async function performPlainly(job: Job, writer: SqliteConnection): Promise<Outcome> {
  const outcome = await attempt(job, writer);
  // An error of SQLite may have ended the transaction, even without a write.
  if (outcome.failed && (outcome.hasWritten || sqliteCode(outcome.value) !== undefined)) throw new NeedsSavepoints();
  return outcome;
}

/** Throws only if the whole transaction is lost. */
async function performInSavepoint(job: Job, writer: SqliteConnection): Promise<Outcome> {
  writer.control('SAVEPOINT job');
  const outcome = await attempt(job, writer);
  if (outcome.failed) undo(writer, outcome.value);
  else writer.control('RELEASE job');
  return outcome;
}

/**
 * Undoes one job of a group.
 * @throws `reason` if it has ended the whole transaction, for example a full disk: then all jobs fail with it
 */
function undo(writer: SqliteConnection, reason: unknown): void {
  try {
    writer.control('ROLLBACK TO job');
    writer.control('RELEASE job');
  } catch {
    throw reason;
  }
}
