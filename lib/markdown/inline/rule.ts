import type { RenderState } from '../render-state.ts';

/** One inline construct: replaces each occurrence by a placeholder, so an earlier rule always wins. */
export interface InlineRule {
  /** False if the rule certainly does not apply. Called for every rule and text, so it must be cheap. */
  applies(text: string, state: RenderState): boolean;
  apply(text: string, context: InlineContext): string;
}

export interface InlineContext {
  state: RenderState;
  placeholders: Placeholders;
  /** Inside a quote, mentions have no effect. */
  isQuoted: boolean;
  /** Links found so far in this text. */
  links: InlineLink[];
  /** HTML of a text to which only the rules after the present one apply. */
  renderRest(text: string): string;
}

/** Replaces each match of a pattern by its HTML, if any. @param sign what every match contains */
export function replacing(
  sign: string | RegExp,
  pattern: RegExp,
  toHtml: (context: InlineContext, whole: string, ...groups: string[]) => string | undefined,
): InlineRule {
  return {
    applies: (text) => (typeof sign === 'string' ? text.includes(sign) : sign.test(text)),
    apply: (text, context) =>
      text.replace(pattern, (whole: string, ...groups: string[]) => {
        const html = context.state.construct(() => toHtml(context, whole, ...groups));
        return html === undefined ? whole : context.placeholders.add(html);
      }),
  };
}

export interface InlineLink {
  url: string;
  text: string;
  placeholder: string;
}

/** Start of every placeholder. `normalizeSource` removes it, and the end character, from messages. */
export const PLACEHOLDER_START = '\u0002';
const PLACEHOLDER = /\u0002(\d+)\u0003/g;

/** Finished HTML. A placeholder represents it in the text, so that later rules cannot change it. */
export class Placeholders {
  private readonly html: string[] = [];

  /** Keeps the HTML and returns its placeholder. */
  add(html: string): string {
    this.html.push(html);
    return `\u0002${this.html.length - 1}\u0003`;
  }

  restore(text: string): string {
    if (this.html.length === 0) return text;
    return text.replace(PLACEHOLDER, (_placeholder, index) => this.html[Number(index)] ?? '');
  }
}
