import * as v from 'valibot';
import type { WriteContext } from '../../../kernel/context.ts';
import { defineEvent } from '../../../kernel/define-event.ts';
import { customEmojiObject, customEmojiViews } from './view.ts';

export const customEmojiChanged = defineEvent('realm_emoji/update', {
  summary: 'A custom emoji was added or deactivated. Contains all custom emoji by ID.',
  fields: { realm_emoji: v.record(v.string(), customEmojiObject) },
});

/** Sends all current custom emoji to all users. */
export async function emitCustomEmoji(context: WriteContext): Promise<void> {
  const realm_emoji = await customEmojiViews(context);
  context.emit({ scope: 'everyone' }, customEmojiChanged({ realm_emoji }));
}
