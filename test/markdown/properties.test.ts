import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { RenderData } from '../../lib/markdown/data.ts';
import { strictHtml } from '../../lib/markdown/html.ts';
import { parseMessage, renderMessage } from '../../lib/markdown/render.ts';
import { anyText } from '../support/any-text.ts';
import { STRICT, violations } from './allowed.ts';

const DATA: RenderData = {
  users: [{ id: 10, full_name: 'Ada Byron', is_active: true }],
  groups: [{ id: 17, name: 'staff', deactivated: false }],
  channels: [{ id: 5, name: 'design' }],
  linkifiers: [{ pattern: '#(?P<id>[0-9]+)', url_template: 'https://issues.example.com/{id}' }],
  options: { translateEmoticons: true, realmUrl: 'https://chat.example.org' },
};

/** Fragments from which every construct can arise, complete and broken. */
const FRAGMENTS = [
  ...[
    '*',
    '**',
    '***',
    '~~',
    '`',
    '```',
    '~~~',
    '> ',
    '>',
    '- ',
    '* ',
    '1. ',
    '  ',
    '    ',
    '\n',
    '\n\n',
    '# ',
    '---',
    '| ',
    '|--|\n',
  ],
  ...[
    '@**Ada Byron**',
    '@_**Ada Byron|10**',
    '@*staff*',
    '@**all**',
    '#**design**',
    '#**design>a**',
    '#**design>a@7**',
    ':smile:',
  ],
  ...[
    ':',
    '$$',
    '$$x$$',
    '\\',
    '[',
    ']',
    '(',
    ')',
    '](',
    '"',
    "'",
    '<',
    '>',
    '&',
    '&lt;',
    '<time:',
    '<time:2031-01-01>',
    ':)',
    '<3',
  ],
  ...[
    'https://a.example/x.png',
    'example.org',
    'ada@a.example',
    '/user_uploads/1/a.png',
    'javascript:',
    '#12',
    'word',
    'a',
    ' ',
    '.',
  ],
  ...[
    'quote\n',
    'spoiler x\n',
    'math\n',
    'py\n',
    '\u{1f680}',
    '\u{1f469}\u200d\u{1f52c}',
    '\u0002',
    '\u0003',
    '0',
    '\ud800',
    '\t',
    '\r\n',
  ],
];

const markdown = fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 60 }).map((parts) => parts.join(''));
const anything = anyText({ maxLength: 400 });

describe('any message', () => {
  it('any text renders into allowed HTML', () => {
    fc.assert(fc.property(fc.oneof(markdown, anything), conforms), { numRuns: 3000 });
  });

  it('any text renders the same each time', () => {
    fc.assert(
      fc.property(markdown, (text) => assert.deepEqual(renderMessage(text, DATA), renderMessage(text, DATA))),
      { numRuns: 300 },
    );
  });

  it('rendering mentions users and groups only if parsing found some', () => {
    let mentioning = 0;
    fc.assert(
      fc.property(markdown, (text) => {
        const { mentionedUsers, mentionedGroups } = renderMessage(text, DATA);
        const { users, groups } = parseMessage(text);
        assert.ok(mentionedUsers.length === 0 || users.length > 0);
        assert.ok(mentionedGroups.length === 0 || groups.length > 0);
        mentioning += mentionedUsers.length + mentionedGroups.length;
      }),
      { numRuns: 1000 },
    );
    assert.ok(mentioning > 0);
  });
});

describe('plain words', () => {
  const word = fc.stringMatching(/^[a-zäöüß]{1,12}$/);

  it('words separated by spaces are rendered unchanged', () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 30 }), (words) => {
        assert.equal(renderMessage(words.join(' ')).html, `<p>${words.join(' ')}</p>`);
      }),
    );
  });

  it('words are kept in every kind of block', () => {
    const begin = fc.constantFrom('', '> ', '- ', '1. ', '# ', '  ', '    ', '```\n', '~~~ quote\n', '| ');
    const line = fc.record({ begin, word });
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 12 }), fc.constantFrom('\n', '\n\n'), (lines, between) => {
        const text = textOf(renderMessage(lines.map((line) => line.begin + line.word).join(between)).html);
        for (const line of lines) assert.ok(text.includes(line.word), line.word);
      }),
      { numRuns: 1000 },
    );
  });
});

function conforms(text: string): void {
  parseMessage(text);
  const { html } = renderMessage(text, DATA);
  assert.deepEqual(violations(html), []);
  assert.deepEqual(violations(strictHtml(html), STRICT), []);
}

function textOf(html: string): string {
  return html.replace(/<[^>]*>/g, '');
}
