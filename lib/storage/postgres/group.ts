import { isDeepStrictEqual } from 'node:util';
import { codeOf } from '../../base/caught.ts';
import type { EventDraft } from '../interface/events.ts';
import type { Concurrency, Foresee } from '../sql/connection.ts';
import { events } from '../sql/events.ts';
import { JobConnection, type Work } from '../sql/transaction.ts';
import type { PostgresConnection } from './connection.ts';

type Outcome = { job: JobConnection } & ({ value: unknown } | { error: unknown });

interface Member {
  job: JobConnection;
  drafts: EventDraft[];
  /** Its position in the order of events is fixed. */
  hasPlace: boolean;
}

/**
 * `append` writes that run concurrently in one transaction. Writes that add a message wait until all others are done. Then
 * they take the lock of the log together, so it is held only briefly, however long one of them has read. The order of
 * events is consistent for every member: first those of writes without messages, then messages by ID.
 */
export class Group {
  readonly #connection: PostgresConnection;
  readonly #jobs: JobConnection[] = [];
  readonly #ordered: Member[] = [];
  readonly #versions: ForeseenVersions;
  readonly #waiting: { member: Member; go(): void }[] = [];
  #unfinished = 0;
  #isLocked = false;
  #nowMs = 0;

  constructor(connection: PostgresConnection, versions: ForeseenVersions) {
    this.#connection = connection;
    this.#versions = versions;
  }

  perform(works: readonly Work<unknown>[]): Promise<Outcome[]> {
    this.#unfinished = works.length;
    return Promise.all(works.map((work) => this.#performOne(work)));
  }

  /** Whether a statement may have changed data. */
  get hasChanges(): boolean {
    return this.#jobs.some(({ writes }) => writes > 0) || this.#ordered.some(({ drafts }) => drafts.length > 0);
  }

  /** Appends the events of the group in one statement. */
  appendEvents(): Promise<void> {
    const drafts = this.#ordered.flatMap((member) => member.drafts);
    return events.append(this.#connection, drafts, this.#nowMs);
  }

  async #performOne(work: Work<unknown>): Promise<Outcome> {
    const job = new JobConnection(this.#connection);
    this.#jobs.push(job);
    const member: Member = { job, drafts: [], hasPlace: false };
    job.concurrency = this.#concurrencyOf(member);
    job.foresee = (load, answered) => job.track(this.#versions.foresee(load, answered));
    job.check = () => this.#versions.check();
    try {
      const value = await job.perform(work);
      this.#place(member);
      return { job, value };
    } catch (error) {
      member.drafts = [];
      return { job, error };
    } finally {
      this.#unfinished--;
      this.#lockIfReady();
    }
  }

  #concurrencyOf(member: Member): Concurrency {
    const { job } = member;
    return {
      serializeAppends: () => (this.#isLocked ? undefined : job.track(this.#meet(member))),
      serializeReader: () => {
        // A lock of this transaction does not exclude the other members.
        throw new Error('An `append` write must not change the state of a reader.');
      },
      announceDueWork: () => this.#connection.concurrency.announceDueWork(),
      appendEvents: (drafts, nowMs) => {
        member.drafts.push(...drafts);
        this.#nowMs = Math.max(this.#nowMs, nowMs);
      },
    };
  }

  #place(member: Member): void {
    if (!member.hasPlace) this.#ordered.push(member);
    member.hasPlace = true;
  }

  #meet(member: Member): Promise<void> {
    return new Promise<void>((go) => {
      this.#waiting.push({ member, go });
      this.#lockIfReady();
    });
  }

  #lockIfReady(): void {
    if (this.#waiting.length === 0 || this.#waiting.length < this.#unfinished) return;
    if (!this.#isLocked) this.#connection.concurrency.serializeAppends();
    this.#isLocked = true;
    for (const { member, go } of this.#waiting.splice(0)) {
      this.#place(member);
      go();
    }
  }
}

/** Whether a job has failed after a write, or has broken the transaction: then the group must not commit. */
export function isSpoiled(outcome: Outcome): boolean {
  return 'error' in outcome && (outcome.job.isBroken || outcome.job.writes > 0);
}

/** Whether the server has refused the commit. After a broken connection, the result is unknown. */
export function isRefused(error: unknown): boolean {
  return /^(?!08|57)[0-9A-Z]{5}$/.test(codeOf(error) ?? '');
}

/** A transaction has used versions that are not those of the database: run it again. */
export class OutdatedVersions extends Error {}

/** The versions that the last transaction has read. Dropped when an exclusive write starts, which may change them. */
export class LatestVersions {
  #versions: unknown;
  #exclusive = 0;

  get(): unknown {
    return this.#exclusive > 0 ? undefined : this.#versions;
  }

  set(versions: unknown): void {
    this.#versions = versions;
  }

  /** Returns a function to call when the exclusive write has ended. */
  beginExclusive(): () => void {
    this.#exclusive++;
    return () => {
      this.#exclusive--;
      this.#versions = undefined;
    };
  }
}

/**
 * The versions that a shared write reads first. They are nearly always those of the previous transaction, so the work
 * continues with these, and the answer is compared before the commit. This saves a round trip.
 */
export class ForeseenVersions {
  readonly #latest: LatestVersions;
  readonly #expected: unknown;
  #answer: Promise<unknown> | undefined;
  isMistaken = false;

  constructor(latest: LatestVersions, { mayForesee }: { mayForesee: boolean }) {
    this.#latest = latest;
    this.#expected = mayForesee ? latest.get() : undefined;
  }

  /** Queries the database once for all members of a group. */
  readonly foresee: Foresee = async <T>(load: () => Promise<T>, answered?: () => void): Promise<T> => {
    this.#answer ??= this.#compare(load());
    this.#answer.then(answered, () => undefined);
    return (this.#expected ?? (await this.#answer)) as T;
  };

  /** Resolves when the database has answered. Throws OutdatedVersions if the versions differ. */
  async check(): Promise<void> {
    await this.#answer;
    if (this.isMistaken) throw new OutdatedVersions();
  }

  async #compare(answer: Promise<unknown>): Promise<unknown> {
    const found = await answer;
    this.#latest.set(found);
    this.isMistaken = this.#expected !== undefined && !isDeepStrictEqual(found, this.#expected);
    return found;
  }
}
