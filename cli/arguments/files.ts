import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { parseCsv } from '../csv.ts';
import { UsageError } from '../failure.ts';

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
