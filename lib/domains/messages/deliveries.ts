import { BadRequest, ChatError } from '../../base/errors.ts';
import type { User } from '../../model/users.ts';
import { type DueWork, inBatches } from '../../operation/feature.ts';
import type { Delivery, DeliveryStore, Reminder } from '../../storage/interface/deliveries.ts';
import type { Transaction } from '../../storage/interface/storage.ts';
import { StorageError } from '../../storage/storage-error.ts';
import type { Services, WriteContext } from '../../viewer/context.ts';

/** Claimed together and sent concurrently, so that many share a transaction with each other and with requests. */
const DELIVERIES_PER_BATCH = 200;
/** A claim that is not sent within this time is claimed again, because the process has died. */
const LEASE_MS = 30_000;
const UNEXPECTED = 'Internal server error.';

/** The delivery was changed, deleted or claimed by another process since this process claimed it. */
class LeaseLost extends Error {}

interface DeliveryWork<D extends Delivery> {
  name: string;
  store(tx: Transaction): DeliveryStore<D>;
  /** Sends a delivery in its own transaction, in which it calls `take` before it writes. */
  send(services: Services, delivery: D, take: (tx: Transaction) => Promise<void>): Promise<void>;
  /** The user who gets a message or an event if the delivery fails. */
  ownerOf(delivery: D): number;
  /** Notifies the owner of a failed delivery. Not called for a deactivated user. */
  notify(context: WriteContext, owner: User, delivery: D, failure: string): Promise<void>;
}

/**
 * Background work that sends due messages. Each delivery and its effects are one transaction, so a crash cannot send it
 * twice. If a delivery fails, it keeps the reason and does not affect other deliveries.
 */
export function deliveries<D extends Delivery>({ name, store, send, ownerOf, notify }: DeliveryWork<D>): DueWork {
  return {
    name,
    nextDue: (tx) => store(tx).nextDue(),
    run: (services, isStopping) =>
      inBatches(DELIVERIES_PER_BATCH, isStopping, async () => {
        const now = services.clock.now();
        const claim = (tx: Transaction) => store(tx).claimDue(now, now + LEASE_MS, DELIVERIES_PER_BATCH);
        const claimed = await services.storage.write(claim, 'silent');
        const outcomes = await Promise.allSettled(claimed.map((delivery) => deliver(services, delivery)));
        // These deliveries become due again when their leases end.
        for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
        return claimed.length;
      }),
  };

  async function deliver(services: Services, delivery: D): Promise<void> {
    const take = async (tx: Transaction) => {
      if (!(await store(tx).markSent(delivery, services.clock.now()))) throw new LeaseLost();
    };
    try {
      await send(services, delivery, take);
    } catch (error) {
      if (error instanceof LeaseLost) return;
      // The database failed, not this delivery, so keep it due.
      if (error instanceof StorageError) throw error;
      if (!(error instanceof ChatError)) services.logger.error({ error, id: delivery.id }, `${name}: sending failed`);
      const failure = error instanceof ChatError ? error.message : UNEXPECTED;
      await services.asSystem('append', async (context) => {
        if (!(await store(context.tx).fail(delivery, failure))) return;
        const owner = await context.tx.users.byId(ownerOf(delivery));
        if (owner?.is_active) await notify(context, owner, delivery, failure);
      });
    }
  }
}

/** Limit per user, including failed deliveries. */
export const MAX_DELIVERIES = 1_000;
/** Characters of Markdown and HTML per user. Clients load all deliveries at start. */
const MAX_CHARACTERS = 4_000_000;

type StoredContent = Pick<Reminder, 'content' | 'rendered_content'>;

export function checkDeliveryLimit(what: string, present: TextSize, added: StoredContent, replaced?: StoredContent) {
  const characters = lengthOf(added) - (replaced ? lengthOf(replaced) : 0);
  const max = { count: MAX_DELIVERIES, characters: MAX_CHARACTERS };
  checkRoom(what, max, present, { count: replaced ? 0 : 1, characters });
}

const lengthOf = ({ content, rendered_content }: StoredContent) => content.length + rendered_content.length;

interface TextSize {
  count: number;
  characters: number;
}

/** Checks the limits of texts that a user stores. Clients load all of them at start. */
export function checkRoom(what: string, max: TextSize, present: TextSize, added: TextSize): void {
  if (added.count > 0 && present.count + added.count > max.count)
    throw new BadRequest(`You can have at most ${max.count} ${what}. You have ${present.count}.`);
  if (present.characters + added.characters > max.characters)
    throw new BadRequest(`Your ${what} can have at most ${max.characters} characters in total.`);
}

/** The last second of the year 9999. */
export const LAST_TIMESTAMP = 253_402_300_799;

export function checkDeliveryTime({ now }: { now: number }, timestamp: number): void {
  if (timestamp * 1000 <= now) throw new BadRequest('The time of delivery must be in the future.');
  if (timestamp > LAST_TIMESTAMP) throw new BadRequest('The time of delivery must be before the year 10000.');
}
