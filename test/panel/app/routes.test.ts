import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fragmentOf, type Route, routeOf } from '../../../lib/panel/app/routes.ts';

const id = fc.integer({ min: 1, max: 2 ** 31 });
const ids = fc.uniqueArray(id, { maxLength: 20 }).map((list) => list.sort((a, b) => a - b));
const near = fc.option(id, { nil: undefined });
const text = fc.string({ unit: 'grapheme', maxLength: 60 });
const wellFormed = text.map((value) => value.replace(/\p{Surrogate}/gu, '\ufffd'));

const defined = <T extends object>(value: T) =>
  Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T;

const route: fc.Arbitrary<Route> = fc
  .oneof(
    fc.record({
      view: fc.constantFrom(
        ...(['inbox', 'recent', 'settings', 'people', 'new-message', 'browse-channels', 'new-channel'] as const),
      ),
    }),
    fc.record({ view: fc.constant('people' as const), userId: id }),
    fc.record({ view: fc.constant('channel' as const), channelId: id, near }),
    fc.record({ view: fc.constant('topic' as const), channelId: id, topic: wellFormed, with: near, near }),
    fc.record({ view: fc.constant('direct' as const), userIds: ids, near }),
    fc.record({ view: fc.constantFrom(...(['mentions', 'starred'] as const)), near }),
    fc.record({
      view: fc.constant('search' as const),
      terms: fc.tuple(
        fc.tuple(fc.constant('search'), wellFormed.filter(Boolean)),
        fc.tuple(fc.constant('has'), fc.constantFrom('link', 'image')),
        fc.tuple(fc.constant('sender'), id),
        fc.tuple(fc.constant('channel'), id),
      ),
      near,
    }),
  )
  .map((value) => defined(value) as Route);

test('the address of a view leads to the same view', () => {
  fc.assert(
    fc.property(route, text, (value, name) => {
      const fragment = fragmentOf(value, { channel: () => name });
      assert.match(fragment, /^#[\w!~*'./,-]+$/, 'only characters that a link in a message keeps');
      assert.deepEqual(routeOf(fragment), value);
    }),
  );
});

/** Terms of a search, known or not. */
const term = fc.tuple(
  fc.oneof(fc.constantFrom('channel', 'subject', 'dm', 'is', 'near', 'with', 'sender', 'search', 'toString'), text),
  fc.oneof(fc.constantFrom('4', '9,10-dm', 'starred'), text),
);

test('any text as address is a view or is refused, and never throws', () => {
  const found = { views: 0, refused: 0 };
  fc.assert(
    fc.property(
      fc.oneof(
        text,
        fc.array(term, { minLength: 1, maxLength: 3 }).map((terms) => `#narrow/${terms.flat().join('/')}`),
      ),
      (value) => {
        const view = routeOf(value);
        found[view ? 'views' : 'refused']++;
        assert.deepEqual(view && routeOf(fragmentOf(view)), view);
      },
    ),
  );
  assert.ok(found.views > 0 && found.refused > 0, JSON.stringify(found));
});

const ADDRESSES: readonly (readonly [address: string, route: Route | undefined])[] = [
  ['', { view: 'inbox' }],
  ['#inbox', { view: 'inbox' }],
  ['#channels/new', { view: 'new-channel' }],
  ['#narrow/channel/4-general', { view: 'channel', channelId: 4 }],
  ['#narrow/stream/4-general', { view: 'channel', channelId: 4 }],
  ['#narrow/stream/4', { view: 'channel', channelId: 4 }],
  ['#narrow/channel/4-general/topic/lunch/with/123', { view: 'topic', channelId: 4, topic: 'lunch', with: 123 }],
  [
    '#narrow/stream/4-general/subject/lunch.20at.2012.2E30/near/5',
    { view: 'topic', channelId: 4, topic: 'lunch at 12.30', near: 5 },
  ],
  ['#narrow/channel/4-general/topic/', { view: 'topic', channelId: 4, topic: '' }],
  ['#narrow/dm/10,9-dm', { view: 'direct', userIds: [9, 10] }],
  ['#narrow/pm-with/9-Ada', { view: 'direct', userIds: [9] }],
  ['#narrow/pm-with/9,10-group', { view: 'direct', userIds: [9, 10] }],
  ['#narrow/is/mentioned', { view: 'mentions' }],
  ['#narrow/is/starred/near/7', { view: 'starred', near: 7 }],
  ['#narrow/search/red.20car', { view: 'search', terms: [['search', 'red car']] }],
  [
    '#narrow/from/9-Ada/has/link',
    {
      view: 'search',
      terms: [
        ['sender', 9],
        ['has', 'link'],
      ],
    },
  ],
  [
    '#narrow/channel/4-general/search/car',
    {
      view: 'search',
      terms: [
        ['channel', 4],
        ['search', 'car'],
      ],
    },
  ],
  ['#narrow/channel/general', { view: 'search', terms: [['channel', 'general']] }],
  ['#narrow/-sender/9-Ada/near/7', { view: 'search', terms: [['-sender', 9]], near: 7 }],
  ['#narrow/near/7', { view: 'search', terms: [], near: 7 }],
  ['#narrow/with/7', { view: 'search', terms: [['with', 7]] }],
  ['#narrow/dm/9-dm/with/7', { view: 'direct', userIds: [9] }],
  ['#recent', { view: 'recent' }],
  ['#feed', { view: 'recent' }],
  ['#home', { view: 'inbox' }],
  ['#drafts', { view: 'drafts' }],
  ['#scheduled', { view: 'drafts' }],
  ['#reminders', { view: 'drafts' }],
  ['#settings/profile', { view: 'settings' }],
  ['#organization/users', { view: 'administration', path: 'users' }],
  ['#channels/2/general/personal', { view: 'channel', channelId: 2 }],
  ['#streams/all', { view: 'browse-channels' }],
  ['#user/9', { view: 'people', userId: 9 }],
  ['#user/9/streams', { view: 'people', userId: 9 }],
  ['#user/x', { view: 'people' }],
  ['#users', { view: 'people' }],
  ['#narrow/dm/x', undefined],
  ['#narrow/channel', undefined],
  ['#narrow', undefined],
  ['#narrow/topic/.ZZ', undefined],
  ['#narrow/is/starred/near/x', undefined],
  ['#unknown', undefined],
  ['#constructor', undefined],
  ['#narrow/constructor/x', { view: 'search', terms: [['constructor', 'x']] }],
];

for (const [address, expected] of ADDRESSES) {
  test(`the address ${JSON.stringify(address)} is ${expected ? expected.view : 'refused'}`, () => {
    assert.deepEqual(routeOf(address), expected);
  });
}
