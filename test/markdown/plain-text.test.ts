import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { plainText } from '../../lib/markdown/plain-text.ts';
import { renderMarkdown } from '../../lib/markdown/render.ts';

const CASES: [name: string, markdown: string, text: string][] = [
  ['formatting is left out', 'hello **b** *i* `c` ~~s~~', 'hello b i c s'],
  ['emoji are characters', ':tada: :flag_de:', '🎉 :flag_de:'],
  ['paragraphs and lines are lines', 'one\ntwo\n\nthree', 'one\ntwo\nthree'],
  ['quoted lines are marked', '> one\n> two\n\nafter', '> one\n> two\nafter'],
  ['lists are marked', '3. a\n4. b\n\n* x\n  * y', '3. a\n4. b\n- x\n  - y'],
  ['the content of a spoiler is left out', '```spoiler Head\nhidden\n```\nafter', 'Head (…)\nafter'],
  ['formulas are their source', '$$x^2$$ and\n```math\n\\frac12\n```', 'x^2 and\n\\frac12'],
  ['code is code', '```py\nprint("<1>")\n```', 'print("<1>")'],
  ['links are their text', '[l](https://x.example) https://y.example/a?b=1&c', 'l https://y.example/a?b=1&c'],
  ['characters are themselves', '<b> & &amp; " \'', '<b> & & " \''],
];

describe('plain text of a message', () => {
  for (const [name, markdown, text] of CASES) {
    test(`plain text: ${name}`, () => assert.equal(plainText(renderMarkdown(markdown)), text));
  }
});
