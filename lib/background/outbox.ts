import type { Services } from '../kernel/context.ts';
import type { DueWork } from '../kernel/due-work.ts';
import type { OutboxKind } from '../kernel/outbox.ts';
import type { OutboxItem } from '../storage/interface/outbox.ts';

/** An item not reported back within this time is taken up again: its process died. */
const LEASE_MS = 120_000;
/** Waits before each further attempt; after the last the item is given up with its reason. */
const RETRY_AFTER_MS = [5_000, 30_000, 120_000, 600_000, 3_600_000, 6 * 3_600_000, 24 * 3_600_000];

/** Side effects that leave the process: claimed, tried, retried with growing waits, given up with the reason kept. */
export function outboxOf(kinds: readonly OutboxKind[]): DueWork {
  const byName = new Map(kinds.map((one) => [one.kind, one]));
  return {
    name: 'outbox',
    nextDue: (tx) => tx.outbox.nextDue(),
    async run(services, isStopping) {
      let done = 0;
      // Whoever closes must not wait for everything that is due, only for what is under way.
      while (!isStopping()) {
        const now = services.clock.now();
        const due = await services.storage.read((tx) => tx.outbox.nextDue());
        if (due === undefined || due > now) break;
        // One at a time: of many, the last ones' leases would run out behind the slow ones before them.
        const [item] = await services.storage.write((tx) => tx.outbox.claimDue(now, now + LEASE_MS, 1));
        if (!item) break;
        await attempt(services, item, byName.get(item.kind));
        done++;
      }
      return done;
    },
  };
}

async function attempt(services: Services, item: OutboxItem, kind: OutboxKind | undefined): Promise<void> {
  try {
    if (!kind) throw new Error(`nothing here performs "${item.kind}"`);
    await kind.perform(services, item.payload);
    await services.storage.write((tx) => tx.outbox.done(item.id));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const wait = RETRY_AFTER_MS[item.attempts - 1];
    const dueMs = wait === undefined ? null : services.clock.now() + wait;
    services.logger.warn(
      { error, item: item.id, attempts: item.attempts },
      dueMs === null ? 'outbox item given up' : 'outbox item will be retried',
    );
    await services.storage.write((tx) => tx.outbox.failed(item.id, reason, dueMs));
  }
}
