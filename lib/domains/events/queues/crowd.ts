import type { Services } from '../../../kernel/context.ts';
import type { Transaction } from '../../../storage/interface/storage.ts';

/** Queues of all accounts together. */
const MAX_QUEUES = 100_000;
/** Registrations of a process from one look at all queues to the next: to count them goes through them. */
const BETWEEN_LOOKS = 500;
/** More than come between two looks, so that it gets to the end of them. */
const MOST_ENDED = 1_000;

const registrations = new WeakMap<Services, number>();

/** Now and then, ends those that would end next where there are too many; returns which. */
export async function endCrowd(tx: Transaction, services: Services): Promise<string[]> {
  const count = (registrations.get(services) ?? 0) + 1;
  registrations.set(services, count);
  return count % BETWEEN_LOOKS === 0 ? tx.queues.removeCrowd(MAX_QUEUES, MOST_ENDED) : [];
}
