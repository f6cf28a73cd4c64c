import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { firstInOrder, NameQuery, searchedName } from '../../lib/rules/search-words.ts';

const rank = (query: string, name: string) => new NameQuery(searchedName(query)).rank(searchedName(name));

describe('searching names', () => {
  for (const [query, name, wanted] of [
    ['ada lovelace', 'Ada Lovelace', 0],
    ['ada', 'Ada Lovelace', 1],
    ['ADA L', 'Ada Lovelace', 1],
    ['love', 'Ada Lovelace', 2],
    ['love ada', 'Ada Lovelace', 2],
    ['da', 'Ada Lovelace', undefined],
    ['ada x', 'Ada Lovelace', undefined],
    ['zoe', 'Zoë Müller', 1],
    ['mul', 'Zoë Müller', 2],
    ['zoë', 'Zoe', 0],
    ['Ｚｏｅ', 'Zoe', 0],
    ['istanbul', 'İstanbul', 0],
    ['soren', 'Søren', 0],
    ['søren', 'Soren', 0],
    ['lukasz', 'Łukasz Nowak', 1],
    ['strasse', 'Straße', 0],
    ['οδυσσευς', 'Οδυσσεύς', 0],
    ['luc', 'Jean-Luc', 2],
    ['jean-l', 'Jean-Luc', 1],
    ["o'b", "Conan O'Brien", 2],
    ['c++', 'c++', 0],
    ['山', '山田太郎', 1],
    ['太郎', '山田太郎', 2],
    ['각', '각시', 1],
    ['***', '***', 0],
    ['***', 'Ada', undefined],
    ['👑', '👑 King', 1],
    ['', 'Ada', 1],
    ['   ', 'Ada', 1],
  ] as const) {
    test(`"${query}" for "${name}": ${wanted}`, () => assert.equal(rank(query, name), wanted));
  }

  test('the best matches up to the limit are kept, in order', () => {
    const numbers = Array.from({ length: 1_000 }, (_, at) => (at * 7_919) % 1_000);
    const first = firstInOrder(numbers, (a, b) => a - b, 5);
    assert.deepEqual(first, [0, 1, 2, 3, 4]);
    assert.deepEqual(
      firstInOrder([3, 1], (a, b) => a - b, 5),
      [1, 3],
    );
  });
});
