import * as v from 'valibot';
import { BadRequest } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { describe, empty, flag } from '../../../kernel/schemas.ts';
import { navigationViewAdded } from './events.ts';
import { checkedName, fragmentParam, nameParam } from './view.ts';

/** Every client has all of them from the start. */
const MAX_VIEWS = 200;

export const addNavigationView = defineOperation({
  name: 'navigationViews.add',
  http: 'POST /navigation_views',
  summary: 'Add a view to your sidebar, or arrange a built-in one',
  description: `What clients do with it is theirs. You can have ${MAX_VIEWS}.`,
  example: { fragment: 'narrow/is/alerted', is_pinned: true, name: 'Alerts' },
  access: 'user',
  effect: 'mark',
  params: v.object({
    fragment: fragmentParam,
    is_pinned: describe(flag, 'true shows it in the sidebar, false in the menu of further views.'),
    name: v.optional(nameParam),
  }),
  result: empty,
  errors: [BadRequest],
  async run({ tx, actor, emit }, given) {
    const fragment = given.fragment.trim();
    if (fragment === '') throw new BadRequest('fragment cannot be empty.');
    const present = await tx.navigationViews.of(actor.id, { toChange: true });
    const name = checkedName({ fragment, name: given.name }, present);
    if (present.some((view) => view.fragment === fragment)) {
      throw new BadRequest(`You have the navigation view "${fragment}" already.`);
    }
    if (present.length >= MAX_VIEWS) throw new BadRequest(`You can have at most ${MAX_VIEWS} navigation views.`);
    const navigation_view = { fragment, is_pinned: given.is_pinned, name };
    await tx.navigationViews.set(actor.id, navigation_view);
    emit({ users: [actor.id] }, navigationViewAdded({ navigation_view }));
    return {};
  },
});
