import { defineFeature } from '../../../operation/feature.ts';
import { createPlayground } from './create.ts';
import { listPlaygrounds } from './list.ts';
import { playgroundsChanged } from './playground.ts';
import { removePlayground } from './remove.ts';

/** Code playgrounds: sites that run the code blocks of a language. */
export const playgrounds = defineFeature({
  operations: [listPlaygrounds, createPlayground, removePlayground],
  events: [playgroundsChanged],
  initialState: {
    realm_playgrounds: async ({ context: { tx } }) => ({ realm_playgrounds: await tx.playgrounds.all() }),
  },
});
