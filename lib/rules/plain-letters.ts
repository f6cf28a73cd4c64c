const ACCENTS = /[\u0300-\u036f]/g;
/** Letters that Unicode does not take apart, such as those with a stroke. */
const PLAIN: Readonly<Record<string, string>> = {
  ...{ ø: 'o', ł: 'l', đ: 'd', ħ: 'h', ŧ: 't', ɨ: 'i', ƀ: 'b', ǥ: 'g', ı: 'i' },
  ...{ æ: 'ae', œ: 'oe', ß: 'ss', ð: 'd', þ: 'th' },
};
const NOT_PLAIN = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g');

/** For comparing names: in lower case, without accents and strokes. `Søren` is `soren`. */
export function plainLetters(text: string): string {
  const lower = text.normalize('NFKD').toLowerCase().replace(ACCENTS, '');
  return lower.replace(NOT_PLAIN, (letter) => PLAIN[letter] ?? letter).normalize('NFC');
}
