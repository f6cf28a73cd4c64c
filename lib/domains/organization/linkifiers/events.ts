import { BadRequest } from '../../../kernel/errors.ts';
import type { EventDraft } from '../../../kernel/event.ts';
import type { TransactionContext } from '../../../kernel/operation.ts';
import type { Linkifier } from '../../../storage/storage.ts';
import { linkifierView } from './view.ts';

export function knownLinkifier({ organization }: Pick<TransactionContext, 'organization'>, id: number): Linkifier {
  const found = organization.linkifiers.find((one) => one.id === id);
  if (!found) throw new BadRequest(`There is no linkifier with ID ${id}.`);
  return found;
}

/** What everybody is told after any change: all of them, in order. */
export async function linkifiersEvent({ tx }: Pick<TransactionContext, 'tx'>): Promise<EventDraft> {
  const linkifiers = await tx.linkifiers.all();
  return {
    audience: { scope: 'everyone' },
    event: { type: 'realm_linkifiers', realm_linkifiers: linkifiers.map(linkifierView) },
  };
}
