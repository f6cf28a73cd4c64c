import { defineFeature } from '../../../operation/feature.ts';
import { customEmojiChanged, customEmojiViews } from './custom-emoji.ts';
import { deactivateCustomEmoji } from './deactivate.ts';
import { listCustomEmoji } from './list.ts';
import { uploadCustomEmoji } from './upload.ts';

/** Custom emoji. Their images are rows in the database, written in the same transaction. */
export const customEmoji = defineFeature({
  operations: [listCustomEmoji, uploadCustomEmoji, deactivateCustomEmoji],
  events: [customEmojiChanged],
  initialState: {
    realm_emoji: async ({ context }) => ({ realm_emoji: await customEmojiViews(context) }),
  },
});
