import { createHash } from 'node:crypto';
import { accessSync, constants, createReadStream, existsSync, statSync } from 'node:fs';
import { access, appendFile, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { arrayBuffer } from 'node:stream/consumers';
import type { RereadableContent, StreamedFile, UploadMemory } from '../lib/index.ts';
import { errorOf, present } from '../lib/internal.ts';
import { partsOf } from './arguments/values.ts';
import { csvLine, LINE_END, parseCsv } from './csv.ts';
import { UsageError } from './failure.ts';
import type { Terminal } from './output/terminal.ts';

/** Reads the file at a path, or stdin for `-`. */
export async function fileAt(path: string): Promise<File> {
  if (path === '-') return new File([await arrayBuffer(process.stdin)], 'stdin');
  const bytes = await readFile(path).catch((error: Error) => {
    throw unreadable(path, problemOf(error));
  });
  return new File([bytes], basename(path));
}

const unreadable = (path: string, problem: string) =>
  new UsageError(`Cannot read ${path}: ${problem}`, 'Use the path of a file, or - for stdin.');

/** The text of a file or of stdin, for `-`. */
export async function utf8TextOf(path: string): Promise<string> {
  const bytes = await (await fileAt(path)).arrayBuffer();
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${path} is not UTF-8.`, 'Save it as UTF-8.');
  }
}

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder.',
  ENOTDIR: 'there is no such file or folder.',
  EISDIR: 'it is a folder.',
  EACCES: 'you have no permission.',
  EPERM: 'you have no permission.',
  EROFS: 'the disk is read-only.',
  ENOSPC: 'the disk is full.',
  EDQUOT: 'the disk is full.',
};

/** The cause of an error of a file, to follow a colon. */
export const problemOf = ({ code = '', message }: NodeJS.ErrnoException) => PROBLEMS[code] ?? `${message}.`;

/** Files at paths, or stdin for `-`. The content is read while it is sent. */
export async function streamedFiles(paths: readonly string[]): Promise<StreamedFile | StreamedFile[]> {
  const files = await Promise.all(paths.map(streamedFileAt));
  return files.length === 1 ? present(files[0]) : files;
}

async function streamedFileAt(path: string): Promise<StreamedFile> {
  if (path === '-') return { name: 'stdin', content: process.stdin };
  const readable = access(path, constants.R_OK).then(() => stat(path));
  const found = await readable.catch((error: Error) => {
    throw unreadable(path, problemOf(error));
  });
  if (!found.isFile()) throw unreadable(path, 'it is not a file.');
  const from = (start: number) => createReadStream(path, { start, highWaterMark: 256 * 1024 });
  const content: RereadableContent = {
    from,
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

/** Names, also from stdin (`-`) or a file (`@path`): one on each line, or separated by commas. Quotes keep commas. */
export async function namesIn(item: string): Promise<string[]> {
  const text = await textOf(item);
  return text === item ? [item] : text.split('\n').flatMap(partsOf);
}

/** E-mail addresses, also from stdin (`-`) or a file (`@path`): one a line, or the column `email` of a CSV. */
export async function addressesIn(given: readonly string[]): Promise<string> {
  const texts: string[] = [];
  for (const item of given) {
    const text = await textOf(item);
    texts.push(text === item ? text : emailColumn(text));
  }
  return texts.join('\n');
}

const EMAIL_TITLE = /^\W*(e-?mail( address)?|address)\W*$/i;
/** Columns of `users import`, and other names for them. */
const OFFER_TITLE = /^\W*((invited?[ _])?as|roles?|channels?|streams?|groups?)\W*$/i;

function emailColumn(text: string): string {
  const [head = ''] = text.split(/\r\n|\n|\r/);
  // Spreadsheets copy cells with tabs between them. Some save semicolons instead of commas.
  const delimiter = ['\t', ';'].find((sign) => head.includes(sign)) ?? ',';
  if (head.includes('@') || !head.split(delimiter).some((title) => EMAIL_TITLE.test(title))) {
    // Without titles, the cell of each line that has an address. Other lines stay, so that they are refused.
    const addressOf = (line: string) => line.split('\t').find((cell) => cell.includes('@')) ?? line;
    return delimiter === '\t' ? text.split(LINE_END).map(addressOf).join('\n') : text;
  }
  const [{ cells: titles = [] } = {}, ...rows] = parseCsv(text, delimiter);
  const unread = titles.find((title) => OFFER_TITLE.test(title));
  if (unread !== undefined)
    throw new UsageError(
      `This command does not read the column "${unread.trim()}".`,
      'Use one file for each role, with --role, --channels and --groups. Remove the column.',
    );
  const column = titles.findIndex((title) => EMAIL_TITLE.test(title));
  return rows.map(({ cells }) => cells[column] ?? '').join('\n');
}

/** Servers keep an unfinished upload for 1 day. */
const UPLOAD_MEMORY_MS = 2 * 86_400_000;

/** Saves the address of an unfinished upload in the cache folder, so that the next command can resume it. */
function uploadMemory(path: string, size: number, modifiedMs: number): UploadMemory {
  const folder = join(cacheFolder(process.env), 'chatctl', 'uploads');
  const placeFor = (site: string) => {
    const key = JSON.stringify([site, path, size, modifiedMs]);
    return join(folder, createHash('sha256').update(key).digest('hex'));
  };
  return {
    async find(site) {
      const text = await readFile(placeFor(site), 'utf8').catch(() => '');
      return URL.canParse(text.trim()) ? text.trim() : undefined;
    },
    async save(site, address) {
      try {
        const { makeFolder } = await import('../lib/internal.ts');
        await makeFolder(folder, 0o700);
        await forgetOld(folder);
        await writeFile(placeFor(site), `${address}\n`, { mode: 0o600 });
      } catch {}
    },
    async forget(site) {
      await rm(placeFor(site), { force: true }).catch(() => undefined);
    },
  };
}

function cacheFolder(env: NodeJS.ProcessEnv): string {
  if (env.XDG_CACHE_HOME) return env.XDG_CACHE_HOME;
  if (process.platform === 'win32' && env.LOCALAPPDATA) return env.LOCALAPPDATA;
  return join(env.HOME || homedir(), process.platform === 'darwin' ? 'Library/Caches' : '.cache');
}

async function forgetOld(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (Date.now() - (await stat(path)).mtimeMs > UPLOAD_MEMORY_MS) await rm(path, { force: true });
  }
}

/** Checks that a file can be written, before the work to create its content. `isNew`: that it does not exist. */
export function checkCanWrite(path: string, { isNew = false } = {}): void {
  if (isNew && existsSync(path))
    throw new UsageError(`${path} already exists.`, 'Choose another file, or use --force to replace it.');
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`${path} is a folder.`, 'Name a file in it.');
  const folder = dirname(path);
  try {
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new UsageError(
      `Cannot write ${path}: ${problemOf(errorOf(error))}`,
      `Check that the folder ${folder} exists and that you may write to it.`,
    );
  }
}

// `--results FILE`: a CSV file with the result of each row. A second run of a command skips the rows in it.

/** The results of earlier runs. Undefined if there is no such file. */
export async function readResults<C extends string>(file: string | undefined, columns: readonly C[]) {
  if (file === undefined) return undefined;
  // Before any request: an error after them would lose their results.
  if (!existsSync(file)) return void checkCanWrite(file);
  const text = await utf8TextOf(file);
  await access(file, constants.W_OK).catch((error: Error) => {
    throw new UsageError(`Cannot write ${file}: ${problemOf(error)}`, 'Choose another file with --results.');
  });
  const [head, ...rows] = parseCsv(text);
  if (head && head.cells.join() !== columns.join())
    throw new UsageError(`${file} is not a results file of this command.`, 'Choose another file with --results.');
  const fields = ({ cells }: { cells: string[] }) => columns.map((column, at) => [column, cells[at] ?? '']);
  return rows.map((row) => Object.fromEntries(fields(row)) as Record<C, string>);
}

/** Called after each request, so that an interrupted run loses no results. */
export async function addResults<C extends string>(
  file: string | undefined,
  columns: readonly C[],
  results: readonly { readonly [K in C]?: string | number }[],
): Promise<void> {
  if (file === undefined) return;
  const head = existsSync(file) && statSync(file).size > 0 ? [] : [csvLine(columns)];
  const rows = results.map((result) => csvLine(columns.map((column) => result[column] ?? '')));
  if (head.length + rows.length > 0) await appendFile(file, `${[...head, ...rows].join('\n')}\n`);
}

const MAX_PRINTED_FAILURES = 50;

export function printFailures(failures: readonly string[], terminal: Terminal): void {
  for (const failure of failures.slice(0, MAX_PRINTED_FAILURES)) terminal.err(failure);
  const left = failures.length - MAX_PRINTED_FAILURES;
  if (left > 0) terminal.err(`And ${left} more. Use --results to save all results.`);
}
