import { type Html, html } from '../account-pages/html.ts';

/** A description, with text in backticks as code. */
export function spoken(text: string): Html {
  return html`${text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}
