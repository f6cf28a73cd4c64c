import type { EventDraft } from '../events/event.ts';
import type { TransactionContext } from '../operation.ts';
import { customEmojiView } from '../views/custom-emoji.ts';

/** Tells everybody of all custom emoji as they are now. */
export async function customEmojiEvent({ tx, engine }: Pick<TransactionContext, 'tx' | 'engine'>): Promise<EventDraft> {
  const realm_emoji = customEmojiView(await tx.customEmoji.all(), engine.options.baseUrl);
  return { audience: { scope: 'everyone' }, event: { type: 'realm_emoji', op: 'update', realm_emoji } };
}
