import { UsageError } from './failure.ts';

/** A row of a file, and the line on which it begins. */
export interface CsvRow {
  line: number;
  cells: string[];
}

/**
 * Reads RFC 4180 strictly: cells apart by commas, quoted where they hold commas, quotes (doubled) or line ends.
 * Blank lines are left out. Throws with the line where a quote stands or is missing where it may not.
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
        throw new UsageError(`Line ${line}: after a quoted value comes a comma or the end of the line.`);
      at = end.lastIndex;
      line++;
    }
    if (row.cells.length > 1 || row.cells[0]?.trim() !== '') rows.push(row);
  }
  return rows;
}

interface Cell {
  value: string;
  /** The place after it. */
  end: number;
  /** Line ends in it. */
  lines: number;
}

function bare(text: string, start: number, line: number): Cell {
  const stop = /[,\r\n]|$/g;
  stop.lastIndex = start;
  const end = stop.exec(text)?.index ?? text.length;
  const value = text.slice(start, end);
  if (value.includes('"')) throw new UsageError(`Line ${line}: a value with quotes in it is quoted itself.`);
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

/** One row as a line of such a file, without its end. */
export function csvLine(cells: readonly (string | number)[]): string {
  return cells
    .map((cell) => (/[",\r\n]/.test(String(cell)) ? `"${String(cell).replaceAll('"', '""')}"` : String(cell)))
    .join(',');
}
