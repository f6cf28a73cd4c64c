import * as v from 'valibot';
import type { ReadContext, WriteContext } from '../../../access/context.ts';
import { describe } from '../../../base/schemas.ts';
import { defineEvent } from '../../../events/define-event.ts';

/** A custom emoji in the API. */
export const customEmojiObject = v.object({
  id: describe(v.string(), 'The `emoji_code` of reactions.'),
  name: v.string(),
  source_url: describe(v.string(), 'Path of the image on the server.'),
  still_url: describe(v.nullable(v.string()), 'Path of the first frame; null if it is not animated.'),
  deactivated: describe(v.boolean(), 'Deactivated emoji stay in existing messages and reactions.'),
  author_id: v.nullable(v.number()),
});

type CustomEmojiObject = v.InferOutput<typeof customEmojiObject>;

/** All custom emoji by ID, including deactivated emoji. */
export async function customEmojiViews({ tx, services }: ReadContext): Promise<Record<string, CustomEmojiObject>> {
  const { baseUrl } = services.options;
  const all = await tx.customEmoji.all();
  return Object.fromEntries(
    all.map((emoji) => [
      emoji.id,
      {
        ...emoji,
        id: String(emoji.id),
        source_url: pictureAddress(emoji.source_url, baseUrl),
        still_url: emoji.still_url && pictureAddress(emoji.still_url, baseUrl),
      },
    ]),
  );
}

/** Clients resolve it against the host of the site, so it includes the path at which the chat is mounted. */
export function pictureAddress(path: string, baseUrl: string): string {
  return new URL(baseUrl).pathname.replace(/\/+$/, '') + path;
}

export const customEmojiChanged = defineEvent('realm_emoji/update', {
  summary: 'A custom emoji was added or deactivated. Contains all custom emoji by ID.',
  fields: { realm_emoji: v.record(v.string(), customEmojiObject) },
});

export async function emitCustomEmoji(context: WriteContext): Promise<void> {
  const realm_emoji = await customEmojiViews(context);
  context.emit({ scope: 'everyone' }, customEmojiChanged({ realm_emoji }));
}
