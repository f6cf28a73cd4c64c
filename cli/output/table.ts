import type { Terminal } from './terminal.ts';
import { cut, pad, widthOf } from './width.ts';

const GAP = '  ';
const NARROWEST = 8;

/** Columns under their titles; on a terminal, the widest columns give way until a row fits. */
export function table(titles: readonly string[], rows: readonly (readonly string[])[], terminal: Terminal): string {
  const widths = titles.map((title, column) =>
    Math.max(widthOf(title), ...rows.map((row) => widthOf(row[column] ?? ''))),
  );
  if (terminal.columns !== undefined) narrow(widths, terminal.columns);
  const line = (cells: readonly string[]) =>
    widths
      .map((width, column) => pad(cut(cells[column] ?? '', width), width))
      .join(GAP)
      .trimEnd();
  return [terminal.style('bold', line(titles)), ...rows.map(line)].join('\n');
}

function narrow(widths: number[], columns: number): void {
  let excess = widths.reduce((sum, width) => sum + width, 0) + GAP.length * (widths.length - 1) - columns;
  while (excess > 0) {
    const widest = widths.indexOf(Math.max(...widths));
    const width = widths[widest] as number;
    if (width <= NARROWEST) return;
    widths[widest] = width - 1;
    excess--;
  }
}
