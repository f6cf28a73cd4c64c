import * as v from 'valibot';
import { defineOperation } from '../../../operation/operation.ts';
import { navigationViewObject } from './view.ts';

export const listNavigationViews = defineOperation({
  name: 'navigationViews.list',
  http: 'GET /navigation_views',
  summary: 'List the views in your sidebar',
  access: 'user',
  params: {},
  result: v.object({ navigation_views: v.array(navigationViewObject) }),
  async run({ tx, actor }) {
    return { navigation_views: await tx.navigationViews.of(actor.id) };
  },
});
