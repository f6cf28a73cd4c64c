import { Failure, UsageError } from '../failure.ts';
import { fold, type Lookups, type Row } from '../lookups.ts';
import { oneLine } from '../output/text.ts';

// Custom profile fields on the command line: types, options of a list, and values.

export const FIELD_TYPES: Readonly<Record<string, number>> = {
  'short-text': 1,
  'long-text': 2,
  list: 3,
  date: 4,
  link: 5,
  people: 6,
  'external-account': 7,
  pronouns: 8,
};

export const fieldTypeName = (type: number): string =>
  Object.keys(FIELD_TYPES).find((name) => FIELD_TYPES[name] === type) ?? String(type);

/** The data of a field: options in order, `account=github`, or a URL pattern. */
export function fieldDataOf(given: readonly string[]): Record<string, unknown> {
  const words = given.flatMap(partsOf);
  const [only = ''] = words;
  if (words.length === 1 && only.includes('%(username)s')) return { subtype: 'custom', url_pattern: only };
  if (words.length === 1 && only.startsWith('account=')) return { subtype: only.slice('account='.length) };
  return Object.fromEntries(words.map((text, at) => [String(at), { text, order: String(at + 1) }]));
}

/** The parts between commas. Quotes keep a comma inside a part. */
export function partsOf(text: string): string[] {
  const parts = text.match(/(?:"[^"]*"|[^,])+/g) ?? [];
  return parts.flatMap((part) => part.trim().replace(/^"\s*([^"]*?)\s*"$/, '$1') || []);
}

export interface ProfileValue {
  id: number;
  name: string;
  value: string | number[];
}

/** Options are given by their text, users by e-mail address. */
export async function fieldValue(given: string, value: string, lookups: Lookups): Promise<ProfileValue> {
  const field = await lookups.row('profile field', given.trim());
  const { id, name } = field as { id: number; name: string };
  if (field.type === FIELD_TYPES.list) return { id, name, value: value === '' ? '' : optionKey(field, value) };
  if (field.type !== FIELD_TYPES.people || value.trim().startsWith('[')) return { id, name, value };
  const people = value.split(',').flatMap((person) => person.trim() || []);
  return { id, name, value: await Promise.all(people.map((person) => lookups.id('user', person))) };
}

export function splitAssignment(text: string, form = 'FIELD=VALUE, for example "Favourite food=Soup"') {
  const at = text.indexOf('=');
  if (at <= 0) throw new UsageError(`"${text}" must be ${form}.`);
  return { name: text.slice(0, at), value: text.slice(at + 1) };
}

type Options = Record<string, { text: string }>;

export const optionsOf = (field: Row): Options =>
  field.field_data === '' ? {} : (JSON.parse(field.field_data as string) as Options);

function optionKey(field: Row, text: string): string {
  const options = optionsOf(field);
  const wanted = fold(text);
  const found = Object.keys(options).find((key) => fold(options[key]?.text ?? '') === wanted);
  if (found !== undefined) return found;
  if (Object.hasOwn(options, text)) return text;
  const known = Object.values(options).map((option) => oneLine(option.text));
  throw new Failure(`"${field.name}" has no option "${text}".`, `Options are ${known.join(', ')}.`);
}

/** `visits=3`, repeatable. The text begins after the first equals sign. */
export function textsByKey(given: readonly string[], form = 'KEY=TEXT, for example visits=3'): Record<string, string> {
  const assignments = given.map((text) => splitAssignment(text, form));
  return Object.fromEntries(assignments.map(({ name, value }) => [name, value]));
}
