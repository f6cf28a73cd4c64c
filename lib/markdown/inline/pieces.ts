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
