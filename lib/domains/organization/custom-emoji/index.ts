import type { Snapshot } from '../../../kernel/context.ts';
import { defineFeature } from '../../../kernel/feature.ts';
import { deactivateCustomEmoji } from './deactivate.ts';
import { customEmojiChanged } from './events.ts';
import { listCustomEmoji } from './list.ts';
import { uploadCustomEmoji } from './upload.ts';
import { customEmojiViews } from './view.ts';

/** The organization's own emoji. Their pictures are rows in the database, committed with them. */
export const customEmoji = defineFeature({
  operations: [listCustomEmoji, uploadCustomEmoji, deactivateCustomEmoji],
  events: [customEmojiChanged],
  initialState: {
    realm_emoji: async ({ context }: Snapshot) => ({ realm_emoji: await customEmojiViews(context) }),
  },
});
