/**
 * Alert words stand on their own: between spaces, some punctuation, or the ends of a text. The openings of a
 * text are what one looks words up by: a word that stands in the text has its own opening among them.
 */

/** Code points of one word. */
export const MAX_ALERT_WORD_LENGTH = 100;
/** UTF-16 code units; a code point has two at most. */
const MAX_OPENING = 2 * MAX_ALERT_WORD_LENGTH;

const MAY_STAND_BEFORE = new Set(' \n(".,\';[*`>');
const MAY_STAND_AFTER = new Set(' \n)?:.,\';]!*`"');

/** The form in which words are compared with each other and with texts. */
export const alertWordKey = (word: string) => word.toLowerCase();

/** The beginning of a word, up to where it might end within a text. */
export function alertWordOpening(key: string): string {
  return key.slice(0, openingEnd(key, 0));
}

/** The openings that words in this text can have, each once. The text is in lower case. */
export function openingsIn(text: string): Set<string> {
  const openings = new Set<string>();
  for (let at = 0; at < text.length; at += 1) {
    if (at > 0 && !MAY_STAND_BEFORE.has(text.charAt(at - 1))) continue;
    const end = openingEnd(text, at, MAX_OPENING + 1);
    if (text.charAt(at).trim() !== '' && end - at <= MAX_OPENING) openings.add(text.slice(at, end));
  }
  return openings;
}

/** What may stand before a word need not end one: without a bound, each sign of a run would be followed to the run's end. */
function openingEnd(text: string, from: number, most = text.length): number {
  const furthest = Math.min(text.length, from + most);
  let end = from + 1;
  while (end < furthest && !MAY_STAND_AFTER.has(text.charAt(end))) end += 1;
  return end;
}

/** Whether the word stands in the text on its own; both are in lower case. */
export function hasAlertWord(text: string, key: string): boolean {
  if (key === '') return false;
  for (let at = text.indexOf(key); at !== -1; at = text.indexOf(key, at + 1)) {
    const before = text[at - 1];
    const after = text[at + key.length];
    if ((before === undefined || MAY_STAND_BEFORE.has(before)) && (after === undefined || MAY_STAND_AFTER.has(after))) {
      return true;
    }
  }
  return false;
}
