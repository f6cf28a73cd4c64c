import { createRequire } from 'node:module';
import type Katex from 'katex';
import { escapeQuotedText, escapeText } from '../html.ts';
import type { RenderState } from '../render-state.ts';
import { PLACEHOLDER_START, replacing } from './rule.ts';

const require = createRequire(import.meta.url);

const FORMULA = /(?<![\p{L}\p{N}_$])\$\$([^\n_$](?:\\\$|[^$\n])*)\$\$(?![\p{L}\p{N}_$])/gu;

/** `$$…$$` on one line; amounts of money between words are none. */
export const formulas = replacing('$$', FORMULA, ({ state }, whole, tex = '') =>
  // A placeholder inside: what stands there was code or a mention before it could be a formula.
  tex.includes(PLACEHOLDER_START) ? undefined : formula(tex, { display: false, shown: escapeText(whole) }, state),
);

/** HTML of a block of formulas; those between empty lines are set one by one. */
export function displayedFormulas(text: string, state: RenderState): string {
  return text
    .split('\n\n')
    .map((tex) => formula(tex, { display: true, shown: escapeQuotedText(tex) }, state))
    .join('\n\n');
}

/** `\char0` and the like: PostgreSQL cannot store NUL, and others are signs of this renderer. */
const UNUSABLE = /(?![\t\n\r])\p{Cc}|\p{Cs}/u;

/** HTML and MathML of a formula. If TeX refuses it or it is too large: `shown` (HTML), marked as an error. */
function formula(tex: string, form: { display: boolean; shown: string }, state: RenderState): string {
  if (state.admitsFormula(tex)) {
    try {
      // Loaded with the first formula: it needs ten megabytes, and most processes never use it.
      const katex = require('katex') as typeof Katex;
      const limits = { throwOnError: true, trust: false, strict: 'ignore', maxExpand: 500, maxSize: 50 } as const;
      const html = silently(() => katex.renderToString(tex, { displayMode: form.display, ...limits }));
      if (!UNUSABLE.test(html) && state.admitsLaidOut(html)) return html;
    } catch {
      // Shown as it was written: what is no TeX, what is nested beyond the stack, and all where a bundler left out KaTeX.
    }
  }
  return `<span class="tex-error">${form.shown}</span>`;
}

/** KaTeX logs a warning for unknown characters. User input must not fill the log. */
function silently(work: () => string): string {
  const { warn } = console;
  console.warn = () => undefined;
  try {
    return work();
  } finally {
    console.warn = warn;
  }
}
