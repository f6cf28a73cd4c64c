import * as v from 'valibot';
import { BadRequest, RequestVariableMissing } from '../base/errors.ts';
import { isOptional, layersOf, textKind } from '../base/text-codec.ts';
import type { Operation } from '../operation/operation.ts';

/** Decodes the text of one parameter. Throws a `BadRequest` that names the parameter. */
export type DecodeParameter = (name: string, schema: v.GenericSchema, raw: unknown) => unknown;

/** Values of parameters by name, before they are read. */
export type Values = Readonly<Record<string, unknown>>;

/**
 * Reads the parameters of an operation in the order of their declaration; throws the first error (reference, 1.1).
 * Ignores unknown parameters; see `unknownParameters`.
 */
export function readParameters(operation: Operation, values: Values, decode?: DecodeParameter) {
  const parameters: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(operation.params)) {
    const raw = Object.hasOwn(values, name) ? values[name] : undefined;
    const value = readParameter(name, schema, raw, decode);
    if (value !== undefined) parameters[name] = value;
  }
  return parameters;
}

/** Reads one parameter; throws a `BadRequest` that names it. */
export function readParameter<S extends v.GenericSchema>(
  name: string,
  schema: S,
  raw: unknown,
  decode?: DecodeParameter,
): v.InferOutput<S> {
  if (raw === undefined && !isOptional(schema)) {
    // Released clients look for these words.
    if (textKind(schema) === 'file') throw new BadRequest('You must specify a file to upload.');
    throw new RequestVariableMissing(name);
  }
  const value = raw === undefined || decode === undefined ? raw : decode(name, schema, raw);
  const parsed = v.safeParse(schema, value, { abortEarly: true });
  if (!parsed.success) throw new BadRequest(issueText(name, parsed.issues[0]));
  return parsed.output;
}

/** Names of unknown parameters, sorted: `ignored_parameters_unsupported`. */
export function unknownParameters(operation: Operation, values: Values): string[] {
  return Object.keys(values)
    .filter((name) => !Object.hasOwn(operation.params, name))
    .sort();
}

export interface FileParameter {
  name: string;
  /** Size limit in bytes. */
  maxBytes: number;
  /** The file is passed as a stream, and the operation enforces the size limit. */
  isStreamed: boolean;
  /** The other parameters of the operation. It runs when a streamed file begins, so they precede the file. */
  others: readonly string[];
}

export function fileParameter(operation: Operation): FileParameter | undefined {
  for (const [name, schema] of Object.entries(operation.params)) {
    if (textKind(schema) !== 'file') continue;
    const layers = layersOf(schema);
    const limit = layers.flatMap(({ pipe = [] }) => pipe).find(({ type }) => type === 'max_size');
    const others = Object.keys(operation.params).filter((other) => other !== name);
    return { name, maxBytes: Number(limit?.requirement ?? 0), isStreamed: layers.at(-1)?.type === 'custom', others };
  }
  return undefined;
}

/** `stream_ids[0] must be an integer.` A union reports only itself: its cause, if there is one, says more. */
function issueText(name: string, { path, message, issues }: v.BaseIssue<unknown>): string {
  const keys = (path ?? []).map(({ key }) => (typeof key === 'number' ? `[${key}]` : `["${String(key)}"]`));
  const place = [name, ...keys].join('');
  return issues?.length === 1 ? issueText(place, issues[0]) : `${place} ${message}.`;
}
