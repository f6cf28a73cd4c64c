import * as v from 'valibot';
import { isRecord, recordOf } from './keys.ts';
import type { BlobLike } from './platform-types.ts';

/**
 * Schemas for parameters. They describe values; each transport defines the text form. Issue messages follow the path
 * of the parameter: "stream_ids[0] must be an integer". No schema transforms its value, so OpenAPI can be generated.
 */

/** Default limit for lists, in elements. */
const MAX_LIST = 50_000;
/** Default limit for strings, in code points. */
const MAX_TEXT = 100_000;

const MEBIBYTE = 1024 * 1024;

const noNul = v.check<string, string>((text) => !text.includes('\0'), 'must not contain NUL characters');
// JSON can contain them ("\ud800"), but databases cannot store them. PostgreSQL fails.
const noLoneSurrogates = v.check<string, string>(
  (text) => !/\p{Surrogate}/u.test(text),
  'must not contain lone surrogates',
);

/** Number of code points: the unit of all length limits of the API. */
export function codePoints(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

/** Raw text of at most `max` code points. */
export function text(max: number = MAX_TEXT) {
  return v.pipe(
    v.string('must be a string'),
    v.check((value) => value.length <= max || codePoints(value) <= max, `is too long (limit: ${max} characters)`),
    noNul,
    noLoneSurrogates,
  );
}

/** Raw text that the operation refuses if it is empty, with a message of its own. The OpenAPI description says so. */
export const nonEmptyText = (max?: number) => v.pipe(text(max), v.metadata({ minLength: 1 }));

export const integer = v.pipe(v.number('must be an integer'), v.safeInteger('must be an integer'));

const idempotencyKey = v.pipe(text(255), v.minLength(1, 'must not be empty'));

/** The parameter of an operation that creates something. */
export const repeatable = {
  idempotency_key: optional(
    forPrograms(idempotencyKey),
    'Makes a retry safe. Repeated with the same key within 24 hours, the call changes nothing and returns the first answer. Over HTTP also as the header `Idempotency-Key`.',
  ),
};

/** An object's id. */
export const id = v.pipe(integer, v.minValue(0, 'must not be negative'));

/** An integer within limits. */
export function between(least: number, most: number) {
  const tooSmall = least === 0 ? 'must not be negative' : `must be at least ${least}`;
  return v.pipe(integer, v.minValue(least, tooSmall), v.maxValue(most, `must be at most ${most}`));
}

export const flag = v.boolean('must be a boolean');

/** UNIX time in seconds, with or without a fraction. */
export const preciseTimestamp = v.pipe(v.number('must be a number'), v.minValue(0, 'must not be negative'));

export function choice<const T extends readonly (string | number)[]>(values: T) {
  return v.picklist(values, `must be one of ${values.join(', ')}`);
}

export function list<S extends v.GenericSchema>(item: S, max: number = MAX_LIST) {
  return v.pipe(v.array(item, 'must be a list'), v.maxLength(max, `has too many elements (limit: ${max})`));
}

export const ids = list(id);

export function either<const S extends v.UnionOptions>(schemas: S, message: string) {
  return v.union(schemas, message);
}

/**
 * An object with arbitrary keys. valibot's own `record` accepts arrays and skips keys like `constructor`. Reports only
 * the first issue.
 */
export function record<K extends v.GenericSchema<string, string>, S extends v.GenericSchema>(
  key: K,
  value: S,
  message: string,
) {
  const schema = v.record(key, value, message);
  const run: (typeof schema)['~run'] = (dataset, config) => {
    const input = dataset.value;
    if (!isRecord(input)) return schema['~run']({ value: null }, config);
    const taken: [string, unknown][] = [];
    for (const [name, given] of Object.entries(input)) {
      const [first, second] = [key['~run']({ value: name }, config), value['~run']({ value: given }, config)];
      const issues = first.issues ?? second.issues;
      if (issues) {
        const step = { type: 'object' as const, origin: 'value' as const, input, key: name, value: given };
        const [fault] = issues;
        return { typed: false, value: input, issues: [{ ...fault, path: [step, ...(fault.path ?? [])] }] };
      }
      taken.push([name, second.value]);
    }
    return { typed: true, value: Object.fromEntries(taken) } as ReturnType<(typeof schema)['~run']>;
  };
  return { ...schema, '~run': run };
}

/** Value of a permission: a group ID, or lists of users and groups. */
export const groupSetting = either(
  [
    id,
    v.strictObject(
      { direct_members: ids, direct_subgroups: ids },
      'must have exactly the keys direct_members and direct_subgroups',
    ),
  ],
  'must be a group ID or an object with direct_members and direct_subgroups',
);

/** New value of a permission. If `old` is set, the current value must equal it. */
export const groupSettingUpdate = v.strictObject(
  { new: groupSetting, old: v.optional(groupSetting) },
  'must be an object with the key new, and optionally old',
);

/**
 * A file: a `Blob`, or a `File` if the name matters. Over HTTP it is the only file of a multipart form, under any
 * field name. An operation accepts at most one file.
 * @param maxMebibytes size limit in MiB
 */
export function file(maxMebibytes: number) {
  return v.pipe(
    v.blob('must be a file'),
    v.maxSize(maxMebibytes * MEBIBYTE, `is too large (limit: ${maxMebibytes} MiB)`),
  );
}

/** A file that is streamed: it is never completely in memory. */
export interface StreamedFile {
  /** File name with extension. */
  name: string;
  /** Media type. Default: derived from the name. */
  type?: string;
  /** Size in bytes, if known. */
  size?: number;
  /** The bytes. Pass a `RereadableContent` to resume a large upload after a broken connection. */
  content: AsyncIterable<Uint8Array> | BlobLike | Uint8Array;
}

/**
 * File content that can be read again. A remote session resumes the upload of a large file after a broken
 * connection. Other iterables are sent in one request.
 */
export interface RereadableContent extends AsyncIterable<Uint8Array> {
  /** Reads from this byte on. May be called several times. */
  from(offset: number): AsyncIterable<Uint8Array>;
  /** Stores the address of the unfinished upload, so that a later process can resume it. */
  readonly memory?: UploadMemory;
}

export function isRereadable(content: StreamedFile['content']): content is RereadableContent {
  return 'from' in content && typeof content.from === 'function';
}

/** Remembers the unfinished upload of one file, for each server. */
export interface UploadMemory {
  /** Address of the unfinished upload at this server. undefined: there is none. */
  find(site: string): Promise<string | undefined>;
  /** Called when an upload starts. */
  save(site: string, address: string): Promise<void>;
  /** Called when the upload is complete or cannot be resumed. */
  forget(site: string): Promise<void>;
}

/**
 * A file of any size, read as a stream: a `Blob`, a `File`, or a `StreamedFile`. Over HTTP as in `file`. The operation
 * enforces the size limit while it reads.
 */
export function streamedFile() {
  return v.custom<Blob | StreamedFile>(isFile, 'must be a file');
}

function isFile(value: unknown): boolean {
  if (value instanceof Blob) return true;
  if (!isRecord(value)) return false;
  const { name, type, content } = value;
  return (
    typeof name === 'string' &&
    (type === undefined || typeof type === 'string') &&
    typeof content === 'object' &&
    content !== null &&
    (content instanceof Blob || content instanceof Uint8Array || Symbol.asyncIterator in content)
  );
}

export async function* piecesOf(content: StreamedFile['content']): AsyncGenerator<Uint8Array> {
  if (content instanceof Uint8Array) yield content;
  else if (content instanceof Blob) yield* content.stream() as unknown as AsyncIterable<Uint8Array>;
  else yield* content;
}

/** The same file as a `StreamedFile`. A `Blob` without a name gets an empty one. */
export function namedFile(file: Blob | StreamedFile): StreamedFile {
  if (!(file instanceof Blob)) return file;
  const name = file instanceof File ? file.name : '';
  return { name, ...(file.type === '' ? {} : { type: file.type }), content: file };
}

/** Size of a file in bytes, if it is known. */
export function knownSize({ content, size }: StreamedFile): number | undefined {
  if (content instanceof Uint8Array) return content.length;
  return content instanceof Blob ? content.size : size;
}

export const descriptionOf = (schema: v.GenericSchema): string | undefined => v.getDescription(schema as never);

/** Adds the description that `--help`, OpenAPI and the docs show. */
export function describe<S extends v.GenericSchema>(schema: S, description: string) {
  return v.pipe(schema, v.description(description));
}

/**
 * Marks a text of an answer that logs in or joins, and works for longer than the token of a caller. Tokens do not get
 * it, and a dry run returns a fake one.
 */
export function secret<S extends v.GenericSchema<string, string>>(schema: S, description: string) {
  return v.pipe(schema, v.description(description), v.metadata({ isSecret: true }));
}

/** Marks a parameter that programs send and users do not type. The help of `chatctl` shows it only in full. */
export function forPrograms<S extends v.GenericSchema>(schema: S) {
  return v.pipe(schema, v.metadata({ isForPrograms: true }));
}

export const isForPrograms = (schema: v.GenericSchema): boolean =>
  (v.getMetadata(schema as never) as { isForPrograms?: true }).isForPrograms === true;

/** The API key of an account, in an answer. */
export const apiKey = secret(v.string(), 'API key. Keep it secret: it gives full access to the account.');

/** An optional parameter or field with its description. @param fallback value if it is omitted */
export function optional<S extends v.GenericSchema, const D extends v.Default<S, undefined> = undefined>(
  schema: S,
  description: string,
  fallback?: D,
) {
  return v.optional(describe(schema, description), fallback as D);
}

/** An optional boolean with the default `true`. */
export const trueByDefault = (description: string) => optional(flag, description, true);

/** An optional boolean with the default `false`. */
export const falseByDefault = (description: string) => optional(flag, description, false);

/** The values of parameters or fields. */
export type ValuesOf<E extends v.ObjectEntries> = v.InferOutput<v.ObjectSchema<E, undefined>>;

/** The values of parameters as a caller may pass them: those with a fallback are optional. */
export type InputsOf<E extends v.ObjectEntries> = v.InferInput<v.ObjectSchema<E, undefined>>;

/** Entries of an object with the same schema for each name. */
export function entriesOf<K extends string, S extends v.GenericSchema>(names: readonly K[], schema: S): Record<K, S> {
  return recordOf(names, () => schema);
}

/** An answer without fields. */
export const empty = v.object({});
