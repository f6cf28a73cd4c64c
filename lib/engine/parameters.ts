import * as v from 'valibot';
import { BadRequest, RequestVariableMissing } from '../base/errors.ts';
import { bareSchema, textKind } from '../base/text-codec.ts';
import type { Operation } from '../operation/operation.ts';

/** Decodes the text of one parameter. Throws a `BadRequest` that names the parameter. */
export type DecodeParameter = (name: string, schema: v.GenericSchema, raw: unknown) => unknown;

/**
 * Reads the parameters of an operation in the order of their declaration; throws the first error (reference, 1.1).
 * Ignores unknown parameters; see `unknownParameters`.
 */
export function readParameters(
  operation: Operation,
  values: Readonly<Record<string, unknown>>,
  decode?: DecodeParameter,
): Record<string, unknown> {
  const entries = operation.params;
  const parameters: Record<string, unknown> = {};
  for (const name in entries) {
    const raw = Object.hasOwn(values, name) ? values[name] : undefined;
    const value = readParameter(name, entries[name] as v.GenericSchema, raw, decode);
    if (value !== undefined) parameters[name] = value;
  }
  return parameters;
}

const FIRST_FAULT = { abortEarly: true } as const;

/** Reads one parameter; throws a `BadRequest` that names it. */
export function readParameter(name: string, schema: v.GenericSchema, raw: unknown, decode?: DecodeParameter): unknown {
  if (raw === undefined && !isOptional(schema)) {
    if (textKind(schema) === 'file') throw new BadRequest('Send exactly one file.');
    throw new RequestVariableMissing(name);
  }
  const value = raw === undefined || decode === undefined ? raw : decode(name, schema, raw);
  const parsed = v.safeParse(schema, value, FIRST_FAULT);
  if (!parsed.success) throw new BadRequest(issueText(name, parsed.issues[0]));
  return parsed.output;
}

/** Names of unknown parameters, sorted: `ignored_parameters_unsupported`. */
export function unknownParameters(operation: Operation, values: Readonly<Record<string, unknown>>): string[] {
  const names: string[] = [];
  for (const name in values) if (!Object.hasOwn(operation.params, name)) names.push(name);
  return names.length > 1 ? names.sort() : names;
}

export function isOptional(schema: v.GenericSchema): boolean {
  if (schema.type === 'optional' || schema.type === 'nullish') return true;
  const pipe = (schema as { pipe?: v.GenericSchema[] }).pipe;
  return pipe?.[0] !== undefined && pipe[0] !== schema && isOptional(pipe[0]);
}

/** The file parameter of an operation. */
export interface FileParameter {
  name: string;
  /** Size limit in bytes. */
  maxBytes: number;
  /** The file is passed as a stream, and the operation enforces the size limit. */
  isStreamed: boolean;
}

export function fileParameter(operation: Operation): FileParameter | undefined {
  for (const [name, schema] of Object.entries(operation.params)) {
    if (textKind(schema) !== 'file') continue;
    return { name, maxBytes: maxSizeOf(schema as Part) ?? 0, isStreamed: bareSchema(schema).type === 'custom' };
  }
  return undefined;
}

function maxSizeOf(schema: Part): number | undefined {
  if (schema.type === 'max_size') return schema.requirement;
  for (const part of schema.pipe ?? (schema.wrapped ? [schema.wrapped] : [])) {
    const size = part === schema ? undefined : maxSizeOf(part);
    if (size !== undefined) return size;
  }
  return undefined;
}

/** A schema or an action, with its parts. */
interface Part {
  type: string;
  pipe?: Part[];
  wrapped?: Part;
  requirement?: number;
}

/** `stream_ids[0] must be an integer.` */
function issueText(name: string, issue: v.BaseIssue<unknown>): string {
  let path = name;
  let text = issue.message;
  // A union reports only itself. The deepest issue with a single cause is more useful.
  let deepest: v.BaseIssue<unknown> = issue;
  for (;;) {
    for (const step of deepest.path ?? []) {
      const key = step.key;
      path += typeof key === 'number' ? `[${key}]` : `["${String(key)}"]`;
    }
    text = deepest.message;
    const causes = deepest.issues;
    if (causes?.length !== 1 || !causes[0]) break;
    deepest = causes[0];
  }
  return `${path} ${text}.`;
}
