import type { Case } from './case.ts';

export const FORMULAS_CASES: readonly Case[] = [
  {
    name: 'an error of a formula is shown',
    input: 'so $$\\nope{x}$$',
    html: '<p>so <span class="tex-error">$$\\nope{x}$$</span></p>',
  },
  {
    name: 'an error of a formula in a block',
    input: '```math\n\\nope\n```',
    html: '<p><span class="tex-error">\\nope</span></p>',
  },
  {
    name: 'quotation marks of an error are escaped in a block',
    input: '```math\n\\nope{\'a"&<}\n```',
    html: '<p><span class="tex-error">\\nope{&#x27;a&quot;&amp;&lt;}</span></p>',
  },
  {
    name: 'quotation marks of an error are unchanged within a line',
    input: '$$\\nope{\'a"&<}$$',
    html: '<p><span class="tex-error">$$\\nope{\'a"&amp;&lt;}$$</span></p>',
  },
  {
    name: 'amounts of money are not a formula',
    input: 'from $5 to $$6 and $7$$8',
    html: '<p>from $5 to $$6 and $7$$8</p>',
  },
  {
    name: 'a formula does not span lines',
    input: '$$a\nb$$',
    html: '<p>$$a<br>\nb$$</p>',
  },
  {
    name: 'three dollar signs are text',
    input: '$$$ and $$$$',
    html: '<p>$$$ and $$$$</p>',
  },
  {
    name: 'a smiley of dollar signs is text',
    input: '$$_$$',
    html: '<p>$$_$$</p>',
  },
  {
    name: 'a formula in code',
    input: '`$$x$$`',
    html: '<p><code>$$x$$</code></p>',
  },
  {
    name: 'an error contains no markup',
    input: '$$\\nope<b>$$',
    html: '<p><span class="tex-error">$$\\nope&lt;b&gt;$$</span></p>',
  },
];
