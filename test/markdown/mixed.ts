/** Parts of a text: characters that open a construct, possible content, and characters that may close it. */
export interface Mixture {
  opening: string;
  filling: string;
  closing: string;
}

export const OPENINGS = [
  ...[
    '[',
    '[a](',
    '[a](x:',
    '[a](http://a/',
    '![a](x',
    '[a](javascript:',
    '[a](/user_uploads/',
    '[a](https://github.com/',
  ],
  ...['(', '*', '**', '***', '~~', '`', '``', '$$', '$$a', '@**', '@*', '#**', '#**a>', '#**a>b@', '<time:', ':', ':a'],
  ...['<', '&', '&#', '\\', 'http://', 'http://a/(', 'a@', 'a.', 'a:a', '"', '- ', '1. ', '> ', '>', '# ', '#', '|'],
  ...['```', '~~~', '``` ', '```a ', '```{', '```quote\n', '\u{1f680}\u200d', '1\ufe0f', '/user_uploads/', ' ', '  - '],
];
export const FILLINGS = [
  ...[
    ' ',
    'a',
    '1',
    'é',
    '\u{1f680}',
    '\u00a0',
    '\u2028',
    '\t',
    '\n',
    '*',
    '(',
    ')',
    '[',
    ']',
    '`',
    '~',
    '$',
    '.',
    ':',
  ],
  ...['-', '_', '>', '|', '"', "'", '\\', '@', '#', '&', '/', '<', ',', ';', '!', '=', '+', '%', '\ufe0f', '\u200d'],
  ...['a ', ' a', 'a.', ' "', ' *', '* ', '\n ', ' \n', '\n>', '\\|', '-|', '&a', '[]', '()', '\\$', '?v=', 'a,'],
];
export const CLOSINGS = [
  ...['', ')', ']', '](', '](a)', '*', '**', '***', '~~', '`', '$$', '>', ':', '"', '")', "'", '">', '\n', ' ', '|'],
  ...['}', 'y', '>)', '.', '@1**', '>b**', '*a', '$$a', '\n```', '\n>', ' ~', '`x', '.com', '@a.b', '/', '\u2028'],
];

/** Texts of about this length: a third of each part, one filling between two parts, and many short ones. */
export function mixedTexts({ opening, filling, closing }: Mixture, length: number): string[] {
  const fill = (part: string, room: number) => part.repeat(Math.max(1, Math.floor(room / (part.length || room))));
  const third = length / 3;
  const short = opening + fill(filling, Math.sqrt(length)) + closing;
  return [
    fill(opening, third) + fill(filling, third) + fill(closing, third),
    opening + fill(filling, length - opening.length - closing.length) + closing,
    fill(short, length),
  ];
}

/** Each of these once took time quadratic in its length. */
export const GREW: readonly Mixture[] = [
  { opening: '[a](x:', filling: ' ', closing: ')' },
  { opening: '[a](x:', filling: '* ', closing: ')' },
  { opening: '[a](http://a/', filling: '\t', closing: '>)' },
  { opening: '```', filling: 'a', closing: '`' },
  { opening: '```{', filling: '/', closing: '~~' },
  { opening: 'http://', filling: '.', closing: 'y' },
  { opening: ':', filling: ',', closing: ']' },
  { opening: '- ', filling: ' ', closing: '\u2028' },
  { opening: '1. ', filling: '\n>', closing: '](' },
];
