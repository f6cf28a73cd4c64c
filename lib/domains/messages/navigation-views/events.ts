import * as v from 'valibot';
import { defineEvent } from '../../../kernel/define-event.ts';
import { navigationViewObject } from './view.ts';

export const navigationViewAdded = defineEvent('navigation_view/add', {
  summary: 'You added a view to your sidebar.',
  fields: { navigation_view: navigationViewObject },
});

export const navigationViewUpdated = defineEvent('navigation_view/update', {
  summary: 'You renamed, pinned or unpinned a view. Contains the changed fields.',
  fields: {
    fragment: v.string(),
    data: v.object({ name: v.optional(v.string()), is_pinned: v.optional(v.boolean()) }),
  },
});

export const navigationViewRemoved = defineEvent('navigation_view/remove', {
  summary: 'You removed a view from your sidebar.',
  fields: { fragment: v.string() },
});
