import { constants, existsSync, statSync } from 'node:fs';
import { access, appendFile } from 'node:fs/promises';
import { UsageError } from './failure.ts';
import { checkCanWrite, csvLine, parseCsv, problemOf, utf8TextOf } from './files.ts';
import type { Terminal } from './output/terminal.ts';

// `--results FILE`: a CSV file with the result of each row. A command that is run again skips the rows in it.

/** Maximum number of failures to print. */
const MAX_PRINTED = 50;

/** The results of earlier runs. Undefined if there is no such file. */
export async function readResults<C extends string>(
  file: string | undefined,
  columns: readonly C[],
): Promise<Record<C, string>[] | undefined> {
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

export function printFailures(failures: readonly string[], terminal: Terminal): void {
  for (const failure of failures.slice(0, MAX_PRINTED)) terminal.err(failure);
  const left = failures.length - MAX_PRINTED;
  if (left > 0) terminal.err(`And ${left} more. Use --results to save all results.`);
}
