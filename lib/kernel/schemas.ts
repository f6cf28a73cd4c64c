import * as v from 'valibot';

/**
 * The vocabulary of parameters. Schemas describe values; how a value travels as text is the business
 * of each transport. Issue texts follow the parameter's path: "stream_ids[0] must be an integer".
 * Schemas are free of transforms, so OpenAPI can be generated from them.
 */

/** Longest list any parameter accepts. */
const MAX_LIST = 50_000;
/** Longest string any parameter accepts unless it states its own limit, code points. */
const MAX_TEXT = 100_000;

const MEBIBYTE = 1024 * 1024;

const noNul = v.check<string, string>((text) => !text.includes('\0'), 'must not contain NUL characters');
// JSON can spell them ("\ud800"); no database stores them, and PostgreSQL fails on them.
const noLoneSurrogates = v.check<string, string>(
  (text) => !/\p{Surrogate}/u.test(text),
  'must not contain lone surrogates',
);

/** Number of code points, the unit of every length limit of the API. */
export function codePoints(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit <= 0xdbff) {
      const next = text.charCodeAt(i + 1);
      if (next >= 0xdc00 && next <= 0xdfff) {
        length--;
        i++;
      }
    }
  }
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

export const integer = v.pipe(v.number('must be an integer'), v.safeInteger('must be an integer'));

/** An object's id. */
export const id = v.pipe(integer, v.minValue(0, 'must not be negative'));

export const flag = v.boolean('must be a boolean');

/** UNIX time, whole seconds. */
export const timestamp = v.pipe(integer, v.minValue(0, 'must not be negative'));

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
 * An object with any names; valibot's own takes a list for one, and passes over `constructor` and the like. The first
 * fault is told, and no other.
 */
export function record<K extends v.GenericSchema<string, string>, S extends v.GenericSchema>(
  key: K,
  value: S,
  message: string,
) {
  const schema = v.record(key, value, message);
  const run: (typeof schema)['~run'] = (dataset, config) => {
    if (typeof dataset.value !== 'object' || dataset.value === null || Array.isArray(dataset.value)) {
      return schema['~run']({ value: null }, config);
    }
    const input = dataset.value as Record<string, unknown>;
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

/** Who has a permission: a group's id, or users and groups listed one by one. */
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

/** A new value of a permission, refused unless the present one is `old`, if that is given. */
export const groupSettingUpdate = v.strictObject(
  { new: groupSetting, old: v.optional(groupSetting) },
  'must be an object with the key new, and optionally old',
);

/**
 * A file: a `Blob`, or a `File` where its name matters. Over HTTP it is the one file of a multipart form,
 * whatever its part is called; an operation takes one at most.
 * @param maxMebibytes its largest size
 */
export function file(maxMebibytes: number) {
  return v.pipe(
    v.blob('must be a file'),
    v.maxSize(maxMebibytes * MEBIBYTE, `is too large (limit: ${maxMebibytes} MiB)`),
  );
}

/** A file of which no more is in memory than is worked on. */
export interface StreamedFile {
  /** As people see it, with its extension. */
  name: string;
  /** Media type; without one, it follows from the name. */
  type?: string;
  /** Bytes, where they are known before. */
  size?: number;
  /** Of pieces, those that can be read again (`RereadableContent`) are sent on where a connection broke off. */
  content: AsyncIterable<Uint8Array> | Blob | Uint8Array;
}

/**
 * Pieces of a file that can be read again: a session of a server goes on with a large file where the connection broke
 * off. Other pieces are sent in one go.
 */
export interface RereadableContent extends AsyncIterable<Uint8Array> {
  /** Those from a byte on, as often as they are asked for. */
  from(offset: number): AsyncIterable<Uint8Array>;
  /** Where it is kept how far they have come, so that a later program can go on. */
  readonly memory?: UploadMemory;
}

export function isRereadable(content: StreamedFile['content']): content is RereadableContent {
  return typeof (content as Partial<RereadableContent>).from === 'function';
}

/** Remembers, of one file and for each server, an upload that was begun and is not complete. */
export interface UploadMemory {
  /** Address of the upload that was begun at a server; undefined: none. */
  find(site: string): Promise<string | undefined>;
  /** Called when an upload was begun. */
  keep(site: string, address: string): Promise<void>;
  /** Called when it is complete, or cannot be gone on with. */
  forget(site: string): Promise<void>;
}

/**
 * A file of any size, read as it arrives: a `Blob`, a `File`, or a name with pieces that come one by one. Over HTTP
 * as `file`. What it may measure is decided by the operation, which reads no further.
 */
export function streamedFile() {
  return v.custom<Blob | StreamedFile>(isFile, 'must be a file');
}

function isFile(value: unknown): boolean {
  if (value instanceof Blob) return true;
  if (typeof value !== 'object' || value === null) return false;
  const { name, type, content } = value as Record<string, unknown>;
  return (
    typeof name === 'string' &&
    (type === undefined || typeof type === 'string') &&
    (content instanceof Blob || content instanceof Uint8Array || isAsyncIterable(content))
  );
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** The pieces of a file, one by one. */
export async function* piecesOf(content: StreamedFile['content']): AsyncGenerator<Uint8Array> {
  if (content instanceof Uint8Array) yield content;
  else if (content instanceof Blob) yield* content.stream() as unknown as AsyncIterable<Uint8Array>;
  else yield* content;
}

/** A file by the name that it has, or none. */
export function namedFile(file: Blob | StreamedFile): StreamedFile {
  if (!(file instanceof Blob)) return file;
  const name = file instanceof File ? file.name : '';
  return { name, ...(file.type === '' ? {} : { type: file.type }), content: file };
}

/** Adds the sentence that `--help`, OpenAPI and the docs show. */
export function describe<S extends v.GenericSchema>(schema: S, description: string) {
  return v.pipe(schema, v.description(description));
}

/** Nothing to say beyond success. */
export const empty = v.object({});
