import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileIn, tooLarge } from './entry-names.ts';
import { JsonLines } from './json-lines.ts';
import { BadExport, type Content } from './source.ts';
import { ZipArchive } from './zip.ts';

/** Bytes of the list in a ZIP file, which the import unpacks to a temporary folder. */
const MAX_LIST_BYTES = 64 * 1024 ** 3;

/** Finds the content of a file by its path in the list. */
export type ContentAt = (path: string) => Content | undefined;

/** Opens the list of an export, in a ZIP file or alone. @throws BadExport */
export async function openExport(
  path: string,
): Promise<{ lines: JsonLines; contentAt: ContentAt; close(): Promise<void> }> {
  if (!/\.zip$/i.test(path)) {
    const lines = await JsonLines.open(path);
    return { lines, contentAt: inFolder(dirname(path)), close: () => lines.close() };
  }
  const archive = await ZipArchive.open(path);
  const folder = await mkdtemp(join(tmpdir(), 'parlance-import-'));
  const close = async () => {
    archive.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const lines = await JsonLines.open(await unpackedList(archive, folder));
    return { lines, contentAt: inArchive(archive), close: () => lines.close().finally(close) };
  } catch (error) {
    await close();
    throw error;
  }
}

async function unpackedList(archive: ZipArchive, folder: string): Promise<string> {
  const name = [...archive.names].find((each) => /^[^/]+\.jsonl$/.test(each));
  if (name === undefined) throw new BadExport('This is not an export of Mattermost: it has no JSON Lines file.');
  if (archive.size(name) > MAX_LIST_BYTES) throw tooLarge(name, MAX_LIST_BYTES);
  const path = join(folder, 'import.jsonl');
  await pipeline(Readable.from(archive.stream(name)), createWriteStream(path));
  return path;
}

const inArchive =
  (archive: ZipArchive): ContentAt =>
  (path) => {
    const name = [path, `data/${path}`].find((each) => archive.has(each));
    return name === undefined ? undefined : () => archive.stream(name);
  };

/** Folders with the files of an export. Next to the list, there may be files of the operator. */
const FOLDERS = /^(?:data|exported_emoji)\//;

const inFolder =
  (folder: string): ContentAt =>
  (path) => {
    if (/^[/\\]|^[A-Za-z]:/.test(path) || path.split(/[/\\]/).includes('..')) return undefined;
    const file = (FOLDERS.test(path) ? fileIn(folder, path) : undefined) ?? fileIn(folder, `data/${path}`);
    return file === undefined ? undefined : () => createReadStream(file);
  };
