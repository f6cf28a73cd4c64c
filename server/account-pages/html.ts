/** A piece of HTML. Inserted values are escaped, unless they are `Html`. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = Html | string | number | false | undefined | readonly Part[];

/**
 * Builds a piece of HTML.
 * @example html`<p>Hello ${name}</p>`
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.reduce((text, string, at) => text + written(parts[at - 1]) + string));
}

/** Marks HTML from Parlance's own renderer as safe. */
export const rendered = (text: string) => new Html(text);

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function written(part: Part): string {
  if (part === false || part === undefined) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(written).join('');
  return escapeHtml(String(part));
}
