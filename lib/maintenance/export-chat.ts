import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { errorOf } from '../base/caught.ts';
import { counted } from '../base/counted.ts';
import { BadRequest } from '../base/errors.ts';
import { accessAccount, type UserReference } from '../chat/accounts.ts';
import type { Chat } from '../chat/chat.ts';
import { transportOf } from '../chat/transport.ts';
import type { ExportManifest } from '../domains/exports/format.ts';
import { type ExportStep, writeExport } from '../domains/exports/write-export.ts';
import { type ZipArchive, zipArchive } from '../domains/exports/zip.ts';
import { storedAt } from '../domains/uploads/stored-file.ts';
import { auditEntry } from '../engine/audit.ts';
import type { Engine } from '../engine/engine.ts';
import { explainDiskError } from '../storage/disk-errors.ts';
import type { ExportRow, ExportScope, ExportSource } from '../storage/interface/export.ts';
import { withPartial } from '../storage/sqlite/keeping.ts';
import { StorageError } from '../storage/storage-error.ts';
import { checkFree, nameAnew } from './back-up.ts';
import { ExportFolder } from './export-folder.ts';
import { PersonPages } from './export-pages.ts';

/** Options of `exportChat` and `exportUser`. */
export interface ExportOptions {
  /** Export although the file store lacks uploaded files. Default false. */
  allowMissingFiles?: boolean | undefined;
  /** Called repeatedly with the progress. `what` is a table, or `files`. */
  onStep?: ((step: ExportStep) => void) | undefined;
}

/**
 * Exports the organization to a folder: a JSON Lines file for each kind of record, the uploaded files, and
 * `export.json` with their SHA-256 digests. One snapshot; servers can keep running. It contains the private data of all
 * users, but no passwords, keys and links. Only the owner of the folder can read it. `importOrganization` reads it.
 *
 * Call it again to continue after an interruption: it copies the records again, but not files that are complete.
 * @param path a new or empty folder, or one with an unfinished export of this organization
 * @throws StorageError `foreign-application` for another folder, or `busy` if another process exports to it
 * @throws StorageError `files-missing` if the file store lacks uploaded files
 * @throws StorageError `empty` without an organization
 * @example await exportChat(chat, '/exports/2026-11-29');
 */
export async function exportChat(chat: Chat, path: string, options: ExportOptions = {}): Promise<ExportManifest> {
  const { engine } = transportOf(chat);
  const manifest = await reading(engine, 'full', async (source) => {
    const folder = await ExportFolder.take(path, source.organization.uuid);
    try {
      const written = await writeExport(source, folder, writing(engine, 'full', options));
      await folder.finish(written);
      return written;
    } finally {
      folder.release();
    }
  });
  await note(engine, 'exportChat', { messages: rowsIn(manifest, 'messages'), files: manifest.files.count });
  return manifest;
}

/**
 * Exports the data of one person to a ZIP file that only its owner can read. It contains profile, settings, own messages,
 * direct conversations, files, reactions, sessions and audit entries. Start with `index.html`. The pages run no scripts
 * and load nothing.
 * @param path of a new file
 * @throws StorageError `busy` if the file exists, or `files-missing` if the file store lacks uploaded files
 * @throws Unauthorized if there is no such account
 * @example await exportUser(chat, 'ben@example.com', 'ben.zip');
 */
export async function exportUser(
  chat: Chat,
  user: UserReference,
  path: string,
  options: ExportOptions = {},
): Promise<ExportManifest> {
  const { engine } = transportOf(chat);
  const { id } = await engine.storage.read((tx) => accessAccount(tx, user));
  const scope = { user_id: id };
  checkFree(path);
  const manifest = await reading(engine, scope, (source) =>
    withPartial(path, async (partial) => {
      const written = await intoZip(partial, async (archive) => {
        const pages = new PersonPages(id);
        const onRows = (table: string, rows: readonly ExportRow[]) => pages.note(table, rows);
        const manifest = await writeExport(source, archive, { ...writing(engine, scope, options), onRows });
        await pages.write(source, archive, manifest);
        return manifest;
      });
      await nameAnew(partial, path);
      return written;
    }).catch((error: unknown) => {
      throw explainDiskError(error, path);
    }),
  );
  await note(engine, 'exportUser', { user_id: id });
  return manifest;
}

async function intoZip<T>(path: string, work: (archive: ZipArchive) => Promise<T>): Promise<T> {
  const archive = await zipArchive();
  const stored = pipeline(archive.content, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }));
  try {
    const result = await work(archive);
    archive.end();
    await stored;
    return result;
  } catch (error) {
    archive.content.destroy(errorOf(error));
    // The first error: that of the disk, if it stopped the work.
    await stored;
    throw error;
  }
}

const rowsIn = ({ tables }: ExportManifest, table: string) => tables.find(({ name }) => name === table)?.rows ?? 0;

async function reading<T>(
  { options: { storage } }: Engine,
  scope: ExportScope,
  work: (source: ExportSource) => Promise<T>,
): Promise<T> {
  if (!storage.exportRows) throw new BadRequest('This storage cannot be exported.');
  return storage.exportRows(scope, work);
}

function writing(engine: Engine, scope: ExportScope, { allowMissingFiles, onStep }: ExportOptions) {
  return {
    scope,
    files: engine.options.files,
    onStep,
    checkMissing: async (missing: readonly string[]) => {
      if (allowMissingFiles || missing.length === 0) return;
      // Users may have removed files since the snapshot.
      const lost = await stillStored(engine, scope, missing);
      if (lost.length === 0) return;
      const what = counted(lost.length, 'uploaded file');
      const where = engine.options.files
        ? `The file store lacks ${what}, such as ${lost[0]}`
        : `There is no file store for ${what}`;
      throw new StorageError(`${where}. The export is not complete.`, 'files-missing');
    },
  };
}

function stillStored(engine: Engine, scope: ExportScope, keys: readonly string[]): Promise<string[]> {
  return reading(engine, scope, async ({ tables }) => {
    const stored = new Set<string>();
    for await (const rows of tables.find(({ name }) => name === 'uploads')?.slices() ?? [])
      for (const row of rows) stored.add(storedAt(row as { file_key: string }));
    return keys.filter((key) => stored.has(key));
  });
}

/** After the snapshot, so that the export does not contain its own entry. */
const note = (engine: Engine, action: string, details: Record<string, number>) =>
  engine.storage.write((tx) => tx.audit.add([auditEntry(engine.clock.now(), action, { details })]), 'silent');
