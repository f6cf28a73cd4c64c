import { createHash } from 'node:crypto';
import { EMOJI } from './data/emoji.ts';

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
