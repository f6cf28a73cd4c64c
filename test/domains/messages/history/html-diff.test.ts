import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DIFF_BUDGET, htmlDiffer } from '../../../../lib/domains/messages/history/html-diff.ts';

const diff = (before: string, after: string) => htmlDiffer()(before, after);
const gone = (text: string) => `<span class="highlight_text_deleted">${text}</span>`;
const fresh = (text: string) => `<span class="highlight_text_inserted">${text}</span>`;

test('an HTML diff highlights removed and added words', () => {
  assert.equal(diff('<p>one two</p>', '<p>one three</p>'), `<div><p>one ${gone('two')}${fresh('three')}</p></div>`);
  assert.equal(diff('<p>same</p>', '<p>same</p>'), '<div><p>same</p></div>');
  assert.equal(diff('', '<p>new</p>'), `<div><p>${fresh('new')}</p></div>`);
});

test('an HTML diff has the structure of the new version', () => {
  assert.equal(diff('<p>a b</p>', '<p>a <strong>b</strong></p>'), '<div><p>a <strong>b</strong></p></div>');
  assert.equal(diff('<p>a <em>b</em></p>', '<p>a</p>'), `<div><p>a${gone(' b')}</p></div>`);
  const lists = diff('<ul>\n<li>a</li>\n</ul>', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>');
  assert.equal(lists.replace(/<\/?span[^>]*>/g, ''), '<div><ul>\n<li>a</li>\n<li>b</li>\n</ul></div>');
});

test('an HTML diff replaces links and mentions as a whole', () => {
  const link = (href: string) => `<a href="${href}">here</a>`;
  const [one, two] = [link('https://a.example'), link('https://b.example')];
  assert.equal(diff(`<p>${one}</p>`, `<p>${two}</p>`), `<div><p>${gone(one)}${fresh(two)}</p></div>`);
  const nested = '<span class="katex"><span>x</span><span>y</span></span>';
  assert.equal(diff(`<p>${nested}</p>`, '<p>z</p>'), `<div><p>${gone(nested)}${fresh('z')}</p></div>`);
});

/** HTML of the form that the renderer gives: closed tags, escaped text. */
const word = fc.constantFrom('a', 'b', 'cc', ' ', '&amp;', '&lt;b&gt;', 'é', '🎭', '\n');
const { node } = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    word,
    fc
      .tuple(
        fc.constantFrom('p', 'strong', 'em', 'ul', 'li', 'span', 'a', 'blockquote'),
        fc.array(tie('node'), { maxLength: 4 }),
      )
      .map(([name, children]) => `<${name}>${children.join('')}</${name}>`),
    fc.constantFrom('<br>', '<img src="/x.png">'),
  ),
}));
const html = fc.array(node, { maxLength: 8 }).map((nodes) => nodes.join(''));

test('an HTML diff of any two versions nests its tags, and contains the new version', () => {
  fc.assert(
    fc.property(html, html, (before, after) => {
      const result = diff(before, after);
      const open: string[] = [];
      for (const [, slash, name] of result.matchAll(/<(\/?)(\w+)[^>]*>/g)) {
        if (name === 'br' || name === 'img') continue;
        if (slash === '') open.push(name as string);
        else assert.equal(open.pop(), name, result);
      }
      assert.deepEqual(open, []);
      assert.equal(withoutHighlights(result), `<div>${after}</div>`);
    }),
    { numRuns: 500 },
  );
});

/** Removes deleted spans with their content, and only the tags of inserted spans. */
function withoutHighlights(result: string): string {
  let kept = '';
  const spans: ('deleted' | 'inserted' | 'own')[] = [];
  for (const part of result.match(/<[^>]*>|[^<]+/g) ?? []) {
    const kind = /^<span class="highlight_text_(\w+)">/.exec(part)?.[1] as 'deleted' | 'inserted' | undefined;
    if (kind) spans.push(kind);
    else if (part.startsWith('<span')) {
      spans.push('own');
      if (!spans.includes('deleted')) kept += part;
    } else if (part === '</span>') {
      const hidden = spans.includes('deleted');
      if (spans.pop() === 'own' && !hidden) kept += part;
    } else if (!spans.includes('deleted')) kept += part;
  }
  return kept;
}

const letters = (count: number, at: (n: number) => number) =>
  Array.from({ length: count }, (_, n) => 'abcd'[at(n) % 4]).join(' ');
const HOSTILE = [
  ['a b '.repeat(8_000), 'b a '.repeat(8_000)],
  [letters(16_000, (n) => (n * n * 31) >> 3), letters(16_000, (n) => (n * n * 17) >> 5)],
  [Array.from({ length: 8_000 }, (_, n) => n).join(' '), Array.from({ length: 8_000 }, (_, n) => 8_000 - n).join(' ')],
  ['<em>'.repeat(4_000) + '</em>'.repeat(4_000), '<strong>'.repeat(4_000) + '</strong>'.repeat(4_000)],
  ['<span>'.repeat(4_000) + '</span>'.repeat(4_000), '<a>'.repeat(4_000) + '</a>'.repeat(4_000)],
  ['<'.repeat(32_000), '>'.repeat(32_000)],
] as const;

test('the diffs of a response share a limit of steps, and beyond it replace the whole text', () => {
  const budget = { ...DIFF_BUDGET };
  const htmlDiff = htmlDiffer(budget);
  const before = budget.steps;
  let least = before;
  for (const [old, present] of HOSTILE) {
    htmlDiff(old, present);
    // One diff alone stays below the limit.
    assert.ok(least - budget.steps < before / 2);
    least = budget.steps;
  }
  assert.ok(least > 0);
  budget.steps -= least;
  assert.equal(htmlDiff('<p>a b c</p>', '<p>x b y</p>'), `<div><p>${gone('a b c')}${fresh('x b y')}</p></div>`);
  assert.equal(budget.steps, 0);
});

test('beyond the limit of text in a response, a diff is the new version without highlights', () => {
  const htmlDiff = htmlDiffer();
  const long = (word: string) => `<p>${`${word} `.repeat(5_000)}</p>`;
  let shown = '';
  for (let n = 0; n < 100; n++) shown = htmlDiff(long(`old ${n}`), long('present'));
  assert.equal(shown, `<div>${long('present')}</div>`);
  assert.equal(htmlDiff('<p>a</p>', '<p>b</p>'), '<div><p>b</p></div>');
});
