const TEXT = /[&<>]/;
const CHARACTER_REFERENCE = /&(?!(?:#[0-9]+|#x[0-9a-fA-F]+|[0-9a-zA-Z]+);)/g;

/** Text as written in Markdown: character references keep their meaning, nothing else is markup. */
export function escapeMarkdownText(text: string): string {
  if (!TEXT.test(text)) return text;
  return text.replace(CHARACTER_REFERENCE, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

/** Text that is not Markdown: names, code, addresses. */
export function escapeText(text: string): string {
  if (!TEXT.test(text)) return text;
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

/** With quotation marks escaped too, where clients are used to it. */
export function escapeQuotedText(text: string): string {
  return escapeText(text).replace(/"/g, '&quot;').replace(/'/g, '&#x27;');
}

export function escapeAttribute(text: string): string {
  return escapeText(text).replace(/"/g, '&quot;');
}
