import type { Snapshot } from '../../../kernel/context.ts';
import { defineFeature } from '../../../kernel/feature.ts';
import { addNavigationView } from './add.ts';
import { editNavigationView } from './edit.ts';
import { navigationViewAdded, navigationViewRemoved, navigationViewUpdated } from './events.ts';
import { listNavigationViews } from './list.ts';
import { removeNavigationView } from './remove.ts';

/** How people arrange the places of the app in their sidebar: clients give it its meaning, the server keeps it. */
export const navigationViews = defineFeature({
  operations: [listNavigationViews, addNavigationView, editNavigationView, removeNavigationView],
  events: [navigationViewAdded, navigationViewUpdated, navigationViewRemoved],
  initialState: {
    navigation_views: async ({ context: { tx, actor } }: Snapshot) => ({
      navigation_views: await tx.navigationViews.of(actor.id),
    }),
  },
});
