import type { RenderState } from '../render-state.ts';

/** What a step works with. */
export interface InlineContext {
  state: RenderState;
  pieces: Pieces;
  /** Inside a quote nobody is mentioned anew. */
  isQuoted: boolean;
  /** Links found so far in this text. */
  links: InlineLink[];
  /** HTML of a text to which only the steps after the present one apply. */
  renderRest(text: string): string;
}

export interface InlineLink {
  url: string;
  text: string;
  mark: string;
}

/**
 * One construct within lines: replaces every occurrence by a mark. Steps run one after the other over the
 * whole text, so an earlier one always wins.
 */
export interface InlineStep {
  /** False when there is certainly nothing to do: most steps for most texts, so it must cost nothing. */
  applies(text: string, state: RenderState): boolean;
  apply(text: string, context: InlineContext): string;
}

const MARK = /\u0002(\d+)\u0003/g;

/**
 * Finished HTML that stands in a text as a mark no later step can read into or break up. The source has
 * been cleaned of these two characters.
 */
export class Pieces {
  private readonly html: string[] = [];

  mark(html: string): string {
    this.html.push(html);
    return `\u0002${this.html.length - 1}\u0003`;
  }

  restore(text: string): string {
    if (this.html.length === 0) return text;
    return text.replace(MARK, (_mark, index) => this.html[Number(index)] ?? '');
  }
}
