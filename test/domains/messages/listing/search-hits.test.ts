import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SearchHits } from '../../../../lib/domains/messages/listing/search-hits.ts';

const mark = (html: string, ...words: string[]) => new SearchHits(words).mark(html);
const hit = (html: string) => `<span class="highlight">${html}</span>`;

test('hits that touch or overlap are one mark', () => {
  assert.equal(mark('<p>abcd</p>', 'ab', 'bc', 'd'), `<p>${hit('abcd')}</p>`);
});

test('a letter that folds to two is marked as a whole, and so are letters of two units', () => {
  assert.equal(mark('<p>aİb 😀c</p>', 'i', '😀'), `<p>a${hit('İ')}b ${hit('😀')}c</p>`);
  assert.equal(mark('<p>aİb</p>', '\u0307b'), `<p>a${hit('İb')}</p>`);
});

test('attributes and entities are left whole', () => {
  assert.equal(
    mark('<p title="x &gt; a">a&amp;b &#39;</p>', 'a', '&b', "'"),
    `<p title="x &gt; a">${hit('a&amp;b')} ${hit('&#39;')}</p>`,
  );
});

test('what one answer marks is limited, and texts beyond it stay as they are', () => {
  const hits = new SearchHits(['a']);
  const html = `<p>${'a '.repeat(5_000)}</p>`;
  assert.ok(hits.mark(html).startsWith(`<p>${hit('a')} ${hit('a')}`));
  for (let i = 0; i < 100; i++) hits.mark(html);
  assert.equal(hits.mark(html), html);
});
