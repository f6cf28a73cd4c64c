import type { ReadContext } from '../kernel/context.ts';

/** IDs of deactivated accounts, which permission values and subscriber lists do not show. */
export async function inactiveUserIds({ tx }: Pick<ReadContext, 'tx'>): Promise<ReadonlySet<number>> {
  return new Set(await tx.users.inactiveIds());
}
