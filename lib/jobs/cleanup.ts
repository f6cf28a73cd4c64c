import type { Services } from '../access/context.ts';
import { type DueWork, inBatches } from '../operation/feature.ts';
import type { Transaction } from '../storage/interface/storage.ts';

const DAY_MS = 24 * 3_600_000;
const BETWEEN_MS = 3_600_000;
const KEPT = {
  done: { ms: 365 * DAY_MS, rows: 200_000 },
  refused: { ms: 30 * DAY_MS, rows: 20_000 },
} as const;
const ROWS_PER_TRANSACTION = 500;
const QUIETLY = { shared: true, silent: true } as const;

/** Time of the last cleanup in this process. It need not run every minute. */
const lookedAt = new WeakMap<Services, number>();

/** Deletes entries after a year. Refusals, which anyone can cause, are deleted after a month. */
export const auditLog: DueWork = {
  name: 'audit log',
  isHousekeeping: true,
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
      const trim = (tx: Transaction) => tx.audit.trim(what, now - ms, rows, ROWS_PER_TRANSACTION);
      removed += await inBatches(ROWS_PER_TRANSACTION, isStopping, () => services.storage.write(trim, QUIETLY));
    }
    return removed;
  },
};

const KEEP_GIVEN_UP_MS = 30 * 24 * 3_600_000;

export const givenUpItems: DueWork = {
  name: 'given up items',
  isHousekeeping: true,
  async nextDue(tx) {
    const oldest = await tx.outbox.oldestGivenUp();
    return oldest === undefined ? undefined : oldest + KEEP_GIVEN_UP_MS;
  },
  async run({ storage, clock }, isStopping) {
    const until = clock.now() - KEEP_GIVEN_UP_MS;
    const remove = (tx: Transaction) => tx.outbox.removeGivenUp(until, ROWS_PER_TRANSACTION);
    return inBatches(ROWS_PER_TRANSACTION, isStopping, () => storage.write(remove, QUIETLY));
  },
};
