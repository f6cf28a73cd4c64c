import { highlight } from './highlight.ts';
import { escapeAttribute, escapeText } from './html.ts';
import { lexerName } from './lexer-names.ts';
import type { RenderState } from './render-state.ts';

/** Code with its language as the reference names it; a language nobody knows keeps the name it was given. */
export function codeBlock(text: string, language: string | undefined, state: RenderState): string {
  const code = text.replace(/^\n+|\n+$/g, '');
  if (language === undefined) return frame('', escapeText(code).replace(/"/g, '&quot;').replace(/'/g, '&#39;'));
  const attribute = ` data-code-language="${escapeAttribute(lexerName(language) ?? language)}"`;
  const highlighted = state.admitsHighlighting(code.length) ? highlight(code, language) : undefined;
  return frame(attribute, highlighted ?? escapeText(code));
}

function frame(attribute: string, code: string): string {
  // Clients take the empty span as the sign of highlighted code.
  return `<div class="codehilite"${attribute}><pre><span></span><code>${code}\n</code></pre></div>`;
}
