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
  ['https://example.com', [['search', 'https://example.com']]],
  ['from: car', [['search', 'from: car']]],
] as const;

for (const [query, terms] of QUERIES) {
  test(`the query ${query} searches for ${JSON.stringify(terms)}`, async () => {
    assert.deepEqual(await termsOfQuery(query, store), terms);
  });
}

for (const query of ['from:nobody', 'in:nowhere', 'has:money', 'is:late']) {
  test(`the query ${query} is refused with its unknown part`, async () => {
    await assert.rejects(
      termsOfQuery(query, store),
      (error) => error instanceof UnknownFilter && query.endsWith(error.given),
    );
  });
}

test('any text is read as a query, in time proportional to its length', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 400 }), (query) => partsOfQuery(query).every(({ text }) => text.length <= 300)),
  );
  assert.equal(partsOfQuery(`from:"${'"'.repeat(100_000)}`).length, 1);
});

test('terms are shown as a query with the same meaning', async () => {
  const query = 'from:"Ada Lovelace" in:general has:link lunch';
  const names = { person: () => 'Ada Lovelace', channel: () => 'general' };
  assert.equal(queryOf(await termsOfQuery(query, store), names), query);
});
