import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchHits } from '../../../../lib/domains/messages/listing/search-hits.ts';
import { readSearch } from '../../../../lib/rules/search.ts';

const mark = (html: string, ...words: string[]) => searchHits(readSearch(words.join(' '))).mark(html);
/** Looked for as it stands, be it a word or not. */
const markText = (html: string, ...phrases: string[]) => searchHits({ words: [], phrases }).mark(html);
const hit = (html: string) => `<span class="highlight">${html}</span>`;

test('hits that touch or overlap are one mark', () => {
  assert.equal(markText('<p>abcd</p>', 'ab', 'bc', 'd'), `<p>${hit('abcd')}</p>`);
});

test('a letter that folds to two is marked as a whole, and so are letters of two units', () => {
  assert.equal(markText('<p>aİb 😀c</p>', 'i', '😀'), `<p>a${hit('İ')}b ${hit('😀')}c</p>`);
  assert.equal(markText('<p>aİb</p>', '\u0307b'), `<p>a${hit('İb')}</p>`);
});

test('D12: a letter and its accents are marked together, however they are written', () => {
  const zurich = 'Zürich'.normalize('NFD');
  assert.equal(mark(`<p>a ${zurich} b</p>`, 'Zürich'), `<p>a ${hit(zurich)} b</p>`);
  assert.equal(mark('<p>a Zürich b</p>', zurich), `<p>a ${hit('Zürich')} b</p>`);
  assert.equal(markText(`<p>a ${zurich} b</p>`, 'ü'), `<p>a Z${hit('ü'.normalize('NFD'))}rich b</p>`);
});

test('attributes and entities are left whole', () => {
  assert.equal(
    markText('<p title="x &gt; a">a&amp;b &#39;</p>', 'a', '&b', "'"),
    `<p title="x &gt; a">${hit('a&amp;b')} ${hit('&#39;')}</p>`,
  );
  assert.equal(markText('<p>a&hearts;b</p>', 'hear'), `<p>a${hit('&hearts;')}b</p>`);
});

test('what one answer marks is limited, and texts beyond it stay as they are', () => {
  const hits = searchHits(readSearch('a'));
  const html = `<p>${'a '.repeat(5_000)}</p>`;
  assert.ok(hits.mark(html).startsWith(`<p>${hit('a')} ${hit('a')}`));
  for (let i = 0; i < 100; i++) hits.mark(html);
  assert.equal(hits.mark(html), html);
});

test('a word is marked as far as it was typed, and as a whole where only the stem is the same', () => {
  assert.equal(
    mark('<p>deployed deployment redeploy</p>', 'deploy'),
    `<p>${hit('deploy')}ed ${hit('deploy')}ment redeploy</p>`,
  );
  assert.equal(mark('<p>deploys, to deploy</p>', 'deployed'), `<p>${hit('deploys')}, to ${hit('deploy')}</p>`);
});

test('a run of letters without spaces is marked wherever it stands', () => {
  assert.equal(mark('<p>我在东京都工作</p>', '京都'), `<p>我在东${hit('京都')}工作</p>`);
});
