import { UsageError } from './failure.ts';

/** A row of a file, and the line where it begins. */
export interface CsvRow {
  line: number;
  cells: string[];
}

/**
 * Reads strict RFC 4180: values that contain commas, quotes or line breaks must be quoted. Skips blank lines.
 * @throws UsageError that names the line
 */
export function parseCsv(text: string): CsvRow[] {
  const rows: CsvRow[] = [];
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  let line = 1;
  while (at < text.length) {
    const row: CsvRow = { line, cells: [] };
    for (let isMore = true; isMore; ) {
      const cell = text[at] === '"' ? quoted(text, at, line) : bare(text, at, line);
      row.cells.push(cell.value);
      line += cell.lines;
      at = cell.end;
      isMore = text[at] === ',';
      if (isMore) at++;
    }
    if (at < text.length) {
      const end = /\r\n|\n|\r/y;
      end.lastIndex = at;
      if (!end.test(text))
        throw new UsageError(`Line ${line}: expected a comma or the end of the line after a quoted value.`);
      at = end.lastIndex;
      line++;
    }
    if (row.cells.length > 1 || row.cells[0]?.trim() !== '') rows.push(row);
  }
  return rows;
}

interface Cell {
  value: string;
  /** Index after the cell. */
  end: number;
  /** Number of line breaks in the cell. */
  lines: number;
}

function bare(text: string, start: number, line: number): Cell {
  const stop = /[,\r\n]|$/g;
  stop.lastIndex = start;
  const end = stop.exec(text)?.index ?? text.length;
  const value = text.slice(start, end);
  if (value.includes('"')) throw new UsageError(`Line ${line}: a value that contains quotes must be quoted.`);
  return { value, end, lines: 0 };
}

function quoted(text: string, start: number, line: number): Cell {
  let value = '';
  for (let at = start + 1; ; ) {
    const close = text.indexOf('"', at);
    if (close === -1) throw new UsageError(`Line ${line}: a quote is not closed.`);
    value += text.slice(at, close);
    at = close + 1;
    if (text[at] !== '"') return { value, end: at, lines: value.split(/\r\n|\n|\r/).length - 1 };
    value += '"';
    at++;
  }
}

/** Formats a row, without the line break. */
export function csvLine(cells: readonly (string | number)[]): string {
  return cells
    .map((cell) => (/[",\r\n]/.test(String(cell)) ? `"${String(cell).replaceAll('"', '""')}"` : String(cell)))
    .join(',');
}
