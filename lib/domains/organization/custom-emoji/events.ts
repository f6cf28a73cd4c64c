import * as v from 'valibot';
import type { WriteContext } from '../../../kernel/context.ts';
import { defineEvent } from '../../../kernel/define-event.ts';
import { customEmojiObject, customEmojiViews } from './view.ts';

export const customEmojiChanged = defineEvent('realm_emoji/update', {
  summary: 'Custom emoji were added or deactivated: all of them, by id.',
  fields: { realm_emoji: v.record(v.string(), customEmojiObject) },
});

/** Tells everybody of all custom emoji as they are now. */
export async function emitCustomEmoji(context: WriteContext): Promise<void> {
  const realm_emoji = await customEmojiViews(context);
  context.emit({ scope: 'everyone' }, customEmojiChanged({ realm_emoji }));
}
