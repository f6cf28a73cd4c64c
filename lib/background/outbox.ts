import type { Engine } from '../kernel/engine.ts';
import type { Letter } from '../ports/mail.ts';
import type { OutboxItem } from '../storage/storage.ts';
import type { DueWork } from './worker.ts';

/** An item not reported back within this time is taken up again: its process died. */
const LEASE_MS = 120_000;
/** Waits before each further attempt; after the last the item is given up with its reason. */
const RETRY_AFTER_MS = [5_000, 30_000, 120_000, 600_000, 3_600_000, 6 * 3_600_000, 24 * 3_600_000];

/** Side effects that leave the process: claimed, tried, retried with growing waits, given up with the reason kept. */
export const outbox: DueWork = {
  name: 'outbox',
  nextDue: (tx) => tx.outbox.nextDue(),
  async run(engine) {
    let done = 0;
    while (!engine.worker.isStopping) {
      const now = engine.clock.now();
      const due = await engine.storage.read((tx) => tx.outbox.nextDue());
      if (due === undefined || due > now) break;
      // One at a time: of many, the last ones' leases would run out behind the slow ones before them.
      const [item] = await engine.storage.write((tx) => tx.outbox.claimDue(now, now + LEASE_MS, 1));
      if (!item) break;
      await attempt(engine, item);
      done++;
    }
    return done;
  },
};

async function attempt(engine: Engine, item: OutboxItem): Promise<void> {
  try {
    await perform(engine, item);
    await engine.storage.write((tx) => tx.outbox.done(item.id));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const wait = RETRY_AFTER_MS[item.attempts - 1];
    const dueMs = wait === undefined ? null : engine.clock.now() + wait;
    engine.logger.warn(
      { error, item: item.id, attempts: item.attempts },
      dueMs === null ? 'outbox item given up' : 'outbox item will be retried',
    );
    await engine.storage.write((tx) => tx.outbox.failed(item.id, reason, dueMs));
  }
}

async function perform(engine: Engine, item: OutboxItem): Promise<void> {
  switch (item.kind) {
    case 'mail': {
      const { mail } = engine.options;
      if (!mail) throw new Error('no mail transport is configured');
      await mail.send(item.payload as unknown as Letter);
      return;
    }
    default:
      throw new Error(`nothing here performs "${item.kind}"`);
  }
}
