import { CsvError, parse } from 'csv-parse/sync';
import { UsageError } from './failure.ts';

/** A row of a file, and the line on which it begins. */
type CsvRow = { line: number; cells: string[] };

export const LINE_END = /\r\n|\n|\r/;

const CSV_PROBLEMS: Readonly<Record<string, string>> = {
  CSV_INVALID_CLOSING_QUOTE: 'expected a comma or the end of the line after a quoted value',
  INVALID_OPENING_QUOTE: 'a value that contains quotes must be quoted',
  CSV_QUOTE_NOT_CLOSED: 'a quote is not closed',
};

/** Reads a CSV file (RFC 4180) without its blank lines. Throws a usage error with the line of a misplaced quote. */
export function parseCsv(text: string, delimiter = ','): CsvRow[] {
  try {
    const rows = parse(text, {
      bom: true,
      delimiter,
      info: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      // Each command has its own error for such rows.
      relax_column_count: true,
      skip_empty_lines: true,
      // The types of `csv-parse` do not know what `info` adds.
    }) as unknown as { info: { lines: number }; record: string[] }[];
    return rows.flatMap(({ info, record }) => {
      if (record.length === 1 && record[0]?.trim() === '') return [];
      // `csv-parse` counts to the last line of a row.
      const below = record.reduce((sum, cell) => sum + cell.split(LINE_END).length - 1, 0);
      return [{ line: info.lines - below, cells: record }];
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new UsageError(`Line ${error.lines}: ${CSV_PROBLEMS[error.code] ?? error.message}.`);
  }
}

/** Excel separates by semicolons where the comma is the decimal sign. The first line, without quoted titles, shows it. */
export function separatorOf(text: string): ',' | ';' | '\t' {
  const head =
    text
      .trimStart()
      .replace(/"[^"]*"/g, '')
      .split(LINE_END, 1)[0] ?? '';
  const count = (separator: string) => head.split(separator).length;
  return ([',', ';', '\t'] as const).reduce((best, other) => (count(other) > count(best) ? other : best));
}

export function csvLine(cells: readonly (string | number)[]): string {
  return cells
    .map((cell) => (/[",\r\n]/.test(String(cell)) ? `"${String(cell).replaceAll('"', '""')}"` : String(cell)))
    .join(',');
}
