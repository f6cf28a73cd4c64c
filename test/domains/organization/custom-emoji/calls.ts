import type { Changes, PlainCalls, Stored } from '../../../world/calls.ts';
import { animatedGif, png } from '../../../world/pictures.ts';

export const matrix: PlainCalls = {
  'customEmoji.upload': () => ({ emoji_name: 'gruel', file: png }),
  'customEmoji.deactivate': () => ({ emoji_name: 'yorick' }),
};

export const changes: Changes = {
  'customEmoji.upload': {
    'an emoji': ({ as }) => as('hamlet').customEmoji.upload({ emoji_name: 'gruel', file: png }),
    'an animated emoji': ({ as }) => as('hamlet').customEmoji.upload({ emoji_name: 'gruel', file: animatedGif }),
  },
  'customEmoji.deactivate': {
    'one of two emoji': async ({ as }) => {
      await as('hamlet').customEmoji.upload({ emoji_name: 'gruel', file: png });
      await as('cordelia').customEmoji.upload({ emoji_name: 'pottage', file: png });
      await as('administrator').customEmoji.deactivate({ emoji_name: 'gruel' });
    },
  },
};

export const stored: Stored = (tx) => tx.customEmoji.all();
