import type { EventDraft } from '../interface/event-log.ts';
import type { Concurrency } from '../sql/connection.ts';
import { SqlEvents } from '../sql/events.ts';
import type { PostgresConnection } from './connection.ts';
import type { ForeseenVersions } from './foreseen-versions.ts';
import { JobConnection, type Work } from './job-connection.ts';

export type Outcome = { job: JobConnection } & ({ value: unknown } | { error: unknown });

export interface GroupResult {
  outcomes: Outcome[];
  isCommitted: boolean;
  /** They went on with versions that are not those of the database. */
  isMistaken: boolean;
}

interface Member {
  job: JobConnection;
  drafts: EventDraft[];
  /** Has a place among those whose events are appended. */
  hasPlace: boolean;
}

/** Events of a transaction that are appended with its commit, all at once. */
export class CollectedEvents {
  readonly #drafts: EventDraft[] = [];
  #nowMs = 0;

  into(concurrency: Concurrency): Concurrency {
    return { ...concurrency, collectEvents: (drafts, nowMs) => this.add(drafts, nowMs) };
  }

  add(drafts: readonly EventDraft[], nowMs: number): void {
    this.#drafts.push(...drafts);
    this.#nowMs = Math.max(this.#nowMs, nowMs);
  }

  async append(connection: PostgresConnection): Promise<void> {
    if (this.#drafts.length > 0) await new SqlEvents(connection).append(this.#drafts, this.#nowMs);
  }
}

/**
 * Brief writes that share one transaction and are done side by side in it. Those that add a message wait
 * until all others have done what they do, and then hold the lock of the log together: it is held for a
 * moment, however long one of them took to look around. So the events of a group are in an order that each
 * of it could have seen: first of those that added no message, then messages by their ids.
 */
export class Group {
  readonly #connection: PostgresConnection;
  readonly #told: Member[] = [];
  readonly #known = new Map<string, Promise<unknown>>();
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

  /** Appends what the group has told, all at once. */
  async appendEvents(): Promise<void> {
    const drafts = this.#told.flatMap((member) => member.drafts);
    if (drafts.length > 0) await new SqlEvents(this.#connection).append(drafts, this.#nowMs);
  }

  async #performOne(work: Work<unknown>): Promise<Outcome> {
    const job = new JobConnection(this.#connection);
    const member: Member = { job, drafts: [], hasPlace: false };
    job.concurrency = this.#concurrencyOf(member);
    job.once = (key, load) => {
      const found = (this.#known.get(key) as ReturnType<typeof load> | undefined) ?? load();
      this.#known.set(key, found);
      return job.track(found);
    };
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
        // The lock would not hold back the others of the group.
        throw new Error('What changes the state of a reader does not commit in a group.');
      },
      announceDueWork: () => this.#connection.concurrency.announceDueWork(),
      collectEvents: (drafts, nowMs) => {
        member.drafts.push(...drafts);
        this.#nowMs = Math.max(this.#nowMs, nowMs);
      },
    };
  }

  #place(member: Member): void {
    if (!member.hasPlace) this.#told.push(member);
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

/** Whether work has failed after it broke the transaction or wrote into it: then its group must not commit. */
export function isSpoiled(outcome: Outcome): boolean {
  return 'error' in outcome && (outcome.job.isBroken || outcome.job.writes > 0);
}

/** The server has said that nothing was committed; a connection that broke says nothing. */
export function isRefused(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^(?!08|57)[0-9A-Z]{5}$/.test(code);
}
