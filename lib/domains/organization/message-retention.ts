import type { WriteContext } from '../../kernel/context.ts';

/** How long messages are kept has changed somewhere: they may have expired by that, or expire no more. */
export async function lookForExpiredMessages({ tx, now, afterCommit, services }: WriteContext): Promise<void> {
  await tx.retention.setDue(now);
  afterCommit(() => services.rearm());
}
