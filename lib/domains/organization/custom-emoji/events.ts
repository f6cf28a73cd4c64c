import * as v from 'valibot';
import type { WriteContext } from '../../../kernel/context.ts';
import { defineEvent } from '../../../kernel/define-event.ts';
import { customEmojiObject, customEmojiView } from './view.ts';

export const customEmojiChanged = defineEvent('realm_emoji/update', {
  summary: 'Custom emoji were added or deactivated: all of them, by id.',
  fields: { realm_emoji: v.record(v.string(), customEmojiObject) },
});

/** Tells everybody of all custom emoji as they are now. */
export async function emitCustomEmoji({ tx, services, emit }: WriteContext): Promise<void> {
  const realm_emoji = customEmojiView(await tx.customEmoji.all(), services.options.baseUrl);
  emit({ scope: 'everyone' }, customEmojiChanged({ realm_emoji }));
}
