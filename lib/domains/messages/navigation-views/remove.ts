import { DoesNotExist } from '../../../base/errors.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { fragmentParam, navigationViewRemoved, noView } from './view.ts';

export const removeNavigationView = defineOperation({
  name: 'navigationViews.remove',
  http: 'DELETE /navigation_views/{fragment}',
  summary: 'Remove a view from your sidebar',
  description: 'A built-in view is not removed: it gets its default place again.',
  example: { fragment: 'narrow/is/alerted' },
  access: 'user',
  effect: 'mark',
  params: { fragment: fragmentParam },
  errors: [DoesNotExist],
  async run({ tx, actor, emit }, given) {
    const fragment = given.fragment.trim();
    if (!(await tx.navigationViews.remove(actor.id, fragment))) throw noView(fragment);
    emit({ users: [actor.id] }, navigationViewRemoved({ fragment }));
  },
});
