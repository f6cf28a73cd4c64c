import assert from 'node:assert/strict';
import { test } from 'node:test';
import { indexLookupOf, readSearch, withoutImplied } from '../../lib/rules/search.ts';
import { indexedWords } from '../../lib/rules/search-words.ts';

test('index lookups leave out a word form that its stem always implies', () => {
  const sought = (text: string) => indexLookupOf({ kind: 'word', text }).exactly;
  assert.deepEqual(sought('everywhere'), ['severywher']);
  assert.deepEqual(sought('swims'), ['sswim', 'wswim']);
  assert.deepEqual(sought('lamp'), ['wlamp', 'slamp']);
  assert.deepEqual(withoutImplied(['severywher', 'weverywhere', 'weverywhen']), ['severywher', 'weverywhen']);
});

test('the index words of a text contain a lookup for each of its words', () => {
  for (const word of 'everywhere swims lamp flies generalizations filing file 12 internationalization'.split(' ')) {
    const { exactly = [] } = indexLookupOf({ kind: 'word', text: word });
    const indexed = indexedWords(`the ${word} of it`);
    assert.ok(
      exactly.some((one) => indexed.has(one)),
      word,
    );
  }
});

test('index lookups keep a truncated word beside its stem', () => {
  const cut = `w${'abcdefghijklmnopqrstuv'}ed`.slice(0, 25);
  assert.deepEqual(withoutImplied([cut, 'sabcdefghijklmnopqrstuv']), [cut, 'sabcdefghijklmnopqrstuv']);
});

test('a search ignores frequent words beside a phrase, but not on their own', () => {
  const words = (search: string) => readSearch(search).words.map(({ text }) => text);
  assert.deepEqual(words('"big plan" the'), words('"big plan"'));
  assert.deepEqual(words('plan the'), ['plan']);
  assert.deepEqual(words('the'), ['the']);
});
