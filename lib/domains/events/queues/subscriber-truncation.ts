import type { Services } from '../../../kernel/context.ts';
import type { Transaction } from '../../../storage/interface/storage.ts';

/** Limit for the queues of all accounts together. */
const MAX_QUEUES = 100_000;
/** Registrations per process between two counts. A count reads all queues. */
const BETWEEN_LOOKS = 500;
/** Queues ended per count. More than `BETWEEN_LOOKS`, so that their number falls below the limit. */
const MOST_ENDED = 1_000;

const registrations = new WeakMap<Services, number>();

/** On every 500th registration: if there are too many queues, ends those that expire first. Returns their IDs. */
export async function endTruncatedQueues(tx: Transaction, services: Services): Promise<string[]> {
  const count = (registrations.get(services) ?? 0) + 1;
  registrations.set(services, count);
  return count % BETWEEN_LOOKS === 0 ? tx.queues.removeCrowd(MAX_QUEUES, MOST_ENDED) : [];
}
