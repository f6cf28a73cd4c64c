/** Openings that never close, and texts that a naive parser scans repeatedly. */
export const REPEATED = [
  ...['>', '> ', '> > - ', '>- ', '[', '](', '[](', '[a](', '[x](y "', '[x](<', '![', '(', '((http://a.a/'],
  ...[
    '`',
    '``',
    '`a``',
    '\\`',
    '`\n',
    '*',
    '**',
    '***',
    '***a',
    '* a ',
    '*a ',
    '**a ',
    '*a*b',
    '**a*b',
    '_',
    '~~',
    '~~a ',
  ],
  ...[
    '@**',
    '@**a',
    '@*a',
    '@**x** ',
    '#**',
    '#**a',
    '#**a>',
    '#**a>b@',
    '$$',
    '$$a',
    '$$\\$',
    '$$x$$ ',
    '<time:',
    '<time:1>',
  ],
  ...[':a', ':a:', ':-:', ':smile:', '(:', ':)', '&', '&amp;', '<', '\\', '#12 ', 'a', '\n', '\t', ' ', 'a\n\n'],
  ...[
    '- ',
    '  - ',
    '1. ',
    '- - ',
    '1. 1. ',
    '- a\n',
    '- a\n\n',
    '  - a\n',
    '> a\n',
    '# a\n',
    '---\n',
    '    a\n',
    '1. a\n- b\n',
  ],
  ...['```\n', '```quote\n', '~~~spoiler x\n', '```py\n```\n', '````quote\n```\n'],
  ...['|', '|\n', '|a', '-|', '-|\n', ':-:|', '|-|\n', '\\|', '\\|\n', '`|', 'a|b\n-|-\n', 'a|b\n-|-\n    x\n'],
  ...['>\n', '> \n', 'a|b\n-|-\n> \n', '    \n', '     ', '    a\n\n', '    a\n>\n'],
  ...['http://a/(', 'http://a/,', 'http://a.b,', '"http://a/', 'a.', 'a@', 'a@a.', 'a.b.c,', 'https://', '//', '.'],
  ...['\u{1f680}', '\u{1f468}\u200d', '\u{1f1eb}', '1\ufe0f', '\u0002', '\u00021\u0003', '\ud800', '\u0000', '\u202e'],
];

/** Texts that are expensive because of their content, above all formulas, whose layout precedes their size. */
const DEAR = [
  ...['$$x^2$$ ', '$$\\frac{a}{b}$$ ', '$$\\begin{matrix}a&b\\\\c&d\\end{matrix}$$ ', '```math\n\\frac{a}{b}\n```\n'],
  ...['[a](http://a.b) ', 'http://a.b/c ', '![a](http://a.b/c.png)\n', 'https://youtu.be/aaaaaaaaaaa ', 'a@b.cc '],
  ...['#**a>b** ', '#**a>b@5** ', '* a\n  * b\n', '|a|b|\n|-|-|\n|a|b|\n', '```spoiler a\nb\n```\n', 'xy '],
];
const FORMULAS = [
  'é',
  'a&',
  'x\\\\',
  '\\hline',
  '\\sqrt[3]{x}',
  '\\binom a b',
  '\\underbrace{a}',
  '\\sum_a^b',
  '\\vec a',
];
const CODE = ['a ', '"', '(', '$', '\t', '<a "', 'begin\n', 'a=/(x+x+)+y/;', '/*'];
const LANGUAGES = ['js', 'html', 'bash', 'php', 'perl', 'sql', 'swift', 'md', 'csharp', 'ruby', 'latex', 'cpp'];

/** Hostile messages of a length, by their content. */
export function hostileMessages(length: number): [name: string, text: string][] {
  const fill = (text: string, room = length) => text.repeat(Math.floor(room / text.length));
  const inTable = (text: string) => `$$\\begin{array}{cc}${fill(text, length - 50)}\\end{array}$$`;
  return [
    ...[...REPEATED, ...DEAR].map((text): [string, string] => [JSON.stringify(text), fill(text)]),
    ...FORMULAS.flatMap((text): [string, string][] => [
      [`${text} in a formula`, `$$${fill(text, length - 4)}$$`],
      [`${text} in formulas`, fill(`$$${fill(text, 600)}$$ `)],
      [`${text} in a table of a formula`, inTable(text)],
    ]),
    ['nested fractions', `$$${fill('\\frac{x}{', length * 0.6)}y${fill('}', length * 0.3)}$$`],
    ['many mentions', Array.from({ length: length / 10 }, (_, at) => `@**N${at}** `).join('')],
    ['a wide table', `${fill('|a', length / 4)}|\n${fill('|-', length / 4)}|\n${fill('|\n', length / 2)}`],
    ...LANGUAGES.flatMap((language) =>
      CODE.map((text): [string, string] => [
        `${JSON.stringify(text)} in ${language}`,
        `\`\`\`${language}\n${fill(text, length - 20)}\n\`\`\``,
      ]),
    ),
  ];
}
