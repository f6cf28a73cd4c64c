import type { Terminal } from './terminal.ts';
import { cut, pad, widthOf } from './width.ts';

const GAP = '  ';
const MIN_COLUMN_WIDTH = 8;

/**
 * Prints columns with titles. On a terminal, cuts the widest columns until a row fits. If they become too narrow,
 * prints the cells of each row below each other, uncut.
 */
export function table(titles: readonly string[], rows: readonly (readonly string[])[], terminal: Terminal): string {
  const widths = titles.map((title, column) =>
    Math.max(widthOf(title), ...rows.map((row) => widthOf(row[column] ?? ''))),
  );
  if (terminal.columns !== undefined && !narrow(widths, terminal.columns)) return records(titles, rows, terminal);
  const line = (cells: readonly string[]) =>
    widths
      .map((width, column) => pad(cut(cells[column] ?? '', width), width))
      .join(GAP)
      .trimEnd();
  return [terminal.style('bold', line(titles)), ...rows.map(line)].join('\n');
}

/** Narrows the widest columns. Returns whether a row fits. */
function narrow(widths: number[], columns: number): boolean {
  let excess = widths.reduce((sum, width) => sum + width, 0) + GAP.length * (widths.length - 1) - columns;
  while (excess > 0) {
    const widest = widths.indexOf(Math.max(...widths));
    const width = widths[widest] as number;
    if (width <= MIN_COLUMN_WIDTH) return false;
    widths[widest] = width - 1;
    excess--;
  }
  return true;
}

/** Lines `TITLE: cell` for each row, without empty cells, and a blank line between rows. */
function records(titles: readonly string[], rows: readonly (readonly string[])[], terminal: Terminal): string {
  const width = Math.max(...titles.map(widthOf)) + 1;
  const line = (title: string, cell: string) => {
    if (cell === '') return [];
    return title === '' ? [cell] : [`${terminal.style('bold', pad(`${title}:`, width))} ${cell}`];
  };
  return rows.map((row) => titles.flatMap((title, column) => line(title, row[column] ?? '')).join('\n')).join('\n\n');
}
