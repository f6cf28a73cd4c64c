import type { Lines } from './lines.ts';

export interface FenceLine {
  /** The run of backticks or tildes that also closes the block. */
  fence: string;
  language: string | undefined;
  /** What follows the language: the heading of a spoiler. */
  header: string | undefined;
}

const FENCE = /^(~{3,}|`{3,}) *(?:\{?\.?([a-zA-Z0-9_+\-./#,]+) *([^ ~`][^~`]*)?\}?)?$/;

/** The line as the beginning of a fenced block, if it is one. */
export function fenceLine(line: string): FenceLine | undefined {
  if (!line.startsWith('```') && !line.startsWith('~~~')) return undefined;
  const match = FENCE.exec(line);
  if (!match) return undefined;
  return { fence: match[1] ?? '', language: match[2], header: match[3] };
}

/** Quotes and spoilers hold Markdown, everything else its own text. */
export function holdsMarkdown(language: string | undefined): boolean {
  return language !== undefined && /^(?:quote|quoted|spoiler)$/i.test(language);
}

/** The line that closes the block opened at `start`, or the end when nothing does. */
export function closingLine(lines: Lines, start: number, opening: FenceLine): number {
  if (!holdsMarkdown(opening.language)) return closingFence(lines, start, opening.fence);
  const open = [opening];
  for (let index = start + 1; index < lines.length; index += 1) {
    const line = lines.at(index);
    const innermost = open.at(-1);
    if (line.trimEnd() === innermost?.fence) {
      open.pop();
      if (open.length === 0) return index;
      continue;
    }
    const inner = innermost && holdsMarkdown(innermost.language) ? fenceLine(line) : undefined;
    if (inner) open.push(inner);
  }
  return lines.length;
}

function closingFence(lines: Lines, start: number, fence: string): number {
  for (let index = start + 1; index < lines.length; index += 1) if (lines.at(index).trimEnd() === fence) return index;
  return lines.length;
}
