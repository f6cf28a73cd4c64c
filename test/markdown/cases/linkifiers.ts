import type { RenderData } from '../../../lib/markdown/data.ts';
import type { Case } from './case.ts';

const LINKIFIERS: RenderData = {
  linkifiers: [
    { pattern: '#(?P<id>[0-9]+)', url_template: 'https://issues.example.com/{id}' },
    { pattern: 'repo (?P<owner>[a-z]+)/(?P<name>[a-z]+)', url_template: 'https://code.example.com{/owner,name}' },
    { pattern: 'CARD-(?P<id>[0-9]+)', url_template: 'https://cards.example.com/{id}' },
    { pattern: '(?P<board>[A-Z]+)-(?P<id>[0-9]+)', url_template: '{board}script:{id}' },
    { pattern: 'find:(?P<what>[^ ]+)', url_template: 'https://search.example.com/{?what}' },
  ],
};

export const LINKIFIERS_CASES: readonly Case[] = [
  {
    name: 'a number matches',
    input: 'fixed in #123',
    data: LINKIFIERS,
    html: '<p>fixed in <a href="https://issues.example.com/123">#123</a></p>',
  },
  {
    name: 'a match after a parenthesis',
    input: '(#123) and "#4"',
    data: LINKIFIERS,
    html: '<p>(<a href="https://issues.example.com/123">#123</a>) and "<a href="https://issues.example.com/4">#4</a>"</p>',
  },
  {
    name: 'no match after a letter',
    input: 'x#123',
    data: LINKIFIERS,
    html: '<p>x#123</p>',
  },
  {
    name: 'no match before a letter',
    input: '#123a',
    data: LINKIFIERS,
    html: '<p>#123a</p>',
  },
  {
    name: 'a match before a full stop',
    input: 'see #123.',
    data: LINKIFIERS,
    html: '<p>see <a href="https://issues.example.com/123">#123</a>.</p>',
  },
  {
    name: 'two adjacent matches',
    input: '#1 #2',
    data: LINKIFIERS,
    html: '<p><a href="https://issues.example.com/1">#1</a> <a href="https://issues.example.com/2">#2</a></p>',
  },
  {
    name: 'two names in the URL',
    input: 'repo ada/engine',
    data: LINKIFIERS,
    html: '<p><a href="https://code.example.com/ada/engine">repo ada/engine</a></p>',
  },
  {
    name: 'the first linkifier has precedence',
    input: 'CARD-77',
    data: LINKIFIERS,
    html: '<p><a href="https://cards.example.com/77">CARD-77</a></p>',
  },
  {
    name: 'encoded',
    input: 'find:a&b',
    data: LINKIFIERS,
    html: '<p><a href="https://search.example.com/?what=a%26b">find:a&amp;b</a></p>',
  },
  {
    name: 'a match in code',
    input: '`#123`',
    data: LINKIFIERS,
    html: '<p><code>#123</code></p>',
  },
  {
    name: 'a match in a link',
    input: '[#123](https://a.example)',
    data: LINKIFIERS,
    html: '<p><a href="https://a.example">#123</a></p>',
  },
  {
    name: 'a match in emphasis',
    input: '**#123**',
    data: LINKIFIERS,
    html: '<p><strong>#123</strong></p>',
  },
  {
    name: 'a match in an address',
    input: 'https://a.example/#123',
    data: LINKIFIERS,
    html: '<p><a href="https://a.example/#123">https://a.example/#123</a></p>',
  },
  {
    name: 'an unsafe address is refused',
    input: 'RUN-1',
    data: LINKIFIERS,
    html: '<p>RUN-1</p>',
  },
  {
    name: 'an invalid pattern',
    input: '#5',
    data: { linkifiers: [{ pattern: '(#', url_template: 'https://a.example/' }] },
    html: '<p>#5</p>',
  },
  {
    name: 'a slow pattern',
    input: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab',
    data: { linkifiers: [{ pattern: '(?P<a>(a+)+)', url_template: 'https://a.example/{a}' }] },
    html: '<p>aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab</p>',
  },
  {
    name: 'no match across lines',
    input: '#1\n#2',
    data: LINKIFIERS,
    html: '<p><a href="https://issues.example.com/1">#1</a><br>\n<a href="https://issues.example.com/2">#2</a></p>',
  },
];
