import type { Snapshot } from '../../../kernel/context.ts';
import { defineFeature } from '../../../kernel/feature.ts';
import { createPlayground } from './create.ts';
import { playgroundsChanged } from './events.ts';
import { listPlaygrounds } from './list.ts';
import { removePlayground } from './remove.ts';
import { playgroundView } from './view.ts';

/** Code playgrounds: sites that run the code blocks of a language. */
export const playgrounds = defineFeature({
  operations: [listPlaygrounds, createPlayground, removePlayground],
  events: [playgroundsChanged],
  initialState: {
    realm_playgrounds: async ({ context }: Snapshot) => ({
      realm_playgrounds: (await context.tx.playgrounds.all()).map(playgroundView),
    }),
  },
});
