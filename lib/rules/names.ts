import { BadRequest } from '../base/errors.ts';
import { present } from '../base/present.ts';
import { codePoints } from '../base/schemas.ts';

/** Limits that clients receive, in code points. */
export const MAX_MESSAGE_LENGTH = 10_000;
export const MAX_REMINDER_NOTE_LENGTH = 500;
export const MAX_TOPIC_LENGTH = 60;
export const MAX_CHANNEL_NAME_LENGTH = 60;
export const MAX_CHANNEL_DESCRIPTION_LENGTH = 1024;
export const MAX_GROUP_NAME_LENGTH = 100;
export const MAX_GROUP_DESCRIPTION_LENGTH = 1024;
export const MAX_FOLDER_NAME_LENGTH = 60;
export const MAX_FOLDER_DESCRIPTION_LENGTH = 1024;

/** Domain of the addresses that the chat makes up. RFC 2606: no mail reaches it. */
export const PLACEHOLDER_DOMAIN = 'users.invalid';

/** 1-based position of the first unprintable character: control, surrogate or non-character. */
export function unprintableAt(text: string): number | undefined {
  let position = 0;
  for (const character of text) {
    position++;
    const code = present(character.codePointAt(0));
    const isControl = code < 0x20 || (code >= 0x7f && code < 0xa0);
    const isSurrogate = code >= 0xd800 && code <= 0xdfff;
    const isNonCharacter = (code >= 0xfdd0 && code <= 0xfdef) || (code & 0xfffe) === 0xfffe;
    if (isControl || isSurrogate || isNonCharacter) return position;
  }
  return undefined;
}

/** Letters and symbols that have no ink, among them Hangul fillers and the blank Braille pattern. */
export const BLANK_SIGNS = '\\u115f\\u1160\\u2800\\u3164\\uffa0\\u{13441}\\u{13442}\\u{16fe4}\\u{1d159}';
const SHOWS_NOTHING = new RegExp(`^[\\p{C}\\p{Z}\\p{Default_Ignorable_Code_Point}${BLANK_SIGNS}]*$`, 'u');

/** Whether the text shows no character. */
export const isBlank = (text: string) => SHOWS_NOTHING.test(text);

/**
 * A name as it is stored: trimmed, and in one spelling (NFC). Some systems write letters with accents as two characters,
 * and a name from there must not be a second one that looks the same.
 */
export const spelledName = (given: string) => given.trim().normalize('NFC');

/** A name of one line, as it is stored. @param what the subject of the error */
export function checkedName(what: string, given: string, max: number): string {
  const name = spelledName(given);
  if (isBlank(name)) throw new BadRequest(`${what} cannot be empty.`);
  checkLine(what, name, max);
  return name;
}

export function checkLine(what: string, line: string, max: number): void {
  if (codePoints(line) > max) throw new BadRequest(`${what} is too long (limit: ${max} characters).`);
  const bad = unprintableAt(line);
  if (bad !== undefined) throw new BadRequest(`${what} cannot contain control characters (position ${bad}).`);
}
