import assert from 'node:assert/strict';
import { test } from 'node:test';
import { strictHtml } from '../../lib/markdown/html.ts';
import { plainText } from '../../lib/markdown/plain-text.ts';
import { renderMessage } from '../../lib/markdown/render.ts';
import { STRICT, violations } from './allowed.ts';

const strictOf = (text: string) => strictHtml(renderMessage(text).html);

test('no element of the strict grammar has a style attribute', () => {
  for (const [name, attributes] of Object.entries(STRICT)) assert.ok(!Object.hasOwn(attributes, 'style'), name);
});

test('formulas keep only their MathML, and surrounding text stays', () => {
  const html = strictOf('so $$a^2$$, and $$b$$ here');
  assert.match(
    html,
    /^<p>so <span class="katex"><span class="katex-mathml"><math [^>]*>.*<\/math><\/span><\/span>, and /,
  );
  assert.match(html, /<\/span><\/span> here<\/p>$/);
  assert.doesNotMatch(html, /katex-html|style=/);
  assert.equal(html.match(/<math /g)?.length, 2);
  assert.equal(plainText(html), plainText(renderMessage('so $$a^2$$, and $$b$$ here').html));
});

test('formulas with boxes, colors, rules and stretched symbols have no style attribute', () => {
  for (const tex of [
    '\\fcolorbox{red}{blue}{x}',
    '\\colorbox{#abc}{y}',
    '\\color{red} x \\rule{1em}{2em}',
    '\\sqrt[3]{\\frac{a}{b}}',
    '\\begin{array}{c|c}a&b\\\\\\hline c&d\\end{array}',
    '\\overbrace{a+b}^{c}',
    '\\cancel{x} \\boxed{y} \\raisebox{1em}{z}',
    '\\underline{\\text{<span style="a">}}',
  ]) {
    const { html } = renderMessage(`$$${tex}$$`);
    assert.match(html, / style="/, tex);
    assert.deepEqual(violations(strictHtml(html), STRICT), [], tex);
  }
});

test('table cells are aligned by class', () => {
  const html = strictOf('|a|b|c|d|\n|:-|:-:|-:|-|\n|1|2|3|4|');
  assert.match(html, /<th class="align-left">a<\/th>\n<th class="align-center">b<\/th>\n<th class="align-right">c/);
  assert.match(html, /<td class="align-left">1<\/td>\n<td class="align-center">2<\/td>\n<td class="align-right">3/);
  assert.match(html, /<th>d<\/th>/);
});

test('text and attributes that look like a style are unchanged', () => {
  for (const text of [
    'write <b style="color: red"> so',
    '`<td style="text-align: left;">`',
    '[x](https://example.com "a style=\\"b\\"")',
    '| style="x" |\n|:-|\n| <span class="katex-html" aria-hidden="true"> |',
  ]) {
    const { html } = renderMessage(text);
    assert.equal(strictHtml(html).replace(/ class="align-left"/g, ' style="text-align: left;"'), html);
  }
  const { html } = renderMessage('just *text*');
  assert.equal(strictHtml(html), html);
});
