import type ReplyParser from 'email-reply-parser';
import type Turndown from 'turndown';

export interface ContentLibraries {
  ReplyParser: typeof ReplyParser;
  /** Loaded only for HTML: loading takes longer than reading most e-mails. */
  loadTurndown(): Promise<typeof Turndown>;
}

interface ContentTerms {
  keepsQuotes: boolean;
  /** Whether to keep the signature. */
  keepsFooter: boolean;
}

/** Characters to read. A message has 10,000. */
const MAX_TEXT = 100_000;
const MAX_HTML = 1_000_000;

/**
 * The text without quoted e-mails and signature. The library knows the introductions of quotes in many languages. Two
 * rules for all languages follow.
 */
export function replyText(
  { ReplyParser }: Pick<ContentLibraries, 'ReplyParser'>,
  text: string,
  terms: ContentTerms,
): string {
  const given = text.slice(0, MAX_TEXT).replace(/\r\n?/g, '\n').replaceAll('\u00a0', ' ');
  if (terms.keepsQuotes && terms.keepsFooter) return given.trim();
  const shortened = withoutBlankLines(given);
  const fragments = new ReplyParser()
    .read(terms.keepsQuotes ? shortened : withoutCopiedHeaders(shortened))
    .getFragments();
  const kept = fragments.flatMap((part, at) => {
    if (part.isQuoted() && !terms.keepsQuotes) return [];
    if (part.isSignature() && !terms.keepsFooter) return [];
    const isBeforeQuote = !terms.keepsQuotes && fragments[at + 1]?.isQuoted();
    return [isBeforeQuote ? part.getContent().replace(INTRODUCTION, '') : part.getContent()];
  });
  const reply = kept
    .join('\n\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return terms.keepsFooter ? reply : reply.replace(FOOTER, '').trim();
}

/** Of blank lines in a row, one remains: the library needs the square of their number as its time. */
const withoutBlankLines = (text: string) =>
  text
    .split('\n')
    .filter((line, at, lines) => line.trim() !== '' || lines[at - 1]?.trim() !== '')
    .join('\n');

/** The line before a quotation that names its sender and ends with a colon, perhaps broken in two. */
const INTRODUCTION = /(?:^|\n)[^\n]{0,300}\n?[^\n]{0,300}<\s?[^\s<>]+@[^\s<>]+>[^\n]{0,60}[:：]\s*$/u;
/** A last line that a mail program adds, which the library does not know. */
const FOOTER = /(?:^|\n\n)(?:Sent (?:with|via|using) |Von mein\w+ .{1,40} gesendet)[^\n]{0,80}$/;
const HEADER_LINE = /^\s*\*{0,2}\p{L}[\p{L} .-]{0,30}?\s?[:：]\*{0,2}\s/u;

/** Outlook puts the headers of the e-mail above it, and does not mark it as quoted. They end the reply. */
function withoutCopiedHeaders(text: string): string {
  const lines = text.split('\n');
  const first = lines.findIndex(
    (line, at) =>
      /[<[][^\s<>@]+@[^\s<>]+[>\]]/.test(line) && lines.slice(at, at + 3).every((next) => HEADER_LINE.test(next)),
  );
  return first === -1 ? text : lines.slice(0, first).join('\n');
}

export async function htmlToMarkdown(
  { loadTurndown }: ContentLibraries,
  html: string,
  terms: ContentTerms,
): Promise<string> {
  const Turndown = await loadTurndown();
  const converter = new Turndown({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '*',
    emDelimiter: '*',
    hr: '---',
  });
  // Messages have no escapes with a backslash.
  converter.escape = (text) => text;
  converter.remove(['script', 'style', 'title', 'head', 'noscript', 'iframe', 'object'] as never);
  // A picture of another server would reveal the readers of the message to it.
  converter.addRule('pictures', {
    filter: 'img',
    replacement: (_, node) => (node as Element).getAttribute('alt') ?? '',
  });
  if (!terms.keepsQuotes) converter.addRule('quotes', { filter: isQuote as never, replacement: () => '' });
  if (!terms.keepsFooter) converter.addRule('footers', { filter: isFooter as never, replacement: () => '' });
  return converter.turndown(html.slice(0, MAX_HTML)).replace(/\n{3,}/g, '\n\n');
}

interface Element {
  nodeName: string;
  getAttribute(name: string): string | null;
}

const classesOf = (node: Element) => ` ${node.getAttribute('class') ?? ''} `;
const idOf = (node: Element) => node.getAttribute('id') ?? '';

/** What mail programs put around a quoted e-mail. */
const isQuote = (node: Element) =>
  (node.nodeName === 'BLOCKQUOTE' && node.getAttribute('type') === 'cite') ||
  / (gmail_quote|gmail_quote_container|moz-cite-prefix|yahoo_quoted|protonmail_quote|tutanota_quote) /.test(
    classesOf(node),
  );

const isFooter = (node: Element) =>
  / (gmail_signature|moz-signature|protonmail_signature_block) /.test(classesOf(node)) ||
  /^(Signature|AppleMailSignature|ms-outlook-mobile-signature)$/.test(idOf(node));
