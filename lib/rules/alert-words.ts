/**
 * An alert word matches only between spaces, certain punctuation or the ends of a text. Words are looked up by their
 * opening: if a text contains a word, the openings of the text contain the opening of the word.
 */

/** In code points. */
export const MAX_ALERT_WORD_LENGTH = 100;
/** In UTF-16 code units. A code point has at most two. */
const MAX_OPENING = 2 * MAX_ALERT_WORD_LENGTH;

const MAY_STAND_BEFORE = new Set(' \n(".,\';[*`>');
const MAY_STAND_AFTER = new Set(' \n)?:.,\';]!*`"');

/** The form for comparing words with each other and with texts. */
export const alertWordKey = (word: string) => word.toLowerCase();

/** The start of a word up to the first character at which a word could end. */
export function alertWordOpening(key: string): string {
  return key.slice(0, openingEnd(key, 0));
}

/** All openings in a text, for looking up words. @param text in lower case */
export function openingsIn(text: string): Set<string> {
  const openings = new Set<string>();
  for (let at = 0; at < text.length; at += 1) {
    if (at > 0 && !MAY_STAND_BEFORE.has(text.charAt(at - 1))) continue;
    const end = openingEnd(text, at, MAX_OPENING + 1);
    if (text.charAt(at).trim() !== '' && end - at <= MAX_OPENING) openings.add(text.slice(at, end));
  }
  return openings;
}

/** Bounded, because in a run of characters that can precede but not end a word, each would be followed to the end. */
function openingEnd(text: string, from: number, most = text.length): number {
  const furthest = Math.min(text.length, from + most);
  let end = from + 1;
  while (end < furthest && !MAY_STAND_AFTER.has(text.charAt(end))) end += 1;
  return end;
}

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
