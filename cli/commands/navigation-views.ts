import { commands } from '../operations/metadata.ts';
import { oneLine } from '../output/sanitize.ts';

export const navigationViews = commands('navigationViews', 'Views in your sidebar', {
  list: {
    columns: { navigation_views: ['fragment', 'name', ['is_pinned', 'IN SIDEBAR']] },
    empty: 'You have no custom views.',
  },
  add: {
    args: ['fragment', 'name'],
    defaults: { is_pinned: true },
    done: ({ parameters: { fragment, is_pinned } }) =>
      `Added "${oneLine(fragment.trim())}" ${is_pinned ? 'to the sidebar' : 'to the views outside the sidebar'}.`,
    examples: ['navigation-views add narrow/is/alerted Alerts', 'navigation-views add inbox --no-is-pinned'],
  },
  edit: {
    args: ['fragment'],
    done: ({ parameters }) => `Changed "${oneLine(parameters.fragment.trim())}".`,
    examples: ['navigation-views edit narrow/is/alerted --name Words', 'navigation-views edit inbox --no-is-pinned'],
  },
  remove: {
    undo: 'navigation-views add',
    args: ['fragment'],
    done: ({ parameters }) => `Removed "${oneLine(parameters.fragment.trim())}".`,
    examples: ['navigation-views remove narrow/is/alerted'],
  },
});
