import type { Services } from '../access/context.ts';
import type { DueWork } from '../operation/feature.ts';

const DAY_MS = 24 * 3_600_000;
const BETWEEN_MS = 3_600_000;
/** Retention time and largest number of entries. */
const KEPT = {
  done: { ms: 365 * DAY_MS, rows: 200_000 },
  refused: { ms: 30 * DAY_MS, rows: 20_000 },
} as const;
/** Rows deleted per transaction. */
const ROWS_PER_TRANSACTION = 500;

/** Time of the last cleanup in this process. It need not run every minute. */
const lookedAt = new WeakMap<Services, number>();

/** Deletes entries after a year. Refusals, which anyone can cause, are deleted after a month. */
export const auditLog: DueWork = {
  name: 'audit log',
  async nextDue(tx, services) {
    if ((await tx.audit.list({ since: 0, limit: 1 })).length === 0) return undefined;
    const last = lookedAt.get(services);
    return last === undefined ? services.clock.now() : last + BETWEEN_MS;
  },
  async run(services, isStopping) {
    const now = services.clock.now();
    lookedAt.set(services, now);
    let removed = 0;
    for (const what of ['done', 'refused'] as const) {
      const { ms, rows } = KEPT[what];
      for (let last = ROWS_PER_TRANSACTION; last === ROWS_PER_TRANSACTION && !isStopping(); removed += last) {
        last = await services.storage.write((tx) => tx.audit.trim(what, now - ms, rows, ROWS_PER_TRANSACTION), {
          shared: true,
          silent: true,
        });
      }
    }
    return removed;
  },
};

const KEEP_GIVEN_UP_MS = 30 * 24 * 3_600_000;

/** Deletes finally failed outbox items after 30 days. */
export const givenUpItems: DueWork = {
  name: 'given up items',
  async nextDue(tx) {
    const oldest = await tx.outbox.oldestGivenUp();
    return oldest === undefined ? undefined : oldest + KEEP_GIVEN_UP_MS;
  },
  async run({ storage, clock }, isStopping) {
    const until = clock.now() - KEEP_GIVEN_UP_MS;
    let removed = 0;
    for (let last = ROWS_PER_TRANSACTION; last === ROWS_PER_TRANSACTION && !isStopping(); removed += last) {
      last = await storage.write((tx) => tx.outbox.removeGivenUp(until, ROWS_PER_TRANSACTION), {
        shared: true,
        silent: true,
      });
    }
    return removed;
  },
};
