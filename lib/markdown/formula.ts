import { createRequire } from 'node:module';
import type Katex from 'katex';
import { escapeText } from './html.ts';
import type { RenderState } from './render-state.ts';

const require = createRequire(import.meta.url);
let loaded: typeof Katex | undefined;

/** Loaded for the first formula: ten megabytes that most processes never need. */
function katex(): typeof Katex {
  loaded ??= require('katex') as typeof Katex;
  return loaded;
}

/** HTML and MathML of a TeX formula; the source marked as an error when TeX refuses it. */
export function formula(tex: string, form: { display: boolean; shown: string }, state: RenderState): string {
  if (state.admitsFormula()) {
    const { renderToString } = katex();
    try {
      return silently(() =>
        renderToString(tex, {
          displayMode: form.display,
          throwOnError: true,
          trust: false,
          strict: 'ignore',
          maxExpand: 500,
          maxSize: 50,
        }),
      );
    } catch {
      // A formula that is no TeX is shown as it was written; so is one nested beyond the stack.
    }
  }
  return `<span class="tex-error">${escapeText(form.shown)}</span>`;
}

/** KaTeX tells the console of characters it has no measures of; what people write must not fill a log. */
function silently(work: () => string): string {
  const { warn } = console;
  console.warn = () => undefined;
  try {
    return work();
  } finally {
    console.warn = warn;
  }
}
