import type { InlineStep } from './step.ts';

function between(needs: string, pattern: RegExp, open: string, close: string): InlineStep {
  return {
    applies: (text) => text.includes(needs),
    apply: (text, context) =>
      text.replace(pattern, (whole, inner: string) =>
        context.state.admits() ? context.pieces.mark(`${open}${context.renderRest(inner)}${close}`) : whole,
      ),
  };
}

/** Only stars make emphasis, never underscores, and never across lines. */
export const strongEmphasis = between('***', /\*\*\*(?!\s)([^*\n]+)(?<!\s)\*\*\*/g, '<strong><em>', '</em></strong>');
export const strong = between('**', /\*\*([^\n]+?)\*\*/g, '<strong>', '</strong>');
export const emphasis = between('*', /\*(?!\s)([^*\n]+)(?<!\s)\*/g, '<em>', '</em>');
export const strikethrough = between('~~', /(?<!~)~~([^~\n]+?)~~(?!~)/g, '<del>', '</del>');
