import type { WriteContext } from '../../kernel/context.ts';

/** Runs the retention job after a retention time has changed, because messages may have expired. */
export async function lookForExpiredMessages({ tx, now, afterCommit, services }: WriteContext): Promise<void> {
  await tx.retention.setDue(now);
  afterCommit(() => services.rearm());
}
