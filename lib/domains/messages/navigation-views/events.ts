import * as v from 'valibot';
import { defineEvent } from '../../../kernel/define-event.ts';
import { navigationViewObject } from './view.ts';

export const navigationViewAdded = defineEvent('navigation_view/add', {
  summary: 'The reader added a view to their sidebar.',
  fields: { navigation_view: navigationViewObject },
});

export const navigationViewUpdated = defineEvent('navigation_view/update', {
  summary: 'The reader renamed, pinned or unpinned a view: what has changed of it.',
  fields: {
    fragment: v.string(),
    data: v.object({ name: v.optional(v.string()), is_pinned: v.optional(v.boolean()) }),
  },
});

export const navigationViewRemoved = defineEvent('navigation_view/remove', {
  summary: 'The reader removed a view from their sidebar.',
  fields: { fragment: v.string() },
});
