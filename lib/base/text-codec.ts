import * as v from 'valibot';
import { BadRequest } from './errors.ts';

/**
 * Text form of values in forms, query strings and command lines: strings unchanged, other values as JSON, validated
 * strictly. Files have no text form.
 */

type Kind = 'text' | 'integer' | 'json' | 'text or json' | 'file';

/** Text form of a parameter. */
export function textKind(schema: Layer): Kind {
  const bare = bareOf(schema);
  const { literal, options = [] } = bare;
  switch (bare.type) {
    case 'string':
      return 'text';
    case 'blob':
    // `streamedFile` is the only custom schema.
    case 'custom':
      return 'file';
    case 'number':
      return bare === schema || !isNullable(schema) ? 'integer' : 'json';
    case 'literal':
      return typeof literal === 'string' ? 'text' : 'json';
    case 'picklist':
      return options.every((option) => typeof option === 'string') ? 'text' : 'json';
    case 'union':
      return options.some((option) => textKind(option as Layer).startsWith('text')) ? 'text or json' : 'json';
    default:
      return 'json';
  }
}

/** A schema, or an action in a pipe. */
interface Layer extends v.GenericSchema {
  wrapped?: Layer;
  /** The first element is the schema without the pipe. */
  pipe?: readonly [Layer, ...Layer[]];
  requirement?: unknown;
  /** Of a literal. */
  literal?: unknown;
  /** The values of a picklist, or the schemas of a union. */
  options?: readonly unknown[];
}

/** The schema that this one wraps, if it is optional, nullable or a pipe. */
const innerOf = ({ wrapped, pipe }: Layer) => wrapped ?? pipe?.[0];

/** The schema and the schemas that it wraps, from the outside in. The last one has no optional, nullable and pipe. */
export function layersOf(schema: Layer): [Layer, ...Layer[]] {
  const inner = innerOf(schema);
  return inner ? [schema, ...layersOf(inner)] : [schema];
}

/** The last of the layers. */
function bareOf(schema: Layer): Layer {
  const inner = innerOf(schema);
  return inner ? bareOf(inner) : schema;
}

function hasLayer(schema: Layer, type: 'optional' | 'nullable'): boolean {
  if (schema.type === type || schema.type === 'nullish') return true;
  const inner = innerOf(schema);
  return inner !== undefined && hasLayer(inner, type);
}

export const isOptional = (schema: v.GenericSchema) => hasLayer(schema, 'optional');

const isChoice = (schema: v.GenericSchema) => bareOf(schema).type === 'picklist';

const isNullable = (schema: v.GenericSchema) => hasLayer(schema, 'nullable');

const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * The API refuses `7.0` for an integer, also in a list. JSON.parse would turn it into 7, so a number that is not an
 * integer replaces it.
 */
function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!/\d[.eE]/.test(text)) return value;
  return JSON.parse(
    text.replace(STRING_OR_NUMBER, (part) => (/^-?\d.*[.eE]/.test(part) && Number.isInteger(+part) ? '1e999' : part)),
  );
}

/** Reads one parameter from its text. Returns values other than strings unchanged. */
export function decodeText(name: string, schema: v.GenericSchema, raw: unknown): unknown {
  if (typeof raw !== 'string') return raw;
  switch (textKind(schema)) {
    case 'text':
      return decodeBareText(schema, raw);
    case 'text or json':
      return decodeTextOrJson(schema, raw);
    case 'file':
      // The schema of a file refuses text.
      return raw;
    case 'integer':
      if (!/^-?[0-9]+$/.test(raw)) throw new BadRequest(`${name} must be an integer.`);
      return decodeJson(name, raw);
    case 'json':
      return decodeJson(name, raw);
  }
}

function decodeBareText(schema: v.GenericSchema, raw: string): string | null {
  // For a nullable text, the word `null` means null.
  if (raw === 'null' && isNullable(schema)) return null;
  // Some clients send choices as JSON strings.
  return raw[0] === '"' && v.is(schema, raw.slice(1, -1)) && isChoice(schema) ? raw.slice(1, -1) : raw;
}

function decodeTextOrJson(schema: v.GenericSchema, raw: string): unknown {
  try {
    const value = parseJson(raw);
    return v.is(schema, value) ? value : raw;
  } catch {
    return raw;
  }
}

function decodeJson(name: string, raw: string): unknown {
  try {
    return parseJson(raw);
  } catch {
    throw new BadRequest(`${name} is not valid JSON.`);
  }
}

/** Writes one parameter as text. */
export function encodeText(schema: v.GenericSchema, value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  const kind = textKind(schema);
  if (kind === 'text') return value;
  if (kind !== 'text or json') return JSON.stringify(value);
  // Quoted only if `decodeText` would read the bare text as another value.
  return decodeText('', schema, value) === value ? value : JSON.stringify(value);
}
