import * as v from 'valibot';
import { describe } from '../../../kernel/schemas.ts';
import type { CustomEmoji } from '../../../storage/storage.ts';

/** Reference, `realm_emoji` of POST /register. */
export const customEmojiObject = v.object({
  id: describe(v.string(), 'The `emoji_code` of reactions.'),
  name: v.string(),
  source_url: describe(v.string(), 'Address of the picture, on the server.'),
  still_url: describe(v.nullable(v.string()), 'Its first frame; null when it does not move.'),
  deactivated: describe(v.boolean(), 'Kept for the messages and reactions that have it.'),
  author_id: v.nullable(v.number()),
});

export type CustomEmojiObject = v.InferOutput<typeof customEmojiObject>;

/** Every custom emoji by id, as clients are told. @param baseUrl the organization's */
export function customEmojiView(all: readonly CustomEmoji[], baseUrl: string): Record<string, CustomEmojiObject> {
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

/** Clients resolve an address against the site's host, so it carries the path the chat is mounted at. */
export function pictureAddress(path: string, baseUrl: string): string {
  return new URL(baseUrl).pathname.replace(/\/+$/, '') + path;
}
