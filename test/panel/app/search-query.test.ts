import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ChatStore } from '../../../lib/client/store/types.ts';
import { partsOfQuery, queryOf, termsOfQuery, UnknownFilter } from '../../../lib/panel/app/search-query.ts';

const PEOPLE = [
  { user_id: 9, full_name: 'Ada Lovelace', email: 'ada@example.com' },
  { user_id: 10, full_name: 'Adam', email: 'adam@example.com' },
];
const CHANNELS = [
  { stream_id: 4, name: 'general', is_subscribed: true },
  { stream_id: 5, name: 'general chat', is_subscribed: false },
  { stream_id: 6, name: '5" disks', is_subscribed: false },
];

/** The data that a query reads from a store. */
const store = {
  me: { get: () => ({ user_id: 8, full_name: 'Olga' }) },
  channels: {
    get: () => new Map([[4, CHANNELS[0]]]),
    search: async (query: string) => CHANNELS.filter(({ name }) => name.startsWith(query)),
  },
  people: {
    search: async (query: string) => PEOPLE.filter(({ full_name }) => full_name.toLowerCase().startsWith(query)),
  },
} as unknown as ChatStore;

const QUERIES = [
  ['lunch', [['search', 'lunch']]],
  ['  red  car ', [['search', 'red car']]],
  ['"red car" fast', [['search', '"red car" fast']]],
  [
    'from:me car',
    [
      ['sender', 8],
      ['search', 'car'],
    ],
  ],
  ['from:adam', [['sender', 10]]],
  [
    'from:"Ada Lovelace" has:images',
    [
      ['sender', 9],
      ['has', 'image'],
    ],
  ],
  [
    'in:#general is:unread',
    [
      ['channel', 4],
      ['is', 'unread'],
    ],
  ],
  [
    'in:"general chat" topic:lunch',
    [
      ['channel', 5],
      ['topic', 'lunch'],
    ],
  ],
  [
    'sender:adam channel:general',
    [
      ['sender', 10],
      ['channel', 4],
    ],
  ],
  [
    '-from:adam -is:unread',
    [
      ['-sender', 10],
      ['-is', 'unread'],
    ],
  ],
  [
    'dm:ada,me near:12 with:13 id:14',
    [
      ['dm', [9, 8]],
      ['near', 12],
      ['with', 13],
      ['id', 14],
    ],
  ],
  [
    'dm-including:adam channels:public in:home',
    [
      ['dm-including', 10],
      ['channels', 'public'],
      ['in', 'home'],
    ],
  ],
  [
    'is:dms is:read is:muted',
    [
      ['is', 'dm'],
      ['is', 'read'],
      ['is', 'muted'],
    ],
  ],
  ['in:"5\\" disks"', [['channel', 6]]],
  ['"before: noon" 12:30', [['search', '"before: noon" 12:30']]],
  ['https://example.com', [['search', 'https://example.com']]],
  ['from: car', [['search', 'from: car']]],
] as const;

for (const [query, terms] of QUERIES) {
  test(`the query ${query} searches for ${JSON.stringify(terms)}`, async () => {
    assert.deepEqual(await termsOfQuery(query, store), terms);
  });
}

for (const query of ['from:nobody', 'in:nowhere', 'has:money', 'is:late', 'before:noon', '-form:ada', 'near:noon']) {
  test(`the query ${query} is refused with its unknown part`, async () => {
    await assert.rejects(
      termsOfQuery(query, store),
      (error) => error instanceof UnknownFilter && query.endsWith(error.given),
    );
  });
}

test('any text is read as a query, in time proportional to its length', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 400 }), (query) => {
      try {
        return partsOfQuery(query).every(({ text }) => text.length <= 300);
      } catch (error) {
        return error instanceof UnknownFilter;
      }
    }),
  );
  assert.equal(partsOfQuery(`from:"${'"'.repeat(100_000)}`).length, 1);
});

test('terms are shown as a query with the same meaning', async () => {
  const query = 'from:"Ada Lovelace" -in:general has:link dm:"Ada Lovelace,9" near:12 lunch';
  const names = { person: (id: number) => (id === 9 ? 'Ada Lovelace' : undefined), channel: () => 'general' };
  const terms = [
    ['sender', 9],
    ['-channel', 4],
    ['has', 'link'],
    ['dm', [9]],
    ['near', 12],
    ['search', 'lunch'],
  ] as const;
  const shown = queryOf(terms, names);
  assert.equal(shown, query.replace(',9', ''));
  assert.deepEqual(await termsOfQuery(shown, store), terms);
});

test('any channel name is found again from the query that names it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ maxLength: 60 }), async (text) => {
      const name = text.trim();
      fc.pre(name !== '');
      const named = {
        ...store,
        channels: { get: () => new Map([[4, { stream_id: 4, name }]]) },
      } as unknown as ChatStore;
      assert.deepEqual(await termsOfQuery(queryOf([['channel', 4]], { ...NAMES, channel: () => name }), named), [
        ['channel', 4],
      ]);
    }),
  );
});

const NAMES = { person: () => undefined, channel: () => undefined };
