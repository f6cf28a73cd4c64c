import type { EventDraft } from '../../../kernel/event.ts';
import type { TransactionContext } from '../../../kernel/operation.ts';
import { customEmojiView } from './view.ts';

/** Tells everybody of all custom emoji as they are now. */
export async function customEmojiEvent({ tx, engine }: Pick<TransactionContext, 'tx' | 'engine'>): Promise<EventDraft> {
  const realm_emoji = customEmojiView(await tx.customEmoji.all(), engine.options.baseUrl);
  return { audience: { scope: 'everyone' }, event: { type: 'realm_emoji', op: 'update', realm_emoji } };
}
