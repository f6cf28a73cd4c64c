import * as v from 'valibot';
import type { ReadContext } from '../../../kernel/context.ts';
import { describe } from '../../../kernel/schemas.ts';

/** An emoji of the organization's own, as clients see it. */
export const customEmojiObject = v.object({
  id: describe(v.string(), 'The `emoji_code` of reactions.'),
  name: v.string(),
  source_url: describe(v.string(), 'Address of the picture, on the server.'),
  still_url: describe(v.nullable(v.string()), 'Its first frame; null when it does not move.'),
  deactivated: describe(v.boolean(), 'Kept for the messages and reactions that have it.'),
  author_id: v.nullable(v.number()),
});

export type CustomEmojiObject = v.InferOutput<typeof customEmojiObject>;

/** Every custom emoji by id, deactivated ones included. */
export async function customEmojiViews({ tx, services }: ReadContext): Promise<Record<string, CustomEmojiObject>> {
  const { baseUrl } = services.options;
  const all = await tx.customEmoji.all();
  return Object.fromEntries(
    all.map((emoji) => [
      emoji.id,
      {
        id: String(emoji.id),
        name: emoji.name,
        source_url: pictureAddress(emoji.source_url, baseUrl),
        still_url: emoji.still_url && pictureAddress(emoji.still_url, baseUrl),
        deactivated: emoji.deactivated,
        author_id: emoji.author_id,
      },
    ]),
  );
}

/**
 * The address of a picture as clients are told it. They resolve it against the site's host, so it carries
 * the path that the chat is mounted at.
 * @param path as the emoji's record has it
 * @param baseUrl the organization's
 */
export function pictureAddress(path: string, baseUrl: string): string {
  return new URL(baseUrl).pathname.replace(/\/+$/, '') + path;
}
