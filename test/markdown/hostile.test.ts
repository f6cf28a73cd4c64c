import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import type { RenderData } from '../../lib/markdown/data.ts';
import { strictHtml } from '../../lib/markdown/html.ts';
import { parseMessage, renderMessage } from '../../lib/markdown/render.ts';
import { STRICT, violations } from './allowed.ts';
import { hostileMessages, REPEATED } from './hostile.ts';

const LENGTH = 10_000;
const MAX_HTML = 100_000;
const DATA: RenderData = {
  users: [{ id: 1, full_name: 'x', is_active: true }],
  channels: [{ id: 1, name: 'a' }],
  linkifiers: [
    { pattern: '#(?P<id>[0-9]+)', url_template: 'https://issues.example.com/{id}' },
    { pattern: '(?P<word>(a+)+)$', url_template: 'https://words.example.com/{word}' },
  ],
  options: { translateEmoticons: true },
};

describe('hostile messages', () => {
  for (const text of REPEATED) {
    it(`${JSON.stringify(text)} repeated renders into allowed HTML below the size limit`, () => {
      render(text.repeat(LENGTH / text.length));
    });
  }

  for (const [name, text] of hostileMessages(LENGTH)) {
    it(`${name} renders into allowed HTML below the size limit`, () => render(text));
  }

  it('formulas that are too large are shown as text, and the next formula is laid out', () => {
    for (const long of ['a&'.repeat(1_000), '\\\\hline'.repeat(500), 'é'.repeat(2_000)]) {
      const { html } = renderMessage(`$$${long}$$ $$y$$`);
      assert.match(html, /<span class="tex-error">/);
      assert.equal(html.match(/<span class="katex">/g)?.length, 1);
    }
  });

  it('linkifiers match anywhere in a message, for texts of up to about 300 characters', () => {
    const linkifiers = [{ pattern: '#(?P<id>[0-9]+)', url_template: 'https://issues.example.com/{id}' }];
    const links = (text: string) => renderMessage(text, { linkifiers }).html.match(/<a /g)?.length ?? 0;
    for (let before = 290; before < 310; before++) {
      for (const width of [before, before + 300]) {
        assert.equal(links(`${'q'.repeat(width)} #123456 ${'r '.repeat(800)}#7`), 2, `behind ${width} characters`);
      }
    }
    assert.equal(links(`#${'1'.repeat(280)} ${'r '.repeat(800)}`), 1);
    assert.equal(links('see #12 and what is said there\n'.repeat(300)), 300);
  });

  it('90 nested lists render into allowed HTML below the size limit', () => {
    render(Array.from({ length: 90 }, (_, depth) => `${'  '.repeat(depth)}- x`).join('\n'));
  });

  it('500 nested quotes render into allowed HTML below the size limit', () => {
    render(Array.from({ length: 500 }, (_, depth) => `${'`'.repeat(3 + (depth % 40))}quote`).join('\n'));
    render(`${'>'.repeat(3000)} x`);
  });

  it('quotes nested deeper than 24 levels stay text', () => {
    const { html } = renderMessage(`${'>'.repeat(40)} x`);
    assert.equal(html.match(/<blockquote>/g)?.length, 24);
    assert.match(html, /&gt;&gt;&gt;/);
  });

  it('a table with more cells than characters is limited to 8,000 cells', () => {
    const { html } = renderMessage(`${'|a'.repeat(1250)}|\n${'|-'.repeat(1250)}|\n${'|\n'.repeat(2500)}`);
    const cells = html.match(/<td>/g)?.length ?? 0;
    assert.ok(cells > 0 && cells <= 8_000, `${cells} cells`);
  });

  it('one line followed by thousands of short lines renders into allowed HTML below the size limit', () => {
    for (const [first, repeated] of [
      ['a|b\n-|-\n', '>\n'],
      ['a|b\n-|-\n', '|\n'],
      ['a\n', '>\n'],
      ['    a\n', '\n'],
      ['```\na\n', '\n'],
    ] as const) {
      render(`${first}${repeated.repeat(LENGTH / repeated.length)}    b`);
    }
  });

  it('code that makes grammars backtrack renders into allowed HTML below the size limit', () => {
    for (const [language, text] of [
      ['js', 'a=/(x+x+)+y/;'],
      ['html', '<a "'],
      ['md', '[a]('],
      ['bash', '$(('],
      ['java', '$'],
      ['csharp', 'begin\n'],
      ['sql', '$ '],
    ] as const) {
      render(`\`\`\`${language}\n${text.repeat(LENGTH / text.length)}\n\`\`\``);
    }
  });

  it('recursive and nested formulas render into allowed HTML below the size limit', () => {
    render('$$\\def\\a{\\b\\b}\\def\\b{\\c\\c}\\def\\c{\\a\\a}\\a$$');
    render(`$$${'\\frac{'.repeat(1500)}$$`);
    render(`$$${'{'.repeat(4000)}x${'}'.repeat(4000)}$$`);
  });

  it('a linkifier that searches the rest of the text for each match stops at a limit', () => {
    const linkifiers = [
      { pattern: 'x(?P<a>.*[zw]|y)(?P<b>[^a]*[qj]|)', url_template: 'https://words.example.com/{a}' },
    ];
    const { html } = renderMessage('xy '.repeat(3333), { linkifiers });
    const links = html.match(/<a /g)?.length ?? 0;
    assert.ok(links > 10 && links < 1000, `${links} links`);
  });

  it('formulas with very large HTML are shown as text, with the first ones laid out', () => {
    const long = `$$${'x^2 '.repeat(2_000)}$$`;
    const { html } = renderMessage(`${long} $$y$$`);
    assert.ok(html.includes(`<span class="tex-error">${long.slice(0, 20)}`), 'the long one is unchanged');
    assert.equal(html.match(/<span class="katex">/g)?.length, 1);
    const many = renderMessage('$$x_1^2$$ '.repeat(200)).html;
    assert.ok(many.includes('<span class="katex">') && many.includes('<span class="tex-error">'));
    assert.ok(many.length <= MAX_HTML, `${many.length} characters`);
  });

  it('a message with 4,000 emoji stops rendering constructs at a limit', () => {
    const { html } = renderMessage(`${':a: '.repeat(3999)}:a:`);
    assert.match(html, / :a: :a:<\/p>$/);
  });
});

function render(text: string): void {
  parseMessage(text);
  const { html } = renderMessage(text, DATA);
  assert.ok(html.length <= MAX_HTML, `${html.length} characters`);
  assert.deepEqual(violations(html), []);
  assert.deepEqual(violations(strictHtml(html), STRICT), []);
}
