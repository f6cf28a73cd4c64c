import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import type { World } from '../../../world/world.ts';

const ALERTS = { fragment: 'narrow/is/alerted', is_pinned: true, name: 'Alerts' };
const INBOX = { fragment: 'inbox', is_pinned: false, name: null };
const viewsOf = async ({ as }: World) => (await as('hamlet').navigationViews.list()).navigation_views;
const shows = (expected: object[]) => async (world: World) => assert.deepEqual(await viewsOf(world), expected);
const arranged = async ({ as }: World) => {
  await as('hamlet').navigationViews.add(ALERTS);
  await as('hamlet').navigationViews.add({ fragment: 'inbox', is_pinned: false });
};

export const listNavigationViewsCases = cases('navigationViews.list', [
  {
    name: 'a new user has an empty list, without built-in views',
    as: 'hamlet',
    call: ['navigationViews.list'],
    returns: { navigation_views: [] },
  },
  {
    name: 'the list has the views of the caller by fragment; a built-in view has no name',
    as: 'hamlet',
    given: arranged,
    call: ['navigationViews.list'],
    returns: { navigation_views: [INBOX, ALERTS] },
  },
  {
    name: 'views of other users are not listed',
    as: 'owner',
    given: arranged,
    call: ['navigationViews.list'],
    returns: { navigation_views: [] },
  },
]);

const refused = (name: string, given: object, says: RegExp): Case => ({
  name,
  as: 'hamlet',
  given: arranged,
  call: ['navigationViews.add', { fragment: 'narrow/is/dm', is_pinned: true, name: 'Direct', ...given }],
  refuses: { code: 'BAD_REQUEST', says },
});

export const addNavigationViewCases = cases('navigationViews.add', [
  {
    name: 'a view is added with a trimmed name, and only its owner gets the event',
    as: 'hamlet',
    call: ['navigationViews.add', { fragment: ' narrow/is/alerted ', is_pinned: true, name: ' Alerts ' }],
    returns: {},
    events: () => ({
      hamlet: [{ type: 'navigation_view', op: 'add', navigation_view: ALERTS }],
      owner: [],
      cordelia: [],
    }),
    state: shows([ALERTS]),
  },
  {
    name: 'a built-in view is added without a name',
    as: 'hamlet',
    call: ['navigationViews.add', { fragment: 'inbox', is_pinned: false }],
    events: () => ({ hamlet: [{ type: 'navigation_view', op: 'add', navigation_view: INBOX }] }),
  },
  {
    name: 'two users can have a view with the same fragment and name',
    as: 'cordelia',
    given: arranged,
    call: ['navigationViews.add', ALERTS],
  },
  refused('a name for a built-in view is refused', { fragment: 'recent' }, /built-in view cannot have a name/),
  refused('a custom view without a name is refused', { name: undefined }, /needs a name/),
  refused('a name of white space is refused', { name: '  ' }, /needs a name/),
  refused(
    'a custom view with a fragment in use is refused',
    { fragment: ALERTS.fragment },
    /already have the navigation view "narrow\/is\/alerted"/,
  ),
  refused(
    'a built-in view that is already added is refused',
    { fragment: 'inbox', name: undefined },
    /already have the navigation view "inbox"/,
  ),
  refused('a view with a name in use is refused', { name: 'Alerts' }, /already have a navigation view named "Alerts"/),
  refused('a view without a fragment is refused', { fragment: ' ' }, /fragment cannot be empty/),
  refused('a fragment of more than 1000 characters is refused', { fragment: 'x'.repeat(1_001) }, /limit: 1000/),
  refused('a name of more than 100 characters is refused', { name: 'x'.repeat(101) }, /limit: 100/),
  {
    name: 'a view without is_pinned is refused',
    as: 'hamlet',
    call: ['navigationViews.add', { fragment: 'inbox' }],
    refuses: { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'is_pinned' } },
  },
  {
    name: 'more than 200 views of one user are refused',
    as: 'hamlet',
    given: async ({ as }) => {
      for (let at = 0; at < 200; at++) {
        await as('hamlet').navigationViews.add({ fragment: `x/${at}`, is_pinned: false, name: `View ${at}` });
      }
    },
    call: ['navigationViews.add', ALERTS],
    refuses: { code: 'BAD_REQUEST', says: /at most 200/ },
  },
]);

const edit = (given: object): Case['call'] => ['navigationViews.edit', { fragment: ALERTS.fragment, ...given }];
const updated = (data: object) => () => ({
  hamlet: [{ type: 'navigation_view', op: 'update', fragment: ALERTS.fragment, data }],
  owner: [],
});

export const editNavigationViewCases = cases('navigationViews.edit', [
  {
    name: 'a view is renamed, and only its owner gets the event',
    as: 'hamlet',
    given: arranged,
    call: edit({ name: ' Words ' }),
    returns: {},
    events: updated({ name: 'Words' }),
    state: shows([INBOX, { ...ALERTS, name: 'Words' }]),
  },
  {
    name: 'a view is unpinned, and only the change is in the event',
    as: 'hamlet',
    given: arranged,
    call: edit({ is_pinned: false, name: 'Alerts' }),
    events: updated({ is_pinned: false }),
    state: shows([INBOX, { ...ALERTS, is_pinned: false }]),
  },
  {
    name: 'values equal to the present ones send no event',
    as: 'hamlet',
    given: arranged,
    call: edit({ is_pinned: true }),
    events: () => ({ hamlet: [] }),
  },
  {
    name: 'a name for a built-in view is refused',
    as: 'hamlet',
    given: arranged,
    call: edit({ fragment: 'inbox', name: 'Post' }),
    refuses: { code: 'BAD_REQUEST', says: /built-in/ },
  },
  {
    name: 'a name that another view has is refused',
    as: 'hamlet',
    given: async (world) => {
      await arranged(world);
      await world.as('hamlet').navigationViews.add({ fragment: 'narrow/is/dm', is_pinned: true, name: 'Direct' });
    },
    call: edit({ name: 'Direct' }),
    refuses: { code: 'BAD_REQUEST', says: /already have a navigation view named "Direct"/ },
  },
  {
    name: 'an unknown view is refused with status 404',
    as: 'hamlet',
    call: edit({ is_pinned: true }),
    refuses: { code: 'BAD_REQUEST', status: 404, says: /no navigation view "narrow\/is\/alerted"/ },
  },
  {
    name: 'a view of another user is refused as missing',
    as: 'owner',
    given: arranged,
    call: edit({ is_pinned: false }),
    refuses: { code: 'BAD_REQUEST', status: 404, says: /no navigation view/ },
  },
]);

export const removeNavigationViewCases = cases('navigationViews.remove', [
  {
    name: 'a view is removed, and only its owner gets the event',
    as: 'hamlet',
    given: arranged,
    call: ['navigationViews.remove', { fragment: ALERTS.fragment }],
    returns: {},
    events: () => ({
      hamlet: [{ type: 'navigation_view', op: 'remove', fragment: ALERTS.fragment }],
      owner: [],
    }),
    state: shows([INBOX]),
  },
  {
    name: 'an unknown view is refused with status 404',
    as: 'hamlet',
    call: ['navigationViews.remove', { fragment: 'recent' }],
    refuses: { code: 'BAD_REQUEST', status: 404, says: /no navigation view "recent"/ },
  },
  {
    name: 'a view of another user is refused as missing',
    as: 'owner',
    given: arranged,
    call: ['navigationViews.remove', { fragment: ALERTS.fragment }],
    refuses: { code: 'BAD_REQUEST', status: 404, says: /no navigation view/ },
  },
]);
