import { defineOutboxKind } from '../../../operation/feature.ts';
import type { WriteContext } from '../../../viewer/context.ts';

/**
 * A deleted text stays in the event log until every queue has passed it, up to a week. So it is removed from the events
 * within two minutes. Clients that have not read them get a message without a text, and then its deletion.
 */

/** Deletions of the same minute share the work on the write-ahead log. */
const BETWEEN_MS = 60_000;
const EVENTS_PER_TRANSACTION = 500;

export const erasedTexts = defineOutboxKind<{ message_ids: readonly number[] }>('erase', {
  concurrency: 1,
  async perform({ storage, options }, { message_ids }) {
    for (let reached: number | undefined = 0; reached !== undefined; ) {
      const after: number = reached;
      reached = await storage.write((tx) => tx.events.eraseTexts(message_ids, after, EVENTS_PER_TRANSACTION), 'silent');
    }
    await options.storage.forget?.();
  },
});

export async function eraseLater({ now, enqueue }: WriteContext, message_ids: readonly number[]): Promise<void> {
  enqueue(erasedTexts({ message_ids }, { due_ms: (Math.floor(now / BETWEEN_MS) + 2) * BETWEEN_MS }));
}
