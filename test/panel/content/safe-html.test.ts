import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { htmlDiffer } from '../../../lib/domains/messages/history/html-diff.ts';
import type { RenderData } from '../../../lib/markdown/data.ts';
import { renderMessage } from '../../../lib/markdown/render.ts';
import { safeHtml } from '../../../lib/panel/content/safe-html.ts';
import { violations } from '../../markdown/allowed.ts';
import { ALL_CASES } from '../../markdown/cases/index.ts';
import { hostileMessages, REPEATED } from '../../markdown/hostile.ts';

const DATA: RenderData = {
  users: [{ id: 10, full_name: 'Ada Byron', is_active: true }],
  groups: [{ id: 17, name: 'staff', deactivated: false }],
  channels: [{ id: 5, name: 'design' }],
  options: { translateEmoticons: true, realmUrl: 'https://chat.example.org' },
};

describe('safeHtml with HTML of the server', () => {
  for (const [subject, cases] of Object.entries(ALL_CASES))
    it(`keeps everything but layout and unsafe attributes: ${subject}`, () => {
      for (const { input, data } of cases) passes(renderMessage(input, data).html);
    });

  it('keeps the highlights of an edit history', () => {
    const html = htmlDiffer()('<p>one two</p>', '<p>one three</p>');
    assert.match(html, /highlight_text_inserted/);
    passes(html);
  });

  it('keeps everything but layout of hostile Markdown', () => {
    for (const text of REPEATED) passes(renderMessage(text.repeat(5_000 / text.length), DATA).html);
    for (const [, text] of hostileMessages(5_000)) passes(renderMessage(text, DATA).html);
  });

  it('keeps everything but layout of any Markdown', () => {
    const part = fc.oneof(fc.constantFrom(...REPEATED, '@**Ada Byron**', '@*staff*', '#**design>a**'), fc.string());
    const message = fc.array(part, { maxLength: 30 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(message, (text) => passes(renderMessage(text, DATA).html)),
      { numRuns: 1000 },
    );
  });
});

describe('safeHtml with other HTML', () => {
  for (const [name, html, safe] of [
    ['scripts are text', '<p><script>alert(1)</script></p>', '<p>alert(1)</p>'],
    ['comments are text', '<!--<p>-->', '&lt;!--<p>--></p>'],
    ['unknown attributes are removed', '<p onclick="x()" id="a">x</p>', '<p>x</p>'],
    ['javascript addresses are removed', '<a href="javascript:x()">x</a>', '<a>x</a>'],
    [
      'character references in addresses are not decoded',
      '<a href="&#x2f;&#x2f;a.example">x</a><a href="/&#92;a.example">x</a>',
      '<a>x</a><a href="/&amp;#92;a.example">x</a>',
    ],
    ['addresses of other schemes are removed', '<a href="tel:123">x</a>', '<a>x</a>'],
    ['end tags without a start tag are removed', '</div></p>x', 'x'],
    ['open elements are closed', '<p><em>x', '<p><em>x</em></p>'],
    [
      'items and quotes get the direction of their text',
      '<ul><li dir="ltr">x</li></ul>',
      '<ul><li dir="auto">x</li></ul>',
    ],
    ['styles are removed', '<span class="katex" style="position:fixed">x</span>', '<span class="katex">x</span>'],
    [
      'classes of the panel are removed',
      '<span class="composer">x</span><div class="notice">y</div>',
      '<span>x</span><div>y</div>',
    ],
    ['search highlights are kept', '<span class="highlight">x</span>', '<span class="highlight">x</span>'],
    ['half a tag is text', '<p><a href="x', '<p>&lt;a href="x</p>'],
    [
      'the layout of a formula is removed with its content',
      '<p><span class="katex-html"><b>x<path d="M0"/></b></span>y</p>',
      '<p>y</p>',
    ],
    ['an unclosed layout of a formula removes the rest', '<p><span class="katex-html"><p>x</span></p>y', '<p></p>'],
  ] as const)
    it(name, () => assert.equal(safeHtml(html), safe));

  it('handles the largest size in linear time', () => {
    for (const part of [
      '<p>',
      '<p></b>',
      '</p>',
      '<',
      '<p ',
      '<p a="',
      '<span class="katex-html">',
      '<a href="/x" title="y',
    ])
      assert.ok(violationsOf(safeHtml(part.repeat(1_000_000 / part.length))).length <= 500);
  });

  it('does not change its own output', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('<p>', '</p>', '<a href="/&amp;', '">', '<', '"', '&', 'x', ' ')),
        (parts) => {
          const safe = safeHtml(parts.join(''));
          assert.equal(safeHtml(safe), safe);
        },
      ),
    );
  });
});

/** Any text; tags from the grammar. */
const violationsOf = (html: string) => violations(html).filter((one) => !one.startsWith('a bare '));

function passes(html: string): void {
  const safe = safeHtml(html);
  assert.equal(safe, expected(html));
  assert.deepEqual(violations(safe), []);
}

function expected(html: string): string {
  return withoutLayout(html)
    .replace(/<(t[dh]) style="text-align: (left|center|right);">/g, '<$1 class="align-$2">')
    .replace(/<(blockquote|li)>/g, '<$1 dir="auto">')
    .replace(/ style="[^"]*"/g, '')
    .replace(/ href="(?!https?:|mailto:|\/|#)[^"]*"/g, '')
    .replace(/ (?:href|src|data-original-url)="[^"]*\\[^"]*"/g, '');
}

/** Without `<span class="katex-html">` and its content. */
function withoutLayout(html: string): string {
  const [before = '', ...rest] = html.split('<span class="katex-html" aria-hidden="true">');
  return before + rest.map(afterElement).join('');
}

function afterElement(html: string): string {
  let depth = 1;
  for (const { 0: tag, index } of html.matchAll(/<span|<\/span>/g)) {
    depth += tag === '<span' ? 1 : -1;
    if (depth === 0) return html.slice(index + tag.length);
  }
  return '';
}
