/**
 * Returns the source as the parsers expect it:
 *
 * - Lines end in a newline. Lines of spaces are empty.
 * - Tabs become spaces up to the next multiple of four columns (in code points).
 * - Lone surrogates and NUL become U+FFFD.
 * - The characters of placeholders are removed.
 */
export function normalizeSource(content: string): string {
  let source = content;
  if (/[\r\u0000\u0002\u0003]/.test(source)) {
    source = source
      .replace(/\r\n?/g, '\n')
      .replace(/\u0000/g, '\ufffd')
      .replace(/[\u0002\u0003]/g, '');
  }
  if (/[\ud800-\udfff]/.test(source)) source = source.replace(/\p{Surrogate}/gu, '\ufffd');
  if (source.includes('\t')) source = source.split('\n').map(expandTabs).join('\n');
  if (source.includes(' ')) source = source.replace(/^ +$/gm, '');
  return source;
}

function expandTabs(line: string): string {
  if (!line.includes('\t')) return line;
  let expanded = '';
  let column = 0;
  for (const character of line) {
    const width = character === '\t' ? 4 - (column % 4) : 1;
    expanded += character === '\t' ? ' '.repeat(width) : character;
    column += width;
  }
  return expanded;
}
