import { stripVTControlCharacters } from 'node:util';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** East Asian wide and full-width blocks (Unicode standard annex 11). */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x17000, 0x18aff],
  [0x1b000, 0x1b2ff],
  [0x20000, 0x3fffd],
];

const EMOJI = /\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F|[0-9#*]\uFE0F?\u20E3/u;
const INVISIBLE = /^[\p{Mark}\p{Default_Ignorable_Code_Point}]+$/u;

export function widthOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmenter.segment(stripVTControlCharacters(text))) width += cellsOf(segment);
  return width;
}

function cellsOf(grapheme: string): number {
  if (INVISIBLE.test(grapheme)) return 0;
  if (EMOJI.test(grapheme)) return 2;
  const point = grapheme.codePointAt(0) as number;
  return WIDE.some(([from, to]) => point >= from && point <= to) ? 2 : 1;
}

export function cut(text: string, cells: number): string {
  if (widthOf(text) <= cells) return text;
  let kept = '';
  let width = 0;
  for (const { segment } of segmenter.segment(text)) {
    width += cellsOf(segment);
    if (width > cells - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

export function pad(text: string, cells: number): string {
  return text + ' '.repeat(Math.max(0, cells - widthOf(text)));
}

/** Breaks a line at spaces. Words that are too long are not broken, so that URLs stay whole. */
export function wrap(line: string, cells: number): string[] {
  if (widthOf(line) <= cells) return [line];
  const lines: string[] = [];
  let width = 0;
  // Each word includes the spaces before it, so that lines that are not broken keep their spaces.
  for (const [word] of line.matchAll(/ *[^ ]+/g)) {
    const bare = word.trimStart();
    const isFirst = lines.length === 0;
    if (!isFirst && width + widthOf(word) <= cells) {
      lines.push(`${lines.pop()}${word}`);
      width += widthOf(word);
    } else {
      lines.push(isFirst ? word : bare);
      width = widthOf(isFirst ? word : bare);
    }
  }
  return lines;
}
