import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import sanitize from 'sanitize-html';
import type { RenderData } from '../../lib/markdown/data.ts';
import { strictHtml } from '../../lib/markdown/html.ts';
import { renderMessage } from '../../lib/markdown/render.ts';
import { decoded } from '../../lib/panel/content/safe-html.ts';
import { ALLOWED, STRICT, violations } from './allowed.ts';
import { SCHEMES } from './cases/links.ts';
import { INJECTIONS } from './injections.ts';

/** Every place in which an author or another user chooses the text. */
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
  'as the name of a user': (text) => ['@**|1**', { users: [{ id: 1, full_name: text, is_active: true }] }],
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

describe('script injection', () => {
  it('the corpus has at least 120 injections', () => {
    assert.ok(new Set(INJECTIONS).size >= 120);
  });

  for (const [place, placed] of Object.entries(PLACES)) {
    it(`no injection is active ${place}`, () => {
      for (const text of INJECTIONS) {
        const html = renderMessage(...placed(text)).html;
        assert.deepEqual(violations(html), [], JSON.stringify(text));
        assert.deepEqual(violations(strictHtml(html), STRICT), [], JSON.stringify(text));
      }
    });
  }

  it('injections in addresses become allowed schemes only, as a browser reads them', () => {
    const places = ['alone', 'as the address of a link', 'in an address', 'as the whole of a linkifier'] as const;
    for (const text of [...INJECTIONS, ...disguised()]) {
      for (const place of places) {
        const html = renderMessage(...(PLACES[place] as (typeof PLACES)[string])(text)).html;
        const tags = (html.match(/<[a-z][^<>]*>/g) ?? []).join('');
        for (const [, name, value = ''] of tags.matchAll(/ (href|src)="([^"]*)"/g)) {
          const scheme = schemeOf(decoded(value));
          const allowed = name === 'href' ? ['http', 'https', 'mailto', ...SCHEMES] : ['http', 'https'];
          assert.ok(allowed.includes(scheme), `${JSON.stringify(text)} became ${name}="${value}"`);
        }
      }
    }
  });

  it('another sanitizer removes nothing from rendered injections', () => {
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

/** Resolves an address as a browser does on a page of the chat. */
function schemeOf(address: string): string {
  try {
    return new URL(address, 'https://chat.example.org/').protocol.slice(0, -1);
  } catch {
    // The address is invalid.
    return 'https';
  }
}

/** Addresses that run scripts, in spellings that browsers and simple filters read differently. */
function disguised(): string[] {
  const colons = [':', '&colon;', '&#58;', '&#x3a;', '%3A', '\uff1a', '\t:', ':\u0000', '\u00ad:'];
  const before = [
    '',
    ' ',
    '\t',
    '\u0000',
    '\u0001',
    '\u001f',
    '\u007f',
    '\u0085',
    '\u00a0',
    '\u200b',
    '\u2028',
    '\ufeff',
  ];
  const addresses: string[] = [];
  for (const scheme of ['javascript', 'data', 'vbscript', 'blob', 'about', 'view-source', 'livescript', 'jar']) {
    const rest = scheme === 'data' ? 'text/html,<script>alert(1)</script>' : '//%0aalert(1)';
    const written = [
      scheme,
      scheme.toUpperCase(),
      `${scheme.slice(0, 2)}\n${scheme.slice(2)}`,
      `${scheme.slice(0, 2)}\t${scheme.slice(2)}`,
      `${scheme.slice(0, 2)}\u0000${scheme.slice(2)}`,
      `${scheme.slice(0, 2)}&#9;${scheme.slice(2)}`,
      `&#${scheme.charCodeAt(0)};${scheme.slice(1)}`,
      `&#x${scheme.charCodeAt(0).toString(16)};${scheme.slice(1)}`,
      `tel:${scheme}`,
      `tel\u0000${scheme}`,
    ];
    for (const word of written) {
      for (const colon of colons) addresses.push(word + colon + rest);
      for (const sign of before) addresses.push(`${sign}${word}:${rest}`);
    }
  }
  return addresses;
}

const SANITIZER: sanitize.IOptions = {
  allowedTags: Object.keys(ALLOWED),
  allowedAttributes: Object.fromEntries(
    Object.entries(ALLOWED).map(([name, attributes]) => [name, Object.keys(attributes)]),
  ),
  allowedSchemes: ['http', 'https', 'mailto', ...SCHEMES],
  allowProtocolRelative: false,
  parser: { lowerCaseAttributeNames: false },
};

/** Elements with the names of their attributes. Escaping of values is not compared. */
function tagsOf(html: string): string[] {
  return [...html.matchAll(/<([a-z][a-z0-9]*)((?:"[^"]*"|[^">])*)>/g)].map(([, name, attributes = '']) =>
    [name, ...[...attributes.matchAll(/([a-zA-Z-]+)(?==")/g)].map((match) => match[1])].join(' '),
  );
}
