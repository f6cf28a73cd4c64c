/** Two renderings of a given length that are slow to compare, by their content. */
export const HOSTILE: Readonly<Record<string, (characters: number) => [string, string]>> = {
  'tiny words at random': (characters) => twice(() => words(characters, ['a', 'b', 'c', 'd'], ' ')),
  'punctuation at random': (characters) => twice(() => words(characters, ['.', ','], '')),
  'one word repeated, with another at every twentieth place': (characters) => {
    const one = Array.from({ length: characters / 2 }, () => 'a');
    return [paragraph(one.join(' ')), paragraph(one.map((word, at) => (at % 20 === 0 ? 'b' : word)).join(' '))];
  },
  'numbers backwards': (characters) => {
    const numbers = Array.from({ length: characters / 6 }, (_, at) => 10_000 + at);
    return [paragraph(numbers.join(' ')), paragraph(numbers.reverse().join(' '))];
  },
  'tags and words at random': (characters) =>
    twice(() => words(characters, ['<em>a</em>', '<strong>a</strong>', 'a b c d'], '')),
  'deep quotes': (characters) => {
    const depth = characters / 25;
    const nested = (inside: string) => '<blockquote>'.repeat(depth) + inside + '</blockquote>'.repeat(depth);
    return [nested('<p>a</p>'), `<ul>\n<li>${nested('<p>b</p>')}</li>\n</ul>`];
  },
  'one long word': (characters) => [paragraph('a'.repeat(characters)), paragraph('b'.repeat(characters))],
};

/** Of the same length, with one edited word. */
export function benignPair(characters: number): [string, string] {
  const text = 'The lamp was lit at dusk and the horn tested twice. '.repeat(characters / 104);
  return [paragraph(`${text}Oil ${text}`), paragraph(`${text}Gas ${text}`)];
}

let state = 1;

/** The same in every run. */
function random(below: number): number {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
  return Math.floor((state / 2_147_483_648) * below);
}

function words(characters: number, from: readonly string[], separator: string): string {
  let text = '';
  while (text.length < characters) text += from[random(from.length)] + separator;
  return paragraph(text);
}

const paragraph = (text: string) => `<p>${text}</p>`;
const twice = (make: () => string): [string, string] => [make(), make()];
