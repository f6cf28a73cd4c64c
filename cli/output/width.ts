import stringWidth from 'string-width';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Cells of a terminal. */
export const widthOf = (text: string): number => stringWidth(text);

export function cut(text: string, cells: number): string {
  if (widthOf(text) <= cells) return text;
  let kept = '';
  let width = 0;
  for (const { segment } of segmenter.segment(text)) {
    width += widthOf(segment);
    if (width > cells - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

export const pad = (text: string, cells: number): string => text + ' '.repeat(Math.max(0, cells - widthOf(text)));

/** Breaks a line at spaces. Words that are too long are not broken, so that URLs stay whole. */
export function wrap(line: string, cells: number): string[] {
  if (widthOf(line) <= cells) return [line];
  const lines: string[] = [];
  // Each word includes the spaces before it, so that lines that are not broken keep their spaces.
  for (const [word] of line.matchAll(/ *[^ ]+/g)) {
    const longer = `${lines.at(-1) ?? ''}${word}`;
    if (lines.length === 0) lines.push(word);
    else if (widthOf(longer) <= cells) lines[lines.length - 1] = longer;
    else lines.push(word.trimStart());
  }
  return lines;
}
