import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import type { Linkifier } from '../../lib/markdown/data.ts';
import { topicLinks } from '../../lib/markdown/linkifiers.ts';

const LINKIFIERS: readonly Linkifier[] = [
  { pattern: '#(?P<id>[0-9]+)', url_template: 'https://issues.example.com/{id}' },
  { pattern: '(?P<board>[A-Z]+)#(?P<id>[0-9]+)', url_template: 'https://cards.example.com/{board}/{id}' },
  { pattern: 'RUN(?P<what>.*)', url_template: 'javascript:{what}' },
  { pattern: 'mirror: (?P<host>[a-z.]+)', url_template: 'https://mirror.example.com/{host}' },
  { pattern: 'wiki:(?P<page>\\S+)', url_template: 'https://wiki.example.com/{page}' },
];

const CASES: Record<string, [topic: string, ...links: [text: string, url: string][]]> = {
  'a pattern': ['fix #12 now', ['#12', 'https://issues.example.com/12']],
  'several matches': ['#1 (#2)', ['#1', 'https://issues.example.com/1'], ['#2', 'https://issues.example.com/2']],
  'the order of the topic, not of the patterns': [
    'A#3 #4',
    ['A#3', 'https://cards.example.com/A/3'],
    ['#4', 'https://issues.example.com/4'],
  ],
  'no match within a word': ['x#1 #1x'],
  'a match is encoded as UTF-8 in the URL': [
    'see wiki:Größe🎉𝒳',
    ['wiki:Größe🎉𝒳', `https://wiki.example.com/${encodeURIComponent('Größe🎉𝒳')}`],
  ],
  'an unsafe address is refused': ['RUN(1)'],
  'a web address': ['at https://a.example/x?y=#z', ['https://a.example/x?y=#z', 'https://a.example/x?y=#z']],
  'a host without a scheme is linked with https': [
    'www.example.com down',
    ['www.example.com', 'https://www.example.com'],
  ],
  'a mail address': ['for ada@example.com', ['ada@example.com', 'mailto:ada@example.com']],
  'punctuation after an address': [
    'see example.com, or example.org/a.',
    ['example.com', 'https://example.com'],
    ['example.org/a', 'https://example.org/a'],
  ],
  'no address after other characters': ['x:example.com (example.com'],
  'a match that contains a host is linked as a whole': [
    'mirror: example.com',
    ['mirror: example.com', 'https://mirror.example.com/example.com'],
  ],
  nothing: ['general chat'],
  'the empty topic': [''],
};

describe('links of topic names', () => {
  for (const [name, [topic, ...links]] of Object.entries(CASES)) {
    it(`topic links: ${name}`, () => {
      const wanted = links.map(([text, url]) => ({ url, text }));
      assert.deepEqual(topicLinks(topic, LINKIFIERS), wanted);
      assert.deepEqual(topicLinks(topic, LINKIFIERS), wanted, 'and the same when called again');
    });
  }

  it('a topic name only has links of the given linkifiers', () => {
    assert.deepEqual(topicLinks('fix #12 now', []), []);
    assert.equal(topicLinks('fix #12 now', LINKIFIERS).length, 1);
  });
});
