import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { RereadableContent, StreamedFile } from '../../lib/index.ts';
import { parseCsv } from '../csv.ts';
import { UsageError } from '../failure.ts';
import { uploadMemory } from '../upload-memory.ts';

/** Reads the file at a path, or stdin for `-`. */
export async function fileAt(path: string): Promise<File> {
  if (path === '-') {
    const pieces: Buffer<ArrayBuffer>[] = [];
    for await (const piece of process.stdin) pieces.push(piece as Buffer<ArrayBuffer>);
    return new File(pieces, 'stdin');
  }
  try {
    return new File([await readFile(path)], basename(path));
  } catch (error) {
    throw new UsageError(`Cannot read ${path}: ${(error as Error).message}`, 'Use the path of a file, or - for stdin.');
  }
}

/** Files at paths, or stdin for `-`. The content is read while it is sent. */
export async function streamedFiles(paths: readonly string[]): Promise<StreamedFile | StreamedFile[]> {
  const files: StreamedFile[] = [];
  // Check all files before the first is sent.
  for (const path of paths) files.push(await streamedFileAt(path));
  return files.length === 1 ? (files[0] as StreamedFile) : files;
}

async function streamedFileAt(path: string): Promise<StreamedFile> {
  if (path === '-') return { name: 'stdin', content: process.stdin };
  const found = await stat(path).catch((error: Error) => error);
  const problem = found instanceof Error ? found.message : found.isFile() ? undefined : 'it is not a file';
  if (found instanceof Error || problem !== undefined) {
    throw new UsageError(`Cannot read ${path}: ${problem}`, 'Use paths of files, or - for stdin.');
  }
  const from = (start: number) => createReadStream(path, { start, highWaterMark: 256 * 1024 });
  const content: RereadableContent = {
    from,
    // Opens the file only when it is read.
    [Symbol.asyncIterator]: () => from(0)[Symbol.asyncIterator](),
    memory: uploadMemory(resolve(path), found.size, found.mtimeMs),
  };
  return { name: basename(path), size: found.size, content };
}

/** The item itself, or the text on stdin for `-`, or the text of a file for `@path`. */
async function textOf(item: string): Promise<string> {
  if (item !== '-' && !/^@./.test(item)) return item;
  return (await fileAt(item === '-' ? item : item.slice(1))).text();
}

/** Names, also from stdin (`-`) or a file (`@path`): one on each line, or separated by commas. */
export async function namesIn(item: string): Promise<string[]> {
  const text = await textOf(item);
  return text === item ? [item] : text.split(/[\n,]/).flatMap((name) => name.trim() || []);
}

/**
 * E-mail addresses, also from stdin (`-`) or a file (`@path`): one on each line, or the column `email` of a CSV with
 * titles.
 */
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
  // A first line with an address has no titles.
  if (head.includes('@') || !head.split(',').some((title) => isTitle(title))) return text;
  const [titles, ...rows] = parseCsv(text);
  const column = titles?.cells.findIndex(isTitle) ?? 0;
  return rows.map(({ cells }) => cells[column] ?? '').join('\n');
}

const isTitle = (title: string) => TITLES.includes(title.replaceAll('"', '').trim().toLowerCase());
