import * as v from 'valibot';
import { BadRequest } from '../../../base/errors.ts';
import { describe, flag } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { checkedName, fragmentParam, nameParam, navigationViewAdded } from './view.ts';

/** Every client loads all views at start. */
const MAX_VIEWS = 200;

export const addNavigationView = defineOperation({
  name: 'navigationViews.add',
  http: 'POST /navigation_views',
  summary: 'Add a view to your sidebar',
  description: `Adds a custom view, or pins or unpins a built-in view. Clients decide how to show it. You can have at most ${MAX_VIEWS} views.`,
  example: { fragment: 'narrow/is/alerted', is_pinned: true, name: 'Alerts' },
  access: 'user',
  effect: 'mark',
  params: {
    fragment: fragmentParam,
    is_pinned: describe(flag, '`true`: show it in the sidebar. `false`: show it in the menu of other views.'),
    name: v.optional(nameParam),
  },
  async run({ tx, actor, emit }, given) {
    const fragment = given.fragment.trim();
    if (fragment === '') throw new BadRequest('fragment cannot be empty.');
    const present = await tx.navigationViews.of(actor.id, { toChange: true });
    const name = checkedName({ fragment, name: given.name }, present);
    if (present.some((view) => view.fragment === fragment)) {
      throw new BadRequest(
        `You already have the navigation view "${fragment}". Use navigationViews.edit to change it.`,
      );
    }
    if (present.length >= MAX_VIEWS) throw new BadRequest(`You can have at most ${MAX_VIEWS} navigation views.`);
    const navigation_view = { fragment, is_pinned: given.is_pinned, name };
    await tx.navigationViews.set(actor.id, navigation_view);
    emit({ users: [actor.id] }, navigationViewAdded({ navigation_view }));
  },
});
