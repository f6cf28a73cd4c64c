import type { Block, BlockContext, BlockRule, Lines } from './block.ts';

interface OpeningFence {
  /** The run of backticks or tildes; only the same run closes the block. */
  fence: string;
  language: string | undefined;
  /** What follows the language: the header of a spoiler. */
  header: string | undefined;
}

/** No such sign follows the run: known first, nothing of the rest has to be read twice. */
const FENCE = /^(~{3,}|`{3,})(?![^~`]*[~`]) *(?:\{?\.?([a-zA-Z0-9_+\-./#,]+) *([^ ~`][^~`]*)?\}?)?$/;

/** Blocks between lines of backticks or tildes: code, and by their language quotes, spoilers and formulas. */
export const fence: BlockRule = (lines, start, context) => {
  const opening = context.allowsFences ? openingFence(lines.at(start)) : undefined;
  if (!opening) return undefined;
  const language = opening.language ?? context.defaultLanguage;
  const close = closingLine(lines, start, { ...opening, language });
  const text = lines.slice(start + 1, close).map((line) => line.trimEnd());
  // A block that is closed at once is nothing; one that was left open is there, if empty.
  const isNothing = text.length === 0 && close < lines.length;
  const block = isNothing ? undefined : fenced(language?.toLowerCase(), opening.header, text.join('\n'), context);
  return { next: Math.min(close + 1, lines.length), block };
};

function fenced(language: string | undefined, header: string | undefined, text: string, context: BlockContext): Block {
  const inner = { ...context, depth: context.depth + 1 };
  if (language === 'quote' || language === 'quoted') return { type: 'quote', blocks: context.parse(text, inner) };
  if (language === 'math') return { type: 'formula', text };
  if (language === 'spoiler') {
    return { type: 'spoiler', header: header ? context.parse(header, inner) : [], blocks: context.parse(text, inner) };
  }
  return { type: 'code', text, language };
}

export function openingFence(line: string): OpeningFence | undefined {
  if (!line.startsWith('```') && !line.startsWith('~~~')) return undefined;
  const match = FENCE.exec(line);
  if (!match) return undefined;
  return { fence: match[1] ?? '', language: match[2], header: match[3] };
}

export function holdsMarkdown(language: string | undefined): boolean {
  return language !== undefined && /^(?:quote|quoted|spoiler)$/i.test(language);
}

/** The line that closes the block opened at the line `start`; the number of lines when nothing does. */
export function closingLine(lines: Lines, start: number, opening: OpeningFence): number {
  const open = [opening];
  for (let index = start + 1; index < lines.length; index += 1) {
    const line = lines.at(index);
    const innermost = open.at(-1);
    if (line.trimEnd() === innermost?.fence) {
      open.pop();
      if (open.length === 0) return index;
      continue;
    }
    const inner = innermost && holdsMarkdown(innermost.language) ? openingFence(line) : undefined;
    if (inner) open.push(inner);
  }
  return lines.length;
}
