import type { Case } from './case.ts';

export const LISTS_CASES: readonly Case[] = [
  {
    name: 'stars',
    input: '* a\n* b',
    html: '<ul>\n<li>a</li>\n<li>b</li>\n</ul>',
  },
  {
    name: 'dashes',
    input: '- a\n- b',
    html: '<ul>\n<li>a</li>\n<li>b</li>\n</ul>',
  },
  {
    name: 'pluses',
    input: '+ a\n+ b',
    html: '<ul>\n<li>a</li>\n<li>b</li>\n</ul>',
  },
  {
    name: 'mixed signs are one list',
    input: '* a\n- b\n+ c',
    html: '<ul>\n<li>a</li>\n<li>b</li>\n<li>c</li>\n</ul>',
  },
  {
    name: 'numbers',
    input: '1. a\n2. b',
    html: '<ol>\n<li>a</li>\n<li>b</li>\n</ol>',
  },
  {
    name: 'numbering starts with the first number',
    input: '4. a\n5. b',
    html: '<ol start="4">\n<li>a</li>\n<li>b</li>\n</ol>',
  },
  {
    name: 'later numbers are ignored',
    input: '1. a\n1. b\n7. c',
    html: '<ol>\n<li>a</li>\n<li>b</li>\n<li>c</li>\n</ol>',
  },
  {
    name: 'a list right after a line',
    input: 'Bring:\n* bread\n* salt',
    html: '<p>Bring:</p>\n<ul>\n<li>bread</li>\n<li>salt</li>\n</ul>',
  },
  {
    name: 'a numbered list right after a line',
    input: 'Do:\n1. this\n2. that',
    html: '<p>Do:</p>\n<ol>\n<li>this</li>\n<li>that</li>\n</ol>',
  },
  {
    name: 'a bullet needs a space',
    input: '-no\n*no',
    html: '<p>-no<br>\n*no</p>',
  },
  {
    name: 'a number needs a full stop',
    input: '1) no',
    html: '<p>1) no</p>',
  },
  {
    name: 'nested by two spaces',
    input: '* a\n  * b\n  * c\n* d',
    html: '<ul>\n<li>a<ul>\n<li>b</li>\n<li>c</li>\n</ul>\n</li>\n<li>d</li>\n</ul>',
  },
  {
    name: 'nested twice',
    input: '* a\n  * b\n    * c',
    html: '<ul>\n<li>a<ul>\n<li>b<ul>\n<li>c</li>\n</ul>\n</li>\n</ul>\n</li>\n</ul>',
  },
  {
    name: 'four spaces at once do not nest',
    input: '* a\n    * b',
    html: '<ul>\n<li>a<br>\n    * b</li>\n</ul>',
  },
  {
    name: 'numbers in bullets',
    input: '* a\n  1. b\n  2. c',
    html: '<ul>\n<li>\n<p>a</p>\n<ol>\n<li>b</li>\n<li>c</li>\n</ol>\n</li>\n</ul>',
  },
  {
    name: 'bullets in numbers',
    input: '1. a\n  * b\n2. c',
    html: '<ol>\n<li>\n<p>a</p>\n<ul>\n<li>b</li>\n</ul>\n</li>\n<li>\n<p>c</p>\n</li>\n</ol>',
  },
  {
    name: 'another kind of bullet starts a list',
    input: '* a\n1. b',
    html: '<ul>\n<li>a</li>\n</ul>\n<ol>\n<li>b</li>\n</ol>',
  },
  {
    name: 'empty lines make paragraphs',
    input: '* a\n\n* b',
    html: '<ul>\n<li>\n<p>a</p>\n</li>\n<li>\n<p>b</p>\n</li>\n</ul>',
  },
  {
    name: 'an item continues on the next line',
    input: '* a\nand on\n',
    html: '<ul>\n<li>a<br>\nand on</li>\n</ul>',
  },
  {
    name: 'an item continues on an indented line',
    input: '* a\n  and on',
    html: '<ul>\n<li>a<br>\n  and on</li>\n</ul>',
  },
  {
    name: 'a paragraph within an item',
    input: '* a\n\n  b\n* c',
    html: '<ul>\n<li>\n<p>a</p>\n<p>b</p>\n</li>\n<li>\n<p>c</p>\n</li>\n</ul>',
  },
  {
    name: 'text after a list',
    input: '* a\n\nb',
    html: '<ul>\n<li>a</li>\n</ul>\n<p>b</p>',
  },
  {
    name: 'emphasis in items',
    input: '* *a*\n* **b**',
    html: '<ul>\n<li><em>a</em></li>\n<li><strong>b</strong></li>\n</ul>',
  },
  {
    name: 'a quote in an item',
    input: '* a\n> b',
    html: '<ul>\n<li>a<blockquote>\n<p>b</p>\n</blockquote>\n</li>\n</ul>',
  },
  {
    name: 'a list ends at a heading',
    input: '* a\n# T',
    html: '<ul>\n<li>a</li>\n</ul>\n<h1>T</h1>',
  },
  {
    name: 'a list ends at a rule',
    input: '* a\n---',
    html: '<ul>\n<li>a</li>\n</ul>\n<hr>',
  },
  {
    name: 'a list ends at code',
    input: '* a\n```\nx\n```',
    html: '<ul>\n<li>a</li>\n</ul>\n<div class="codehilite"><pre><span></span><code>x\n</code></pre></div>',
  },
  {
    name: 'numbers of two digits continue',
    input: '9. a\n10. b',
    html: '<ol start="9">\n<li>a</li>\n<li>b</li>\n</ol>',
  },
  {
    name: 'one space before a bullet',
    input: '* a\n * b',
    html: '<ul>\n<li>a</li>\n<li>b</li>\n</ul>',
  },
  {
    name: 'two spaces before a bullet are text',
    input: '  * a',
    html: '<p>* a</p>',
  },
  {
    name: 'a heading in an item',
    input: '* # T',
    html: '<ul>\n<li>\n<h1>T</h1>\n</li>\n</ul>',
  },
  {
    name: 'code blocks keep their stars',
    input: '```\na\n* b\n```',
    html: '<div class="codehilite"><pre><span></span><code>a\n* b\n</code></pre></div>',
  },
  {
    name: 'a list in a quote right after a line',
    input: '```quote\nBring:\n* bread\n```',
    html: '<blockquote>\n<p>Bring:</p>\n<ul>\n<li>bread</li>\n</ul>\n</blockquote>',
  },
  {
    name: 'deeply nested and back',
    input: '* a\n  * b\n    * c\n* d',
    html: '<ul>\n<li>a<ul>\n<li>b<ul>\n<li>c</li>\n</ul>\n</li>\n</ul>\n</li>\n<li>d</li>\n</ul>',
  },
  {
    name: 'a list, text, a list',
    input: '* a\n\ntext\n* b',
    html: '<ul>\n<li>a</li>\n</ul>\n<p>text</p>\n<ul>\n<li>b</li>\n</ul>',
  },
  {
    name: 'an empty line before a nested list',
    input: '* a\n\n  * b',
    html: '<ul>\n<li>\n<p>a</p>\n<ul>\n<li>b</li>\n</ul>\n</li>\n</ul>',
  },
];
