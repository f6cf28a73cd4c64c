import type { Case } from './case.ts';

export const EMPHASIS_CASES: readonly Case[] = [
  {
    name: 'stars',
    input: 'this is *important* today',
    html: '<p>this is <em>important</em> today</p>',
  },
  {
    name: 'two stars',
    input: 'this is **very important** today',
    html: '<p>this is <strong>very important</strong> today</p>',
  },
  {
    name: 'three stars',
    input: 'this is ***it***',
    html: '<p>this is <strong><em>it</em></strong></p>',
  },
  {
    name: 'emphasis within a word',
    input: 'un*believ*able',
    html: '<p>un<em>believ</em>able</p>',
  },
  {
    name: 'strong within a word',
    input: 'un**believ**able',
    html: '<p>un<strong>believ</strong>able</p>',
  },
  {
    name: 'strong may have spaces at its ends',
    input: 'a ** b ** c',
    html: '<p>a <strong> b </strong> c</p>',
  },
  {
    name: 'emphasis has no spaces at its ends',
    input: '2 * 3 * 4',
    html: '<p>2 * 3 * 4</p>',
  },
  {
    name: 'a single star is text',
    input: '5 * 7 is 35',
    html: '<p>5 * 7 is 35</p>',
  },
  {
    name: 'emphasis does not span lines',
    input: '*from here\nto there*',
    html: '<p>*from here<br>\nto there*</p>',
  },
  {
    name: 'strong does not span lines',
    input: '**from here\nto there**',
    html: '<p>**from here<br>\nto there**</p>',
  },
  {
    name: 'emphasis in strong',
    input: '**a *b* c**',
    html: '<p><strong>a <em>b</em> c</strong></p>',
  },
  {
    name: 'strong in emphasis',
    input: '*a **b** c*',
    html: '<p><em>a <strong>b</strong> c</em></p>',
  },
  {
    name: 'strikethrough',
    input: 'that was ~~wrong~~ right',
    html: '<p>that was <del>wrong</del> right</p>',
  },
  {
    name: 'strikethrough with spaces',
    input: '~~ gone ~~',
    html: '<p><del> gone </del></p>',
  },
  {
    name: 'three tildes are text',
    input: '~~~a~~~ b',
    html: '<p>~~~a~~~ b</p>',
  },
  {
    name: 'one tilde is text',
    input: '~5 minutes~',
    html: '<p>~5 minutes~</p>',
  },
  {
    name: 'strikethrough in strong',
    input: '**now ~~5~~ 4**',
    html: '<p><strong>now <del>5</del> 4</strong></p>',
  },
  {
    name: 'strong in strikethrough',
    input: '~~was **9** once~~',
    html: '<p><del>was <strong>9</strong> once</del></p>',
  },
  {
    name: 'unclosed',
    input: '**never closed and *neither this',
    html: '<p>**never closed and *neither this</p>',
  },
  {
    name: 'pointers are not emphasis',
    input: 'char *p, *q;',
    html: '<p>char *p, *q;</p>',
  },
  {
    name: 'a closing star needs no space before it',
    input: '*nearly *',
    html: '<p>*nearly *</p>',
  },
  {
    name: 'four stars are a rule',
    input: '****',
    html: '<hr>',
  },
  {
    name: 'code has precedence over emphasis',
    input: '*a `b* c`',
    html: '<p>*a <code>b* c</code></p>',
  },
  {
    name: 'emphasis around code',
    input: '*run `make`*',
    html: '<p><em>run <code>make</code></em></p>',
  },
  {
    name: 'punctuation around emphasis',
    input: '(*so*), "**then**"!',
    html: '<p>(<em>so</em>), "<strong>then</strong>"!</p>',
  },
];
