/** A text by lines; beyond its ends they are empty. */
export class Lines {
  readonly length: number;
  private readonly lines: readonly string[];

  constructor(text: string) {
    this.lines = text.split('\n');
    this.length = this.lines.length;
  }

  at(index: number): string {
    return this.lines[index] ?? '';
  }

  slice(start: number, end: number): string[] {
    return this.lines.slice(start, end);
  }
}
