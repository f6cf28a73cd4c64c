import type { EventDraft } from '../../../kernel/event.ts';
import type { TransactionContext } from '../../../kernel/operation.ts';
import { playgroundView } from './view.ts';

/** What everybody is told after any change: all of them. */
export async function playgroundsEvent({ tx }: Pick<TransactionContext, 'tx'>): Promise<EventDraft> {
  const playgrounds = await tx.playgrounds.all();
  return {
    audience: { scope: 'everyone' },
    event: { type: 'realm_playgrounds', realm_playgrounds: playgrounds.map(playgroundView) },
  };
}
