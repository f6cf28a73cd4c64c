import { createHash } from 'node:crypto';
import { EMOJI } from './data/emoji.ts';

const names = new Map<string, readonly string[]>();
const codes = new Map<string, string>();
for (const line of EMOJI.trim().split('\n')) {
  const [code = '', ...own] = line.split(' ');
  names.set(code, own);
  for (const name of own) codes.set(name, code);
}

/** The code of a Unicode emoji by its canonical name or an alias: `smile` is `1f642`. */
export function emojiByName(name: string): string | undefined {
  return codes.get(name);
}

/** Every name of a code, the canonical one first; empty when there is no such emoji. */
export function namesOfCode(code: string): readonly string[] {
  return names.get(code) ?? [];
}

/** The name that is shown where only a code is known. */
export function canonicalName(code: string): string | undefined {
  return names.get(code)?.[0];
}

/** The code of an emoji that is written as the character itself. */
export function codeOfCharacters(characters: string): string {
  return [...characters.replaceAll('\ufe0f', '')]
    .map((character) => (character.codePointAt(0) ?? 0).toString(16).padStart(4, '0'))
    .join('-');
}

/** The first name of an emoji given as the character itself or by another name: "🎉" is `tada`. */
export function emojiNameOf(emoji: string): string | undefined {
  return canonicalName(emojiByName(emoji) ?? codeOfCharacters(emoji));
}

let data: { json: Buffer; version: string } | undefined;

/** The names of all emoji by code, as clients of the API fetch them. `version` changes with the content. */
export function emojiData(): { json: Buffer; version: string } {
  if (!data) {
    // Not an object: it would put codes such as 2600 first.
    const entries = EMOJI.trim()
      .split('\n')
      .map((line) => {
        const [code, ...names] = line.split(' ');
        return `${JSON.stringify(code)}:${JSON.stringify(names)}`;
      });
    const json = Buffer.from(`{"code_to_names":{${entries.join(',')}}}\n`);
    data = { json, version: createHash('sha256').update(json).digest('hex').slice(0, 12) };
  }
  return data;
}
