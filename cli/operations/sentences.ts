import type { Session } from '../../lib/index.ts';
import { accountNames, channelName, channelNames, fieldNames, folderNames, groupNames } from '../lookups.ts';
import { channelPlace } from '../output/conversation.ts';
import { oneLine } from '../output/text.ts';

type Values = Readonly<Record<string, unknown>>;
type Names = (session: Session, ids: readonly number[], values: Values) => Promise<(id: number) => string>;

/** The names that stand for an ID, by kind. */
const NAMES: Readonly<Record<string, Names>> = {
  user: accountNames,
  group: groupNames,
  field: fieldNames,
  folder: folderNames,
  channel: async (session, ids) => {
    const name = await channelNames(session, ids);
    return (id) => `"${name(id)}"`;
  },
  place: async (session, [id = 0], { topic, topic_name = topic }) => {
    const place = channelPlace(await channelName(session, id), String(topic_name));
    return () => `"${place}"`;
  },
};

const MAX_NAMED = 20;
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
  if (fields.has('changes') && changes.length === 0) return async () => 'Nothing was changed.';
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
    const all = [values[field]].flat();
    const name = (await NAMES[kind]?.(session, all as number[], values)) ?? String;
    const named = all.slice(0, MAX_NAMED).map((value) => oneLine(name(value as number)));
    words.set(
      place,
      all.length > MAX_NAMED ? `${named.join(', ')} and ${all.length - MAX_NAMED} more` : named.join(', '),
    );
  }
  return words;
}
