import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import sanitize from 'sanitize-html';
import type { RenderData } from '../../lib/markdown/data.ts';
import { renderMessage } from '../../lib/markdown/render.ts';
import { ALLOWED, violations } from './allowed.ts';
import { INJECTIONS } from './injections.ts';

/** Every place in which an author, or somebody else, decides what the text is. */
const PLACES: Readonly<Record<string, (text: string) => [input: string, data?: RenderData]>> = {
  alone: (text) => [text],
  'in a line': (text) => [`before ${text} after`],
  'in emphasis': (text) => [`***${text}*** **${text}** *${text}* ~~${text}~~`],
  'as the name of a link': (text) => [`[${text}](https://a.example)`],
  'as the address of a link': (text) => [`[x](${text}) [x](<${text}>) ![x](${text}.mp3)`],
  'as the title of a link': (text) => [`[x](https://a.example "${text}")`],
  'in an address': (text) => [`https://a.example/${text} https://a.example/${text}.png`],
  'in code': (text) => [`\`${text}\``],
  'in a block': (text) => [`\`\`\`\n${text}\n\`\`\``],
  'in highlighted code': (text) => [`\`\`\`html\n${text}\n\`\`\`\n\`\`\`js\n${text}\n\`\`\``],
  'as a language': (text) => [`\`\`\`${text}\nx\n\`\`\``],
  'in a quote': (text) => [`> ${text}`],
  'in a spoiler': (text) => [`\`\`\`spoiler ${text}\n${text}\n\`\`\``],
  'in a list': (text) => [`* ${text}\n1. ${text}`],
  'in a table': (text) => [`| ${text} | b |\n|---|---|\n| ${text} | c |`],
  'as a heading': (text) => [`# ${text}`],
  'in a formula': (text) => [`$$${text}$$ $$\\text{${text}}$$\n\`\`\`math\n${text}\n\`\`\``],
  'as a time': (text) => [`<time:${text}>`],
  'as the name of a person': (text) => ['@**|1**', { users: [{ id: 1, full_name: text, is_active: true }] }],
  'as the name of a group': (text) => ['@*g*', { groups: [{ id: 1, name: 'g', label: text, deactivated: false }] }],
  'as a topic': (text) => [`#**c>${text}** #**c>${text}@1**`, { channels: [{ id: 1, name: 'c' }] }],
  'as a channel': (text) => [`#**${text}**`, { channels: [{ id: 1, name: text }] }],
  'as what the empty topic is called': (text) => [
    '#**c>**',
    { channels: [{ id: 1, name: 'c' }], options: { emptyTopicName: text } },
  ],
  'in a linkifier': (text) => [
    `#${text}`,
    { linkifiers: [{ pattern: '#(?P<x>.+)', url_template: 'https://a.example/{+x}' }] },
  ],
  'as the whole of a linkifier': (text) => [
    `#${text}`,
    { linkifiers: [{ pattern: '#(?P<x>.+)', url_template: '{+x}' }] },
  ],
};

describe('Script injection', () => {
  it('has a corpus', () => {
    assert.ok(new Set(INJECTIONS).size >= 120);
  });

  for (const [place, placed] of Object.entries(PLACES)) {
    it(`nothing becomes active ${place}`, () => {
      for (const text of INJECTIONS) {
        const html = renderMessage(...placed(text)).html;
        assert.deepEqual(violations(html), [], JSON.stringify(text));
      }
    });
  }

  it('another sanitizer finds nothing to remove', () => {
    for (const place of [
      'alone',
      'as the name of a link',
      'as the address of a link',
      'in an address',
      'in highlighted code',
    ]) {
      for (const text of INJECTIONS) {
        const placed = PLACES[place];
        assert.ok(placed);
        const html = renderMessage(...placed(text)).html;
        assert.deepEqual(tagsOf(sanitize(html, SANITIZER)), tagsOf(html), JSON.stringify(text));
      }
    }
  });
});

const SANITIZER: sanitize.IOptions = {
  allowedTags: Object.keys(ALLOWED),
  allowedAttributes: Object.fromEntries(
    Object.entries(ALLOWED).map(([name, attributes]) => [name, Object.keys(attributes)]),
  ),
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  parser: { lowerCaseAttributeNames: false },
};

/** Elements with the names of their attributes; how a value is escaped is left to each. */
function tagsOf(html: string): string[] {
  return [...html.matchAll(/<([a-z][a-z0-9]*)((?:"[^"]*"|[^">])*)>/g)].map(([, name, attributes = '']) =>
    [name, ...[...attributes.matchAll(/([a-zA-Z-]+)(?==")/g)].map((match) => match[1])].join(' '),
  );
}
