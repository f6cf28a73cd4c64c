import type { RenderState } from '../render-state.ts';

/**
 * One inline construct: replaces each of its occurrences by a placeholder. Rules run one after the other
 * over the whole text, so an earlier one always wins.
 */
export interface InlineRule {
  /** False when there is certainly nothing to do: most rules for most texts, so it must cost nothing. */
  applies(text: string, state: RenderState): boolean;
  apply(text: string, context: InlineContext): string;
}

/** What a rule works with. */
export interface InlineContext {
  state: RenderState;
  placeholders: Placeholders;
  /** Inside a quote nobody is mentioned anew. */
  isQuoted: boolean;
  /** Links found so far in this text. */
  links: InlineLink[];
  /** HTML of a text to which only the rules after the present one apply. */
  renderRest(text: string): string;
}

export interface InlineLink {
  url: string;
  text: string;
  placeholder: string;
}

/** Begins every placeholder. `normalizeSource` takes it, and what ends one, out of what people send. */
export const PLACEHOLDER_START = '\u0002';
const PLACEHOLDER = /\u0002(\d+)\u0003/g;

/** Finished HTML, for which a placeholder stands in the text that no later rule can read into or break up. */
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
