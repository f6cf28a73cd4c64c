import type { Services } from '../../kernel/context.ts';
import type { DueWork } from '../../kernel/due-work.ts';
import { ChatError } from '../../kernel/errors.ts';
import type { Delivery, DeliveryStore } from '../../storage/interface/deliveries.ts';
import type { Transaction } from '../../storage/interface/storage.ts';
import { StorageError } from '../../storage/storage-error.ts';

/** Taken up together, and sent side by side: many share a transaction, and those of callers between them. */
const BATCH = 200;
/** Whatever a process claimed and did not send within this time is taken up again: it died. */
const LEASE_MS = 30_000;
const UNEXPECTED = 'Something went wrong inside the server.';

/** It was changed, deleted or taken up by another process since it was claimed, and is theirs now. */
class NotOursAnyMore extends Error {}

interface DeliveryWork<D extends Delivery> {
  name: string;
  store(tx: Transaction): DeliveryStore<D>;
  /** Sends one in a transaction of its own, in which it calls `take` before it writes. */
  send(services: Services, one: D, take: (tx: Transaction) => Promise<void>): Promise<void>;
  /** Notes that it is not sent, and tells whoever is concerned. */
  fail(services: Services, one: D, failure: string): Promise<void>;
}

/**
 * Work that sends what is due: each in one transaction with all that comes of it, so that it is sent once
 * whatever ends the process. One that is refused fails and keeps the reason; its neighbours never hear of it.
 */
export function deliveries<D extends Delivery>({ name, store, send, fail }: DeliveryWork<D>): DueWork {
  return {
    name,
    nextDue: (tx) => store(tx).nextDue(),
    async run(services, isStopping) {
      let done = 0;
      let next: Promise<D[]> | undefined = claim(services);
      while (next) {
        const claimed: D[] = await next;
        // Together with the sending of these, so that both are one wait for the disk.
        next = claimed.length === BATCH && !isStopping() ? claim(services) : undefined;
        const outcomes = await Promise.allSettled(claimed.map((one) => deliver(services, one)));
        for (const outcome of outcomes) if (outcome.status === 'fulfilled') done++;
        const broken = outcomes.find((outcome) => outcome.status === 'rejected');
        if (!broken) continue;
        // They are due again when their leases end, as those are that have just been claimed.
        await next?.catch(() => undefined);
        throw broken.reason;
      }
      return done;
    },
  };

  function claim({ storage, clock }: Services): Promise<D[]> {
    const now = clock.now();
    return storage.write((tx) => store(tx).claimDue(now, now + LEASE_MS, BATCH), { shared: true, silent: true });
  }

  async function deliver(services: Services, one: D): Promise<void> {
    const take = async (tx: Transaction) => {
      if (!(await store(tx).take(one))) throw new NotOursAnyMore();
    };
    try {
      await send(services, one, take);
    } catch (error) {
      if (error instanceof NotOursAnyMore) return;
      // The database is in trouble, not this one.
      if (error instanceof StorageError) throw error;
      if (!(error instanceof ChatError)) services.logger.error({ error, id: one.id }, `${name}: sending failed`);
      await fail(services, one, error instanceof ChatError ? error.message : UNEXPECTED);
    }
  }
}
