import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldSearch } from '../../lib/rules/fold.ts';
import { hitsIn, indexLookupOf, itemsOf, joinSearches, matchesSearch, readSearch } from '../../lib/rules/search.ts';
import { indexedWords, partsOf } from '../../lib/rules/search-words.ts';

const LONG = 'a'.repeat(24);

/** Texts that a search finds or does not find. `/` separates content and topic. */
const FOUND: [search: string, found: string[], others: string[]][] = [
  ['filing', ['Files', 'to file', 'filings/x', 'x/filed'], ['fil', 'fi', 'profile']],
  ['fil', ['filter', 'FIL'], ['profil', 'fi']],
  ['fi', ['fi', 'a fi b'], ['fil', 'file']],
  ['ship sea', ['the sea/a ship', 'ships at sea'], ['ship', 'sea/']],
  ['the ship', ['a ship'], ['the']],
  ['the', ['the', 'then'], ['a']],
  ['"the ship"', ['see the ship', 'x/the ships'], ['a ship', 'the/ship', 'the  ship', 'bathe ship/']],
  [
    '"ship at" sea',
    ['the ship at sea', 'sea/a ship at x'],
    ['the ship at', 'ship sea at', 'ships at sea', 'sea ship athwart'],
  ],
  ['東京', ['大東京都', 'x/東京'], ['東', '京東']],
  ['東', ['東京'], ['京']],
  ['c++', ['c++', 'c+'], ['c', 'cc']],
  ['50%', ['50 %', '50%'], ['50']],
  ['🎉', ['yes 🎉!'], ['yes 🎈']],
  ['É', ['école', 'e\u0301', 'é'].filter((text) => text !== 'école'), ['e', 'école']],
  [`${LONG}b`, [`${LONG}b`, `${LONG}bc`], [LONG, `${LONG}c`]],
];

test('a search finds texts with the words, their stems or beginnings, and the phrases', () => {
  for (const [search, found, others] of FOUND) {
    const sought = readSearch(search);
    const finds = (text: string) => {
      const [content = '', topic = ''] = text.split('/');
      return matchesSearch(sought, content, topic);
    };
    for (const text of found) assert.equal(finds(text), true, `${search} in ${text}`);
    for (const text of others) assert.equal(finds(text), false, `${search} not in ${text}`);
  }
  for (const nothing of ['', '!', '"', '""', '" "'])
    assert.equal(matchesSearch(readSearch(nothing), '! " "" a', ''), false);
});

test('the index words of a text contain what is looked up for each search that finds it', () => {
  for (const [search, found] of FOUND) {
    for (const text of found) {
      const indexed = [...indexedWords(text.split('/')[0] ?? ''), ...indexedWords(text.split('/')[1] ?? '')];
      for (const word of readSearch(search).words) {
        const { exactly = [], all = [], opening, literal } = indexLookupOf(word);
        const isThere =
          exactly.some((one) => indexed.includes(one)) || indexed.some((one) => opening && one.startsWith(opening));
        assert.ok(exactly.length + Number(opening !== undefined) === 0 || isThere, `${word.text} in ${text}`);
        assert.ok(
          all.every((one) => indexed.includes(one)),
          `${word.text} in ${text}`,
        );
        assert.ok(literal === undefined || foldSearch(text).includes(literal), `${word.text} in ${text}`);
      }
    }
  }
});

test('search hits are the letters of the search: the beginning of a longer word, or the whole word with the same stem', () => {
  for (const [search, text, hits] of [
    ['fil', 'a filter, fil', ['fil', 'fil']],
    ['filing', 'files filings', ['files', 'filing']],
    ['"a b" c', 'a b a b c', ['a b', 'a b', 'c']],
    ['aa+', 'aa ++', ['aa', '+', '+']],
    ['東京', '東京東京', ['東京', '東京']],
    ['x', 'a b', []],
  ] as const) {
    const found = hitsIn(readSearch(search), text).map(([from, to]) => text.slice(from, to));
    assert.deepEqual(found.sort(), [...hits].sort(), search);
  }
});

test('searches are split into items and parts, and joined without repetitions', () => {
  assert.deepEqual(itemsOf(' a "b c" d"e f" "" '), ['a', '"b c"', 'd"e', 'f"', '""']);
  assert.deepEqual(
    partsOf('ab1_c 東京x<').map(({ kind, text, at }) => [kind, text, at]),
    [
      ['word', 'ab1', 0],
      ['word', 'c', 4],
      ['run', '東京', 6],
      ['word', 'x', 8],
      ['sign', '<', 9],
    ],
  );
  const joined = joinSearches([readSearch('ship "a b"'), readSearch('sea ship "a b"')]);
  assert.deepEqual(joined.phrases, ['a b']);
  assert.deepEqual(
    joined.words.map(({ text }) => text),
    ['ship', 'a', 'b', 'sea'],
  );
});
