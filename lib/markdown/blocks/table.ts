import { type Alignment, type BlockRule, type Cell, isBlank, isIndented } from './block.ts';
import { interruption } from './quote.ts';

/** Most empty cells added to short rows: otherwise a wide header would make a huge table from a short text. */
const MAX_PADDED = 4_000;

const DELIMITER_ROW = /^ {0,3}[|:-][|: -]*$/;
/** A dash by itself, or before a space, is a list item and no delimiter. */
const LIST_ITEM = /^ *-(?: |$)/;
const DELIMITER = /^:?-+:?$/;
/** Code, an escaped character, or a pipe that ends a cell. */
const CODE_ESCAPE_OR_PIPE = /(?<!`)(`+)(?!`).*?[^`]\1(?!`)|\\.|\|/g;

/** A header row, a row of delimiters with as many cells, and rows up to an empty line or another block. */
export const table: BlockRule = (lines, start, context) => {
  const first = lines.at(start);
  if (!first.includes('|') || isIndented(first)) return undefined;
  const alignments = readDelimiters(lines.at(start + 1));
  const names = alignments && readRow(first);
  if (!names || names.length !== alignments.length) return undefined;
  const toCells = (row: readonly string[]): Cell[] =>
    alignments.map((align, index) => ({ text: row[index] ?? '', align }));
  const end = interruption(lines, start + 2, context, isIndented);
  const rows: Cell[][] = [];
  let padded = 0;
  let next = start + 2;
  for (; next < end && !isBlank(lines.at(next)) && !isIndented(lines.at(next)); next += 1) {
    const row = readRow(lines.at(next));
    padded += names.length - row.length;
    if (padded > MAX_PADDED) break;
    rows.push(toCells(row));
  }
  // A table without rows is shown with an empty one.
  return { next, block: { type: 'table', header: toCells(names), rows: rows.length > 0 ? rows : [toCells([])] } };
};

function readDelimiters(line: string): (Alignment | undefined)[] | undefined {
  if (!DELIMITER_ROW.test(line) || LIST_ITEM.test(line)) return undefined;
  const cells = withoutBorders(line.trim().split('|'));
  const delimiters = cells.map((cell) => cell.trim());
  if (delimiters.length === 0 || !delimiters.every((delimiter) => DELIMITER.test(delimiter))) return undefined;
  return delimiters.map(alignment);
}

function alignment(delimiter: string): Alignment | undefined {
  if (delimiter.endsWith(':')) return delimiter.startsWith(':') ? 'center' : 'right';
  return delimiter.startsWith(':') ? 'left' : undefined;
}

/** A pipe in code does not end a cell. As in GFM, a backslash takes the meaning of a pipe also inside code. */
function readRow(line: string): string[] {
  const row = line.trim();
  const ends = [...row.matchAll(CODE_ESCAPE_OR_PIPE)].filter(([part]) => part === '|').map(({ index }) => index);
  const cells = [...ends, row.length].map((end, at) => row.slice(at === 0 ? 0 : Number(ends[at - 1]) + 1, end));
  return withoutBorders(cells).map((cell) => cell.replaceAll('\\|', '|').trim());
}

/** The pipes around a row are no separators. */
function withoutBorders(cells: readonly string[]): readonly string[] {
  const first = cells[0] === '' ? 1 : 0;
  const last = cells.length > first && cells.at(-1) === '' ? cells.length - 1 : cells.length;
  return cells.slice(first, last);
}
