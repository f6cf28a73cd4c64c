import type { Block } from './block.ts';
import { closingLine, fenceLine } from './fence-line.ts';
import type { BlockContext, BlockRule } from './rule.ts';

/** Blocks between lines of backticks or tildes: code, and by their language quotes, spoilers and formulas. */
export const fence: BlockRule = (lines, start, context, silent) => {
  const opening = context.allowsFences ? fenceLine(lines.at(start)) : undefined;
  if (!opening) return undefined;
  if (silent) return { next: start + 1, blocks: [] };
  const language = opening.language ?? context.defaultLanguage;
  const close = closingLine(lines, start, { ...opening, language });
  const text = lines.slice(start + 1, close).map((line) => line.trimEnd());
  // A block that is closed at once is nothing; one that was left open is there, if empty.
  const isNothing = text.length === 0 && close < lines.length;
  const blocks = isNothing ? [] : [fenced(language?.toLowerCase(), opening.header, text.join('\n'), context)];
  return { next: Math.min(close + 1, lines.length), blocks };
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
