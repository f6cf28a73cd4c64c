import * as v from 'valibot';
import type { EmojiPicture } from '../../../adapters/images.ts';
import { describe } from '../../../base/schemas.ts';
import { defineEvent } from '../../../events/define-event.ts';
import type { ReadContext, WriteContext } from '../../../viewer/context.ts';
import { onSite } from '../../../views/avatars.ts';

export const customEmojiObject = v.object({
  id: describe(v.string(), 'The `emoji_code` of reactions.'),
  name: describe(v.string(), 'Name, as in `:name:`.'),
  source_url: describe(v.string(), 'Path of the image on the server.'),
  still_url: describe(v.nullable(v.string()), 'Path of the first frame; null if it is not animated.'),
  deactivated: describe(v.boolean(), 'Deactivated emoji stay in existing messages and reactions.'),
  author_id: v.nullable(v.number()),
});

type CustomEmojiObject = v.InferOutput<typeof customEmojiObject>;

/** All custom emoji by ID, including deactivated emoji. */
export async function customEmojiViews({ tx, organization }: ReadContext): Promise<Record<string, CustomEmojiObject>> {
  const all = await tx.customEmoji.all();
  return Object.fromEntries(
    all.map((emoji) => [
      emoji.id,
      {
        ...emoji,
        id: String(emoji.id),
        source_url: onSite(emoji.source_url, organization),
        still_url: emoji.still_url && onSite(emoji.still_url, organization),
      },
    ]),
  );
}

export const customEmojiChanged = defineEvent('realm_emoji/update', {
  summary: 'A custom emoji was added or deactivated. Contains all custom emoji by ID.',
  inRooms: () => true,
  fields: { realm_emoji: v.record(v.string(), customEmojiObject) },
});

export async function emitCustomEmoji(context: WriteContext): Promise<void> {
  const realm_emoji = await customEmojiViews(context);
  context.emit({ scope: 'everyone' }, customEmojiChanged({ realm_emoji }));
}

/** The URL of an image is random and never reused, so clients may cache the image for ever. */
export async function storePicture(
  { tx }: Pick<ReadContext, 'tx'>,
  token: string,
  { content_type, bytes, still }: EmojiPicture,
) {
  const file_name = `${token}.${content_type === 'image/png' ? 'png' : 'webp'}`;
  await tx.customEmoji.addImage({ file_name, content_type, bytes });
  const source_url = `/custom_emoji/${file_name}`;
  if (!still) return { source_url, still_url: null };
  const still_name = `${token}-still.png`;
  await tx.customEmoji.addImage({ file_name: still_name, content_type: 'image/png', bytes: still });
  return { source_url, still_url: `/custom_emoji/${still_name}` };
}
