import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchHits } from '../../../../lib/domains/messages/listing/show-messages.ts';
import { readSearch } from '../../../../lib/rules/search.ts';

const mark = (html: string, ...words: string[]) => searchHits(readSearch(words.join(' '))).mark(html);
/** Text that a search looks for literally, word or not. */
const markText = (html: string, ...phrases: string[]) => searchHits({ words: [], phrases }).mark(html);
const hit = (html: string) => `<span class="highlight">${html}</span>`;

test('adjacent and overlapping search hits are highlighted together', () => {
  assert.equal(markText('<p>abcd</p>', 'ab', 'bc', 'd'), `<p>${hit('abcd')}</p>`);
});

test('a search hit includes whole letters that fold to two or have two code units', () => {
  assert.equal(markText('<p>aİb 😀c</p>', 'i', '😀'), `<p>a${hit('İ')}b ${hit('😀')}c</p>`);
  assert.equal(markText('<p>aİb</p>', '\u0307b'), `<p>a${hit('İb')}</p>`);
});

test('D12: a search hit includes a letter with its accents, in composed and decomposed form', () => {
  const zurich = 'Zürich'.normalize('NFD');
  assert.equal(mark(`<p>a ${zurich} b</p>`, 'Zürich'), `<p>a ${hit(zurich)} b</p>`);
  assert.equal(mark('<p>a Zürich b</p>', zurich), `<p>a ${hit('Zürich')} b</p>`);
  assert.equal(markText(`<p>a ${zurich} b</p>`, 'ü'), `<p>a Z${hit('ü'.normalize('NFD'))}rich b</p>`);
});

test('search hits leave attributes unchanged and include whole entities', () => {
  assert.equal(
    markText('<p title="x &gt; a">a&amp;b &#39;</p>', 'a', '&b', "'"),
    `<p title="x &gt; a">${hit('a&amp;b')} ${hit('&#39;')}</p>`,
  );
  assert.equal(markText('<p>a&hearts;b</p>', 'hear'), `<p>a${hit('&hearts;')}b</p>`);
});

test('the text that a response highlights is limited, and text beyond it is unchanged', () => {
  const hits = searchHits(readSearch('a'));
  const html = `<p>${'a '.repeat(5_000)}</p>`;
  assert.ok(hits.mark(html).startsWith(`<p>${hit('a')} ${hit('a')}`));
  for (let i = 0; i < 100; i++) hits.mark(html);
  assert.equal(hits.mark(html), html);
});

test('the typed beginning of a word is highlighted, or the whole word if only the stem matches', () => {
  assert.equal(
    mark('<p>deployed deployment redeploy</p>', 'deploy'),
    `<p>${hit('deploy')}ed ${hit('deploy')}ment redeploy</p>`,
  );
  assert.equal(mark('<p>deploys, to deploy</p>', 'deployed'), `<p>${hit('deploys')}, to ${hit('deploy')}</p>`);
});

test('search hits in text without spaces are highlighted anywhere', () => {
  assert.equal(mark('<p>我在东京都工作</p>', '京都'), `<p>我在东${hit('京都')}工作</p>`);
});
