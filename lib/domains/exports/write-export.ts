import { Readable } from 'node:stream';
import type { FileStore } from '../../adapters/files.ts';
import { present } from '../../base/present.ts';
import type { ExportRow, ExportScope, ExportSource, ExportTable } from '../../storage/interface/export.ts';
import { storedAt } from '../uploads/stored-file.ts';
import {
  type ExportManifest,
  FILE_LIST,
  FORMAT,
  FORMAT_VERSION,
  fileNameIn,
  type ListedFile,
  MANIFEST,
} from './format.ts';

/** The place of an export. */
export interface ExportTarget {
  /** Adds a file. Reads the content once, as fast as it can write. */
  add(name: string, content: AsyncIterable<Uint8Array>): Promise<Written>;
  /** A file from an earlier run that is complete. The content of uploaded files never changes. */
  present?(name: string, size: number): Promise<Written | undefined>;
}

export interface Written {
  size: number;
  sha256: string;
}

/** Progress of an export. */
export interface ExportStep {
  /** A table, or `files`. */
  what: string;
  /** Rows of the table, or bytes of files. */
  done: number;
  /** Total amount in the same unit. Absent if unknown. */
  total?: number;
}

interface WriteOptions {
  scope: ExportScope;
  files: FileStore | undefined;
  onStep?: ((step: ExportStep) => void) | undefined;
  onRows?: ((table: string, rows: readonly ExportRow[]) => void) | undefined;
  /** Called with the keys of uploaded files that the store lacks. May throw to refuse. */
  checkMissing?: ((missing: readonly string[]) => Promise<void>) | undefined;
}

interface UploadRow {
  id: number;
  file_key: string;
  file_name: string;
  size: number;
  is_complete: boolean;
}

/** Writes one snapshot: a file for each table, the uploaded files, their list and the manifest. */
export async function writeExport(
  source: ExportSource,
  target: ExportTarget,
  { scope, files, onStep, onRows, checkMissing }: WriteOptions,
): Promise<ExportManifest> {
  const tables: ExportManifest['tables'] = [];
  for (const table of source.tables) {
    const counting = { rows: 0 };
    const { size, sha256 } = await target.add(
      `${table.name}.jsonl`,
      linesOf(table, (rows) => {
        counting.rows += rows.length;
        onStep?.({ what: table.name, done: counting.rows });
        onRows?.(table.name, rows);
      }),
    );
    const last_id = await table.lastId();
    tables.push({
      name: table.name,
      rows: counting.rows,
      ...(last_id === undefined ? {} : { last_id }),
      bytes: size,
      sha256,
    });
  }
  const uploads = present(source.tables.find(({ name }) => name === 'uploads'));
  const { listed, missing, bytes } = await copyFiles(uploads, target, { files, onStep });
  await checkMissing?.(missing);
  const list = await target.add(FILE_LIST, Readable.from(listed.lines));
  const manifest: ExportManifest = {
    format: FORMAT,
    version: FORMAT_VERSION,
    schema: source.schema,
    scope: typeof scope === 'object' ? 'person' : scope,
    organization: source.organization,
    ...(typeof scope === 'object' ? { user_id: scope.user_id } : {}),
    tables,
    files: { count: listed.count, bytes, missing: missing.length, list_bytes: list.size, sha256: list.sha256 },
  };
  await target.add(MANIFEST, textOf(`${JSON.stringify(manifest, null, 2)}\n`));
  return manifest;
}

export async function* textOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

const lines = (values: readonly unknown[]) => Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join(''));

async function* linesOf(table: ExportTable, onRows: (rows: readonly ExportRow[]) => void): AsyncGenerator<Uint8Array> {
  for await (const rows of table.slices()) {
    onRows(rows);
    yield lines(rows);
  }
}

/** Keeps the lines of the list in memory, about 200 bytes for each file: targets take one file at a time. */
async function copyFiles(
  uploads: ExportTable,
  target: ExportTarget,
  { files, onStep }: Pick<WriteOptions, 'files' | 'onStep'>,
) {
  const listed: { lines: Uint8Array[]; count: number } = { lines: [], count: 0 };
  const missing: string[] = [];
  let bytes = 0;
  for await (const rows of uploads.slices()) {
    const found: ListedFile[] = [];
    for (const upload of (rows as unknown as readonly UploadRow[]).filter((each) => each.is_complete)) {
      const copied = await copyFile(upload, target, files);
      if (copied) found.push(copied);
      else missing.push(storedAt(upload));
      bytes += copied?.size ?? 0;
      onStep?.({ what: 'files', done: bytes });
    }
    listed.lines.push(lines(found));
    listed.count += found.length;
  }
  return { listed, missing, bytes };
}

/** @returns undefined if the file store lacks the file */
async function copyFile(
  upload: UploadRow,
  target: ExportTarget,
  files: FileStore | undefined,
): Promise<ListedFile | undefined> {
  const path = fileNameIn(upload);
  let written = await target.present?.(path, upload.size);
  if (!written) {
    const content = await files?.read(storedAt(upload));
    if (!content) return undefined;
    written = await target.add(path, content);
  }
  return { upload_id: upload.id, path, size: written.size, sha256: written.sha256 };
}
