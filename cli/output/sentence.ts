import type { Session } from '../../lib/index.ts';
import { NAMES } from '../lookups.ts';
import { oneLine } from './text.ts';

type Values = Readonly<Record<string, unknown>>;

export const NOTHING_CHANGED = 'Nothing was changed.';

/** A longer list ends in `and 7 more`. */
const MAX_LISTED_VALUES = 20;
const PLACES = /\{(?:(\w+) )?(\w+)\}/g;

/**
 * Fills in a sentence. `{email}` is a parameter or a field of the answer, and `{user user_id}` the name of the user with
 * this ID. `{changes}` are the other parameters. Names of parameters are looked up now: after the call, the user may no
 * longer see them.
 */
export async function sentence(template: string, session: Session, parameters: Values) {
  const fields = new Set(Array.from(template.matchAll(PLACES), ([, , field]) => field));
  // An empty name or address changes nothing.
  const isBlank = (name: string) => /name|email/.test(name) && String(parameters[name]).trim() === '';
  const changes = Object.keys(parameters).filter((name) => !fields.has(name) && !isBlank(name));
  if (fields.has('changes') && changes.length === 0) return async () => NOTHING_CHANGED;
  const before = await wordsFor(template, session, { ...parameters, changes });
  return async (answer: object) => {
    const words = new Map([...(await wordsFor(template, session, answer as Values)), ...before]);
    return template.replace(PLACES, (place) => words.get(place) ?? '');
  };
}

async function wordsFor(template: string, session: Session, values: Values): Promise<Map<string, string>> {
  const words = new Map<string, string>();
  for (const [place, kind = '', field = ''] of template.matchAll(PLACES)) {
    if (values[field] === undefined) continue;
    const all = [values[field]].flat() as number[];
    const name = (await NAMES[kind]?.(session, all, values)) ?? String;
    const named = all.slice(0, MAX_LISTED_VALUES).map((value) => oneLine(name(value)));
    const more = all.length > MAX_LISTED_VALUES ? ` and ${all.length - MAX_LISTED_VALUES} more` : '';
    words.set(place, `${named.join(', ')}${more}`);
  }
  return words;
}
