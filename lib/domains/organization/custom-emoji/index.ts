import type { Snapshot } from '../../../kernel/context.ts';
import { defineFeature } from '../../../kernel/feature.ts';
import { deactivateCustomEmoji } from './deactivate.ts';
import { customEmojiChanged } from './events.ts';
import { listCustomEmoji } from './list.ts';
import { uploadCustomEmoji } from './upload.ts';
import { customEmojiViews } from './view.ts';

/** Custom emoji. Their images are rows in the database, written in the same transaction. */
export const customEmoji = defineFeature({
  operations: [listCustomEmoji, uploadCustomEmoji, deactivateCustomEmoji],
  events: [customEmojiChanged],
  initialState: {
    realm_emoji: async ({ context }: Snapshot) => ({ realm_emoji: await customEmojiViews(context) }),
  },
});
