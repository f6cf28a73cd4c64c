import * as v from 'valibot';

/** The version of the format. It rises when the meaning of a field changes, not when fields are added. */
export const FORMAT_VERSION = 1;
export const FORMAT = 'parlance';

export const MANIFEST = 'export.json';
/** The list of uploaded files. */
export const FILE_LIST = 'files.jsonl';

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const digest = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));

export const manifestSchema = v.object({
  format: v.literal(FORMAT),
  version: count,
  schema: count,
  scope: v.picklist(['full', 'public', 'consent', 'person']),
  organization: v.object({ name: v.string(), uuid: v.string() }),
  user_id: v.optional(count),
  tables: v.array(
    v.object({
      name: v.pipe(v.string(), v.regex(/^[a-z_]+$/)),
      rows: count,
      last_id: v.optional(count),
      bytes: count,
      sha256: digest,
    }),
  ),
  files: v.object({ count, bytes: count, missing: count, list_bytes: count, sha256: digest }),
});

/** The description of an export. It contains no time and no engine, so exports of equal content are equal. */
export interface ExportManifest {
  /** Marks an export of this chat. */
  format: 'parlance';
  /** Version of the format. */
  version: number;
  /** Version of the database. */
  schema: number;
  /** Whose data it contains. */
  scope: 'full' | 'public' | 'consent' | 'person';
  /** The organization that it comes from. */
  organization: {
    name: string;
    uuid: string;
  };
  /** The person, if `scope` is `person`. */
  user_id?: number | undefined;
  /** The JSON Lines files. */
  tables: {
    /** Name of the file, without `.jsonl`. */
    name: string;
    rows: number;
    /** The last ID that the database has given. */
    last_id?: number | undefined;
    bytes: number;
    /** SHA-256 digest in hexadecimal digits. */
    sha256: string;
  }[];
  /** The uploaded files. */
  files: {
    count: number;
    /** Bytes of all files. */
    bytes: number;
    /** Files that the file store lacks. */
    missing: number;
    /** Size of the list of the files. */
    list_bytes: number;
    /** SHA-256 digest of the list in hexadecimal digits. */
    sha256: string;
  };
}

export const listedFileSchema = v.object({
  upload_id: count,
  path: v.pipe(v.string(), v.regex(/^files\/[^/\\]+$/)),
  size: count,
  sha256: digest,
});

/** A line of `files.jsonl`. */
export type ListedFile = v.InferOutput<typeof listedFileSchema>;

/** Endings of files that programs open without running code in them. */
const HARMLESS =
  /\.(?:txt|md|csv|log|png|jpe?g|gif|webp|avif|heic|bmp|mp[34]|m4[av]|mov|webm|og[gv]|wav|flac|pdf|zip|gz|tar|7z|docx?|xlsx?|pptx?|od[tsp]|rtf|ics|vcf)$/i;

const MAX_NAME_BYTES = 120;

/** Name of an uploaded file. Files that could run scripts when you open them get the ending `.bin`. */
export function fileNameIn(upload: { id: number; file_name: string }): string {
  const ending = HARMLESS.exec(upload.file_name)?.[0] ?? '';
  const characters = [...upload.file_name.slice(0, upload.file_name.length - ending.length).replace(/[. ]+$/, '')];
  while (Buffer.byteLength(characters.join('')) > MAX_NAME_BYTES) characters.pop();
  return `files/${upload.id}-${characters.join('')}${ending || '.bin'}`;
}
