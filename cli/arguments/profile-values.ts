// Custom profile fields as people name them: their types, the options of a list, and what somebody has there.
import { EXIT, Failure, UsageError } from '../failure.ts';
import type { Lookups, Row } from '../lookups.ts';
import { oneLine } from '../output/sanitize.ts';

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

export function fieldTypeName(type: number): string {
  return Object.keys(FIELD_TYPES).find((name) => FIELD_TYPES[name] === type) ?? String(type);
}

/** The data of a field from words: options in their order, `account=github`, or the address of a site. */
export function fieldDataOf(given: readonly string[]): Record<string, unknown> {
  const words = wordsOf(given);
  const [only = ''] = words;
  if (words.length === 1 && only.includes('%(username)s')) return { subtype: 'custom', url_pattern: only };
  if (words.length === 1 && only.startsWith('account=')) return { subtype: only.slice('account='.length) };
  return Object.fromEntries(words.map((text, at) => [String(at), { text, order: String(at + 1) }]));
}

/** Also those that stand in quotation marks within a text of several. */
function wordsOf(given: readonly string[]): string[] {
  return given.flatMap((text) =>
    (text.match(/"[^"]*"|[^,]+/g) ?? [])
      .map((word) =>
        word
          .trim()
          .replace(/^"(.*)"$/, '$1')
          .trim(),
      )
      .filter(Boolean),
  );
}

/** `Favourite food=Soup`, by the type of the field: options by their text, people by their addresses. */
export async function profileValue(text: string, lookups: Lookups): Promise<{ id: number; value: unknown }> {
  const { name, value } = splitAssignment(text);
  const field = await lookups.row('profile field', name);
  const id = field.id as number;
  if (field.type === FIELD_TYPES.list) return { id, value: value === '' ? '' : optionKey(field, value) };
  if (field.type !== FIELD_TYPES.people || value.trim().startsWith('[')) return { id, value };
  const people = value.split(',').flatMap((one) => one.trim() || []);
  return { id, value: await Promise.all(people.map((one) => lookups.id('user', one))) };
}

/** @throws UsageError for a text without an equals sign */
export function splitAssignment(text: string): { name: string; value: string } {
  const at = text.indexOf('=');
  if (at <= 0) throw new UsageError(`"${text}" must be the name of a field and a value: "Favourite food=Soup".`);
  return { name: text.slice(0, at).trim(), value: text.slice(at + 1) };
}

type Options = Record<string, { text: string }>;

export function optionsOf(field: Row): Options {
  return field.field_data === '' ? {} : (JSON.parse(field.field_data as string) as Options);
}

function optionKey(field: Row, text: string): string {
  const options = optionsOf(field);
  const wanted = text.trim().toLowerCase();
  const found = Object.keys(options).find((key) => options[key]?.text.trim().toLowerCase() === wanted);
  if (found !== undefined) return found;
  if (Object.hasOwn(options, text)) return text;
  const known = Object.values(options).map((option) => oneLine(option.text));
  throw new Failure(`"${field.name}" has no option "${text}".`, EXIT.refused, `There are ${known.join(', ')}.`);
}
