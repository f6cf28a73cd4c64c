import type { Case } from './case.ts';

export const QUOTES_CASES: readonly Case[] = [
  {
    name: 'a quote of one line',
    input: '> To be brief',
    html: '<blockquote>\n<p>To be brief</p>\n</blockquote>',
  },
  {
    name: 'a quote of two lines',
    input: '> one\n> two',
    html: '<blockquote>\n<p>one<br>\ntwo</p>\n</blockquote>',
  },
  {
    name: 'a quote sign without a space',
    input: '>tight',
    html: '<blockquote>\n<p>tight</p>\n</blockquote>',
  },
  {
    name: 'a line without a quote sign continues the quote',
    input: '> one\nand two',
    html: '<blockquote>\n<p>one<br>\nand two</p>\n</blockquote>',
  },
  {
    name: 'a quote after a line',
    input: 'He said:\n> no',
    html: '<p>He said:</p>\n<blockquote>\n<p>no</p>\n</blockquote>',
  },
  {
    name: 'a quote before a paragraph',
    input: '> a\n\nb',
    html: '<blockquote>\n<p>a</p>\n</blockquote>\n<p>b</p>',
  },
  {
    name: 'two quotes',
    input: '> a\n\n> b',
    html: '<blockquote>\n<p>a</p>\n</blockquote>\n<blockquote>\n<p>b</p>\n</blockquote>',
  },
  {
    name: 'paragraphs within a quote',
    input: '> a\n>\n> b',
    html: '<blockquote>\n<p>a</p>\n<p>b</p>\n</blockquote>',
  },
  {
    name: 'nested',
    input: '> a\n> > b',
    html: '<blockquote>\n<p>a</p>\n<blockquote>\n<p>b</p>\n</blockquote>\n</blockquote>',
  },
  {
    name: 'nested quote signs on one line',
    input: '>> b',
    html: '<blockquote>\n<blockquote>\n<p>b</p>\n</blockquote>\n</blockquote>',
  },
  {
    name: 'a quote sign alone is text',
    input: '>',
    html: '<p>&gt;</p>',
  },
  {
    name: 'quote signs alone are text',
    input: '>\n>',
    html: '<p>&gt;<br>\n&gt;</p>',
  },
  {
    name: 'a quote with emphasis',
    input: '> **so** it is',
    html: '<blockquote>\n<p><strong>so</strong> it is</p>\n</blockquote>',
  },
  {
    name: 'a quote with a list',
    input: '> * a\n> * b',
    html: '<blockquote>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n</blockquote>',
  },
  {
    name: 'a quote with a heading',
    input: '> # T\n> text',
    html: '<blockquote>\n<h1>T</h1>\n<p>text</p>\n</blockquote>',
  },
  {
    name: 'a quote ends at a heading',
    input: '> a\n# T',
    html: '<blockquote>\n<p>a</p>\n</blockquote>\n<h1>T</h1>',
  },
  {
    name: 'a quote ends at a list',
    input: '> a\n* b',
    html: '<blockquote>\n<p>a</p>\n</blockquote>\n<ul>\n<li>b</li>\n</ul>',
  },
  {
    name: 'a quote contains no fences',
    input: '> ```\n> x\n> ```',
    html: '<blockquote>\n<p><code>\nx\n</code></p>\n</blockquote>',
  },
  {
    name: 'a quote in a fence',
    input: '```quote\nwhat *he* said\n```',
    html: '<blockquote>\n<p>what <em>he</em> said</p>\n</blockquote>',
  },
  {
    name: 'a quote in tildes',
    input: '~~~ quote\nx\n~~~',
    html: '<blockquote>\n<p>x</p>\n</blockquote>',
  },
  {
    name: 'the language quoted',
    input: '```quoted\nx\n```',
    html: '<blockquote>\n<p>x</p>\n</blockquote>',
  },
  {
    name: 'the word quote in capitals',
    input: '```QUOTE\nx\n```',
    html: '<blockquote>\n<p>x</p>\n</blockquote>',
  },
  {
    name: 'fences within fences',
    input: '```quote\na\n```py\npass\n```\nb\n```',
    html: '<blockquote>\n<p>a</p>\n<div class="codehilite" data-code-language="Python"><pre><span></span><code><span class="k">pass</span>\n</code></pre></div>\n<p>b</p>\n</blockquote>',
  },
  {
    name: 'a quote in a quote',
    input: '````quote\n```quote\ninner\n```\nouter\n````',
    html: '<blockquote>\n<blockquote>\n<p>inner</p>\n</blockquote>\n<p>outer</p>\n</blockquote>',
  },
  {
    name: 'paragraphs in a fenced quote',
    input: '```quote\na\n\nb\n```\nc',
    html: '<blockquote>\n<p>a</p>\n<p>b</p>\n</blockquote>\n<p>c</p>',
  },
  {
    name: 'an unclosed fenced quote',
    input: '```quote\na',
    html: '<blockquote>\n<p>a</p>\n</blockquote>',
  },
  {
    name: 'a spoiler',
    input: '```spoiler The end\nHe *lives*\n```',
    html: '<div class="spoiler-block"><div class="spoiler-header">\n<p>The end</p>\n</div><div class="spoiler-content" aria-hidden="true">\n<p>He <em>lives</em></p>\n</div></div>',
  },
  {
    name: 'a spoiler without a heading',
    input: '```spoiler\nsecret\n```',
    html: '<div class="spoiler-block"><div class="spoiler-header">\n</div><div class="spoiler-content" aria-hidden="true">\n<p>secret</p>\n</div></div>',
  },
  {
    name: 'a spoiler heading with markup',
    input: '```spoiler **Who** did it?\nthe butler\n```',
    html: '<div class="spoiler-block"><div class="spoiler-header">\n<p><strong>Who</strong> did it?</p>\n</div><div class="spoiler-content" aria-hidden="true">\n<p>the butler</p>\n</div></div>',
  },
  {
    name: 'a list in a spoiler',
    input: '```spoiler s\n* a\n* b\n```',
    html: '<div class="spoiler-block"><div class="spoiler-header">\n<p>s</p>\n</div><div class="spoiler-content" aria-hidden="true">\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n</div></div>',
  },
  {
    name: 'code in a spoiler',
    input: '````spoiler s\n```\nx\n```\n````',
    html: '<div class="spoiler-block"><div class="spoiler-header">\n<p>s</p>\n</div><div class="spoiler-content" aria-hidden="true">\n<div class="codehilite"><pre><span></span><code>x\n</code></pre></div>\n</div></div>',
  },
  {
    name: 'a spoiler in a quote',
    input: '````quote\n```spoiler s\nx\n```\n````',
    html: '<blockquote>\n<div class="spoiler-block"><div class="spoiler-header">\n<p>s</p>\n</div><div class="spoiler-content" aria-hidden="true">\n<p>x</p>\n</div></div>\n</blockquote>',
  },
  {
    name: 'a spoiler heading creates no HTML',
    input: '```spoiler <b>x</b>\ny\n```',
    html: '<div class="spoiler-block"><div class="spoiler-header">\n<p>&lt;b&gt;x&lt;/b&gt;</p>\n</div><div class="spoiler-content" aria-hidden="true">\n<p>y</p>\n</div></div>',
  },
];
