import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { RereadableContent, StreamedFile } from '../../lib/index.ts';
import { parseCsv } from '../csv.ts';
import { UsageError } from '../failure.ts';
import { uploadMemory } from '../upload-memory.ts';

/** The file at a path, or what comes on stdin for `-`. */
export async function fileAt(path: string): Promise<File> {
  if (path === '-') {
    const pieces: Buffer<ArrayBuffer>[] = [];
    for await (const piece of process.stdin) pieces.push(piece as Buffer<ArrayBuffer>);
    return new File(pieces, 'stdin');
  }
  try {
    return new File([await readFile(path)], basename(path));
  } catch (error) {
    throw new UsageError(
      `Cannot read ${path}: ${(error as Error).message}`,
      'Give the path of a file, or - for stdin.',
    );
  }
}

/** Files at paths, or what comes on stdin for `-`; none is read before it is sent. */
export async function streamedFiles(paths: readonly string[]): Promise<StreamedFile | StreamedFile[]> {
  const files: StreamedFile[] = [];
  // All are looked at before the first is sent.
  for (const path of paths) files.push(await streamedFileAt(path));
  return files.length === 1 ? (files[0] as StreamedFile) : files;
}

async function streamedFileAt(path: string): Promise<StreamedFile> {
  if (path === '-') return { name: 'stdin', content: process.stdin };
  const found = await stat(path).catch((error: Error) => error);
  const problem = found instanceof Error ? found.message : found.isFile() ? undefined : 'it is no file';
  if (found instanceof Error || problem !== undefined) {
    throw new UsageError(`Cannot read ${path}: ${problem}`, 'Give paths of files, or - for stdin.');
  }
  const from = (start: number) => createReadStream(path, { start, highWaterMark: 256 * 1024 });
  const content: RereadableContent = {
    from,
    // Not opened before it is read.
    [Symbol.asyncIterator]: () => from(0)[Symbol.asyncIterator](),
    memory: uploadMemory(resolve(path), found.size, found.mtimeMs),
  };
  return { name: basename(path), size: found.size, content };
}

/** `-` stands for the text on stdin, `@path` for that in a file. */
async function textOf(item: string): Promise<string> {
  if (item !== '-' && !/^@./.test(item)) return item;
  return (await fileAt(item === '-' ? item : item.slice(1))).text();
}

/** Names of which some are given so: one on each line there, or with commas between them. */
export async function namesIn(item: string): Promise<string[]> {
  const text = await textOf(item);
  return text === item ? [item] : text.split(/[\n,]/).flatMap((name) => name.trim() || []);
}

/** Addresses of which some are given so, one on each line; of a CSV with titles those in its column `email`. */
export async function addressesIn(given: readonly string[]): Promise<string> {
  const texts: string[] = [];
  for (const item of given) {
    const text = await textOf(item);
    texts.push(text === item ? text : emailColumn(text));
  }
  return texts.join('\n');
}

const TITLES = ['email', 'e-mail', 'address'];

function emailColumn(text: string): string {
  const [head = ''] = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  // Titles are no addresses.
  if (head.includes('@') || !head.split(',').some((title) => isTitle(title))) return text;
  const [titles, ...rows] = parseCsv(text);
  const column = titles?.cells.findIndex(isTitle) ?? 0;
  return rows.map(({ cells }) => cells[column] ?? '').join('\n');
}

const isTitle = (title: string) => TITLES.includes(title.replaceAll('"', '').trim().toLowerCase());
