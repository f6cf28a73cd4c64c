import { formula } from '../formula.ts';
import type { InlineStep } from './step.ts';

const FORMULA = /(?<![\p{L}\p{N}_$])\$\$([^\n_$](?:\\\$|[^$\n])*)\$\$(?![\p{L}\p{N}_$])/gu;

/** `$$…$$` on one line; amounts of money between words are none. */
export const formulas: InlineStep = {
  applies: (text) => text.includes('$$'),
  apply: (text, { pieces, state }) =>
    text.replace(FORMULA, (whole, tex: string) =>
      // A mark inside: what stands there was code or a mention before it could be a formula.
      tex.includes('\u0002') || !state.admits()
        ? whole
        : pieces.mark(formula(tex, { display: false, shown: whole }, state)),
    ),
};
