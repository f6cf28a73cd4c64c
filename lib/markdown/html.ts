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

const LAID_OUT = '<span class="katex-html" aria-hidden="true">';
const SPAN = /<(\/?)span\b/g;
/** Pictures of linked pages. */
const PICTURED = / style="background-image: url\(&quot;([^"<>&]*(?:&amp;[^"<>&]*)*)&quot;\)">/g;
const STYLED = /(<[a-z][^<>]*) style="[^"<>]*"/g;
/** Tags of cells with and without a style. There can be thousands, so no function is called for each. */
const CELLS = ['th', 'td'].flatMap((name) =>
  ['left', 'center', 'right'].map((side) => [
    `<${name} style="text-align: ${side};">`,
    `<${name} class="align-${side}">`,
  ]),
) as [string, string][];

/**
 * The HTML of a message without style attributes, which a strict Content-Security-Policy forbids. Formulas keep their
 * MathML only. Cells of tables are aligned by the classes `align-left`, `align-center` and `align-right`. The picture of
 * a linked page is an image in its link.
 */
export function strictHtml(html: string): string {
  if (!html.includes(' style="') && !html.includes(LAID_OUT)) return html;
  let strict = withoutLayout(html);
  if (strict.includes(' style="background-image: ')) strict = strict.replace(PICTURED, '><img src="$1">');
  if (strict.includes('<table>')) for (const [cell, aligned] of CELLS) strict = strict.replaceAll(cell, aligned);
  return strict.includes(' style="') ? strict.replace(STYLED, '$1') : strict;
}

/** Without what KaTeX lays out for browsers that show no MathML. */
function withoutLayout(html: string): string {
  let kept = '';
  let at = 0;
  for (let start = html.indexOf(LAID_OUT); start !== -1; start = html.indexOf(LAID_OUT, at)) {
    kept += html.slice(at, start);
    at = endOfSpan(html, start);
  }
  return kept + html.slice(at);
}

function endOfSpan(html: string, start: number): number {
  let depth = 0;
  SPAN.lastIndex = start;
  for (let tag = SPAN.exec(html); tag; tag = SPAN.exec(html)) {
    depth += tag[1] === '/' ? -1 : 1;
    if (depth === 0) return SPAN.lastIndex + 1;
  }
  return html.length;
}
