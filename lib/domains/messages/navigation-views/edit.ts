import * as v from 'valibot';
import { DoesNotExist } from '../../../base/errors.ts';
import { flag } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { checkedName, fragmentParam, nameParam, navigationViewUpdated, noView } from './view.ts';

export const editNavigationView = defineOperation({
  name: 'navigationViews.edit',
  http: 'PATCH /navigation_views/{fragment}',
  summary: 'Rename, pin or unpin a view in your sidebar',
  example: { fragment: 'narrow/is/alerted', is_pinned: false },
  access: 'user',
  effect: 'mark',
  params: { fragment: fragmentParam, is_pinned: v.optional(flag), name: v.optional(nameParam) },
  errors: [DoesNotExist],
  async run({ tx, actor, emit }, given) {
    const fragment = given.fragment.trim();
    const all = await tx.navigationViews.of(actor.id, { toChange: true });
    const present = all.find((view) => view.fragment === fragment);
    if (!present) throw noView(fragment);
    const others = all.filter((view) => view !== present);
    const name = given.name === undefined ? present.name : checkedName({ fragment, name: given.name }, others);
    const is_pinned = given.is_pinned ?? present.is_pinned;
    const data = {
      ...(name === null || name === present.name ? {} : { name }),
      ...(is_pinned === present.is_pinned ? {} : { is_pinned }),
    };
    if (Object.keys(data).length === 0) return;
    await tx.navigationViews.set(actor.id, { fragment, is_pinned, name });
    emit({ users: [actor.id] }, navigationViewUpdated({ fragment, data }));
  },
});
