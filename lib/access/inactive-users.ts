import type { ReadContext } from '../kernel/context.ts';

/** Accounts that are deactivated: permission values and lists of subscribers do not show them. */
export async function inactiveUserIds({ tx }: Pick<ReadContext, 'tx'>): Promise<ReadonlySet<number>> {
  return new Set(await tx.users.inactiveIds());
}
