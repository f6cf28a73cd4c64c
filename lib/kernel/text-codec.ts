import * as v from 'valibot';
import { BadRequest } from './errors.ts';

/**
 * How values travel as text in forms, query strings and command lines: strings
 * as they are, everything else as JSON, validated strictly. Files do not travel as text.
 */

type Kind = 'text' | 'integer' | 'json' | 'text or json' | 'file';

const kinds = new WeakMap<v.GenericSchema, Kind>();

/** How a parameter's schema is written as text. */
export function textKind(schema: v.GenericSchema): Kind {
  let kind = kinds.get(schema);
  if (!kind) {
    kind = kindOf(schema);
    kinds.set(schema, kind);
  }
  return kind;
}

function kindOf(schema: v.GenericSchema): Kind {
  const bare = bareSchema(schema);
  switch (bare.type) {
    case 'string':
      return 'text';
    case 'blob':
    // The only schema of its kind: a file that is read as it arrives.
    case 'custom':
      return 'file';
    case 'literal':
      return typeof (bare as unknown as { literal: unknown }).literal === 'string' ? 'text' : 'json';
    case 'number':
      return bare === schema || !isNullable(schema) ? 'integer' : 'json';
    case 'picklist':
      return (bare as unknown as { options: unknown[] }).options.every((option) => typeof option === 'string')
        ? 'text'
        : 'json';
    case 'union':
      return (bare as unknown as { options: v.GenericSchema[] }).options.some((option) =>
        textKind(option).startsWith('text'),
      )
        ? 'text or json'
        : 'json';
    default:
      return 'json';
  }
}

/** Without optional, nullable and pipe around it. */
export function bareSchema(schema: v.GenericSchema): v.GenericSchema {
  let bare = schema as v.GenericSchema & { wrapped?: v.GenericSchema; pipe?: v.GenericSchema[] };
  for (;;) {
    const inner = bare.wrapped ?? bare.pipe?.[0];
    // A pipe's first member is its own schema without the pipe.
    if (!inner || inner === bare) return bare;
    bare = inner as typeof bare;
  }
}

function isNullable(schema: v.GenericSchema): boolean {
  for (let at: unknown = schema; at; ) {
    const { type, wrapped, pipe } = at as { type: string; wrapped?: unknown; pipe?: unknown[] };
    if (type === 'nullable' || type === 'nullish') return true;
    const inner: unknown = wrapped ?? pipe?.[0];
    if (inner === at) return false;
    at = inner;
  }
  return false;
}

/** A string of JSON, or a number; each is passed over as a whole. */
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Every number of the API is an integer, and written as one: `7.0` is refused in a list as it is by itself.
 * Parsed, it could not be told from `7`; so it is made one that no integer is.
 */
function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!/\d[.eE]/.test(text)) return value;
  return JSON.parse(text.replace(STRING_OR_NUMBER, (part) => (/^-?\d.*[.eE]/.test(part) ? '1e999' : part)));
}

/** Reads one parameter from its text; `raw` that is no text is passed on. */
export function decodeText(name: string, schema: v.GenericSchema, raw: unknown): unknown {
  if (typeof raw !== 'string') return raw;
  const kind = textKind(schema);
  // A text that may be null is told from it by this word alone.
  if (kind === 'text') return raw === 'null' && isNullable(schema) ? null : raw;
  // A file given as text is refused by its schema.
  if (kind === 'file') return raw;
  if (kind === 'integer' && !/^-?[0-9]+$/.test(raw)) throw new BadRequest(`${name} must be an integer.`);
  let value: unknown;
  try {
    value = parseJson(raw);
  } catch {
    if (kind === 'text or json') return raw;
    throw new BadRequest(`${name} is not valid JSON.`);
  }
  if (kind === 'text or json' && !v.is(schema, value)) return raw;
  return value;
}

/** Writes one parameter as text. */
export function encodeText(schema: v.GenericSchema, value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  const kind = textKind(schema);
  if (kind === 'text') return value;
  if (kind !== 'text or json') return JSON.stringify(value);
  // Quoted only where the bare text would be read as something else.
  return decodeText('', schema, value) === value ? value : JSON.stringify(value);
}
