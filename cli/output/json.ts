import type { GenericSchema } from 'valibot';
import { UsageError } from '../failure.ts';
import type { JqFilter } from './jq.ts';
import { sanitize } from './sanitize.ts';
import type { Terminal } from './terminal.ts';

/** What is printed in the place of an answer. */
export interface JsonShape {
  /** `--json=id,name` */
  fields?: readonly string[] | undefined;
  /** Where an answer has these fields. Found at the answer itself where nobody knew before. */
  select?: ((answer: Row) => unknown) | undefined;
  /** `--jq` */
  filter?: JqFilter | undefined;
}

type Row = Readonly<Record<string, unknown>>;

let shape: JsonShape = {};

/** A process prints the answers of one command. */
export function shapeJson(wanted: JsonShape): void {
  shape = { ...shape, ...wanted };
}

/** As JSON for programs, or what `--jq` made of it. */
export function jsonText(answer: object, terminal: Pick<Terminal, 'isTerminal'>): string {
  const { fields, select = fields && choice(fields, Object.keys(answer)), filter } = shape;
  const value = select ? select(answer as Row) : answer;
  if (!filter) return JSON.stringify(value, null, terminal.isTerminal ? 2 : undefined);
  const text = filter(value, terminal.isTerminal);
  // Texts come bare from a filter, and may be of other people.
  return terminal.isTerminal ? sanitize(text) : text;
}

function choice(fields: readonly string[], known: readonly string[]): (answer: Row) => Row {
  const unknown = fields.filter((field) => !known.includes(field));
  if (unknown.length > 0) throw unknownFields(unknown, known);
  // Each is always there, so that programs need not ask.
  return (answer) => Object.fromEntries(fields.map((field) => [field, answer[field] ?? null]));
}

const unknownFields = (unknown: readonly string[], known: readonly string[]) =>
  new UsageError(
    // In one, since who asked for JSON is told no more than the message.
    `There ${unknown.length === 1 ? 'is no field' : 'are no fields'} ${unknown.join(', ')}. Fields are ${known.join(', ')}.`,
  );

/**
 * How these fields are taken from an answer: of the rows where it is about a list, of the object where it is about
 * one, else of the answer itself.
 * @param preferred names under which lists are known
 * @throws UsageError for fields that it does not have
 */
export function selectionOf(
  fields: readonly string[],
  result: GenericSchema,
  preferred: readonly string[],
): (answer: Row) => unknown {
  const entries = Object.entries(keysOf(result as AnySchema));
  const own = entries.map(([key]) => key);
  const lists = entries.flatMap(([key, schema]) => {
    const item = itemOf(schema);
    return item && isObject(item) ? [{ key, known: Object.keys(keysOf(item)) }] : [];
  });
  const list = lists.find(({ key }) => preferred.includes(key)) ?? (lists.length === 1 ? lists[0] : undefined);
  const isOwn = fields.every((field) => own.includes(field));
  if (list && !(isOwn && fields.some((field) => !list.known.includes(field)))) {
    const pick = choice(fields, list.known);
    return (answer) => Object.values((answer[list.key] ?? []) as Record<string, Row>).map(pick);
  }
  const [only] = entries;
  if (only && entries.length === 1 && !isOwn && isObject(unwrapped(only[1]))) {
    const pick = choice(fields, Object.keys(keysOf(only[1])));
    return (answer) => pick((answer[only[0]] ?? {}) as Row);
  }
  return choice(fields, own);
}

/** What the schemas of answers are made of. */
interface AnySchema {
  type: string;
  entries?: Record<string, AnySchema>;
  item?: AnySchema;
  value?: AnySchema;
  wrapped?: AnySchema;
  options?: AnySchema[];
}

function unwrapped(schema: AnySchema): AnySchema {
  return schema.wrapped ? unwrapped(schema.wrapped) : schema;
}

/** Of a list, or of a map by ID. */
function itemOf(schema: AnySchema): AnySchema | undefined {
  const { type, item, value } = unwrapped(schema);
  return type === 'array' ? item : type === 'record' ? value : undefined;
}

const isObject = (schema: AnySchema): boolean => Object.keys(keysOf(schema)).length > 0;

function keysOf(schema: AnySchema): Record<string, AnySchema> {
  const { entries, options = [] } = unwrapped(schema);
  return entries ?? Object.assign({}, ...options.map(keysOf));
}
