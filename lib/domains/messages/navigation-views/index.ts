import { defineFeature } from '../../../operation/feature.ts';
import { addNavigationView } from './add.ts';
import { editNavigationView } from './edit.ts';
import { listNavigationViews } from './list.ts';
import { removeNavigationView } from './remove.ts';
import { navigationViewAdded, navigationViewRemoved, navigationViewUpdated } from './view.ts';

/** How users arrange views in the sidebar of their clients. The server stores it, clients interpret it. */
export const navigationViews = defineFeature({
  operations: [listNavigationViews, addNavigationView, editNavigationView, removeNavigationView],
  events: [navigationViewAdded, navigationViewUpdated, navigationViewRemoved],
  initialState: { navigation_views: ({ context }) => listNavigationViews.run(context, {}) },
});
