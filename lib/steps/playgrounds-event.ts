import type { EventDraft } from '../events/event.ts';
import type { TransactionContext } from '../operation.ts';
import { playgroundView } from '../views/playground.ts';

/** What everybody is told after any change: all of them. */
export async function playgroundsEvent({ tx }: Pick<TransactionContext, 'tx'>): Promise<EventDraft> {
  const playgrounds = await tx.playgrounds.all();
  return {
    audience: { scope: 'everyone' },
    event: { type: 'realm_playgrounds', realm_playgrounds: playgrounds.map(playgroundView) },
  };
}
