import type { Transaction } from '../interface/storage.ts';
import type { Mutex } from '../semaphore.ts';
import { openTransaction } from '../sql/transaction.ts';
import { stalled } from '../storage-error.ts';
import type { SqliteConnection } from './connection.ts';
import { retryWhileBusy, sqliteCode } from './errors.ts';

/** Most jobs that share a transaction. */
const GROUP = 256;

interface Job {
  work(tx: Transaction): Promise<unknown>;
  /** Has a transaction to itself, which is rolled back. */
  isRehearsal: boolean;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

type Outcome = { job: Job; value: unknown; failed: boolean };

/** A job has failed and cannot be undone alone. */
class NeedsSavepoints extends Error {}

/**
 * Lets the jobs that arrive in one turn of the event loop share a transaction, and so one wait for the disk:
 * idle -> scheduled (a job came) -> committing -> idle, or scheduled again for jobs that came meanwhile.
 */
export class GroupCommit {
  readonly #writer: SqliteConnection;
  readonly #mutex: Mutex;
  readonly #explain: (error: unknown) => unknown;
  readonly #jobs: Job[] = [];
  /** Of transactions that were committed, with as many jobs. */
  readonly done = { groups: 0, writes: 0 };
  /** Scheduled or committing. */
  #isActive = false;

  constructor(options: {
    writer: SqliteConnection;
    mutex: Mutex;
    explain: (error: unknown) => unknown;
  }) {
    this.#writer = options.writer;
    this.#mutex = options.mutex;
    this.#explain = options.explain;
  }

  /** Resolves after the commit. Jobs are done in the order in which they come. */
  add<T>(work: (tx: Transaction) => Promise<T>, { isRehearsal = false } = {}): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#jobs.push({ work, isRehearsal, resolve: resolve as (value: unknown) => void, reject });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isActive) return;
    this.#isActive = true;
    setImmediate(() => void this.#flush());
  }

  async #flush(): Promise<void> {
    await this.#mutex.run(() => this.#commit(this.#nextGroup()));
    this.#isActive = false;
    if (this.#jobs.length > 0) this.#schedule();
  }

  /** The jobs up to a rehearsal, or a rehearsal alone. */
  #nextGroup(): Job[] {
    const at = this.#jobs.findIndex((job) => job.isRehearsal);
    return this.#jobs.splice(0, at === -1 ? GROUP : Math.min(GROUP, Math.max(1, at)));
  }

  async #commit(jobs: readonly Job[]): Promise<void> {
    let outcomes: Outcome[];
    try {
      outcomes = await this.#perform(jobs, false).catch((error: unknown) => {
        if (error instanceof NeedsSavepoints) return this.#perform(jobs, true);
        throw error;
      });
    } catch (error) {
      const reason = this.#explain(error);
      for (const job of jobs) job.reject(reason);
      return;
    }
    this.done.groups++;
    this.done.writes += jobs.length;
    for (const { job, value, failed } of outcomes) {
      if (failed) job.reject(this.#explain(value));
      else job.resolve(value);
    }
  }

  /**
   * Failures are rare and a savepoint for each job is dear, so at first there is none. A job that fails
   * before it has written leaves nothing to undo; where one has, the whole group is done again with savepoints.
   */
  async #perform(jobs: readonly Job[], withSavepoints: boolean): Promise<Outcome[]> {
    const isAlone = jobs.length === 1;
    const perform = withSavepoints ? performInSavepoint : isAlone ? attempt : performPlainly;
    const outcomes: Outcome[] = [];
    try {
      await retryWhileBusy(async () => this.#writer.control('BEGIN IMMEDIATE'));
      for (const job of jobs) outcomes.push(await perform(job, this.#writer));
      // A full disk and its like have ended the transaction already: that is no reason to hide them.
      if (isAlone && (outcomes[0]?.failed || jobs[0]?.isRehearsal)) this.#writer.rollBack();
      else this.#writer.control('COMMIT');
      return outcomes;
    } catch (error) {
      this.#writer.rollBack();
      throw error;
    }
  }
}

/** What SQLite answers is there at once, so work that has not ended by the next turn of the event loop waits for something else. */
function attempt(job: Job, writer: SqliteConnection): Promise<Outcome> {
  const { tx, end } = openTransaction(writer);
  return new Promise<Outcome>((resolve) => {
    const settle = (value: unknown, failed: boolean) => {
      clearImmediate(overdue);
      end();
      resolve({ job, value, failed });
    };
    const overdue = setImmediate(() => settle(stalled(), true));
    (async () => job.work(tx))().then(
      (value) => settle(value, false),
      (error) => settle(error, true),
    );
  });
}

async function performPlainly(job: Job, writer: SqliteConnection): Promise<Outcome> {
  const before = writer.writes;
  const outcome = await attempt(job, writer);
  // An error of SQLite itself may have ended the transaction.
  if (outcome.failed && (writer.writes !== before || sqliteCode(outcome.value) !== undefined)) {
    throw new NeedsSavepoints();
  }
  return outcome;
}

/** Throws only when the whole transaction is lost. */
async function performInSavepoint(job: Job, writer: SqliteConnection): Promise<Outcome> {
  writer.control('SAVEPOINT job');
  const outcome = await attempt(job, writer);
  if (outcome.failed) undo(writer, outcome.value);
  else writer.control('RELEASE job');
  return outcome;
}

/**
 * Undoes one job of a group.
 * @throws `reason` where it has ended the whole transaction, as a full disk does: then it is every job's error
 */
function undo(writer: SqliteConnection, reason: unknown): void {
  try {
    writer.control('ROLLBACK TO job');
    writer.control('RELEASE job');
  } catch {
    throw reason;
  }
}
