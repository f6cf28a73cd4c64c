import type * as postalMime from 'postal-mime';
import type { Header, Email as ParsedEmail, default as PostalMimeClass } from 'postal-mime';
import { type MailOption, readMailAddress } from '../../rules/mail-addresses.ts';
import { isAuthenticated, isForged } from './authentication-results.ts';
import { type ContentLibraries, htmlToMarkdown, replyText } from './reply-text.ts';

export interface ReadTerms {
  /** The domain of addresses for mail. */
  domain: string;
  /** The name of the receiving mail server in `Authentication-Results`. */
  authservId?: string | undefined;
  /** Recipients of the envelope. Absent: those of the headers. */
  recipients?: readonly string[] | undefined;
}

/** The parts of an e-mail. The sender may have forged all of them, except `isAuthenticated` and `isForged`. */
export interface ReadMail {
  /** The only sender. Undefined if there is none, or several. */
  from: { name: string; address: string } | undefined;
  /** Whether the receiving mail server has authenticated the domain of `from`. */
  isAuthenticated: boolean;
  /** Whether the receiving mail server says that `from` is forged. */
  isForged: boolean;
  /** A program sent it, so a reply could start a loop. */
  isAutomatic: boolean;
  messageId: string;
  /** Address of `Return-Path`. Empty: a mail server sent it. Undefined: not given. */
  returnPath: string | undefined;
  subject: string;
  /** For each recipient with an address of the chat, the Markdown. */
  deliveries: { recipient: string; content: string }[];
  attachments: MailAttachment[];
  /** Number of further attachments. */
  more: number;
}

export interface MailAttachment {
  name: string;
  type: string;
  content: Uint8Array<ArrayBuffer>;
}

interface ReadingLibraries extends ContentLibraries {
  /** As its CommonJS build exports it. */
  PostalMime: Pick<typeof PostalMimeClass, 'parse'> & Pick<typeof postalMime, 'addressParser' | 'decodeWords'>;
}

export const MAX_RECIPIENTS = 20;
const MAX_ATTACHMENTS = 20;
/** Bytes of all headers, and nested multiparts. */
const MIME_LIMITS = { maxHeadersSize: 256 * 1024, maxNestingDepth: 20, forceRfc822Attachments: true } as const;
const MAX_SUBJECT = 1_000;
const MAX_ID = 1_000;

/** Reads an e-mail. Runs in a thread that can be ended: hostile mail may take any time. */
export async function readMail(libraries: ReadingLibraries, raw: Uint8Array, terms: ReadTerms): Promise<ReadMail> {
  const { PostalMime } = libraries;
  const email = await PostalMime.parse(raw, { ...MIME_LIMITS, attachmentEncoding: 'arraybuffer' });
  const from = fromOf(PostalMime, email.headers);
  const attachments = email.attachments.slice(0, MAX_ATTACHMENTS).map(({ filename, mimeType, content }) => ({
    name: filename ?? '',
    type: mimeType,
    // A copy, because the parser may return a view of the whole e-mail.
    content: new Uint8Array(content as ArrayBuffer),
  }));
  const recipients = terms.recipients ?? headerRecipients(PostalMime, email.headers);
  const found = recipients.flatMap((recipient) => {
    const address = readMailAddress(recipient, terms.domain);
    return address ? [{ recipient, options: address.options }] : [];
  });
  const results = valuesOf(email.headers, 'authentication-results');
  return {
    from,
    isAuthenticated: from !== undefined && isAuthenticated(results, from, terms),
    isForged: isForged(results, terms),
    isAutomatic: isAutomatic(email.headers),
    messageId: (email.messageId ?? '').slice(0, MAX_ID),
    returnPath: returnPathOf(email.headers),
    subject: (email.subject ?? '').slice(0, MAX_SUBJECT),
    deliveries: await Promise.all(
      found.slice(0, MAX_RECIPIENTS).map(async ({ recipient, options }) => ({
        recipient,
        content: await contentOf(libraries, email, options),
      })),
    ),
    attachments,
    more: email.attachments.length - attachments.length,
  };
}

const valuesOf = (headers: readonly Header[], name: string) =>
  headers.filter(({ key }) => key === name).map(({ value }) => value);

function fromOf(PostalMime: ReadingLibraries['PostalMime'], headers: readonly Header[]): ReadMail['from'] {
  const senders = valuesOf(headers, 'from').flatMap((value) => PostalMime.addressParser(value, { flatten: true }));
  const [only] = senders;
  if (senders.length !== 1 || !only?.address) return undefined;
  return { name: PostalMime.decodeWords(only.name), address: only.address };
}

function returnPathOf(headers: readonly Header[]): string | undefined {
  const [path] = valuesOf(headers, 'return-path');
  return path === undefined ? undefined : (/<([^<>]*)>/.exec(path)?.[1] ?? path).trim();
}

/** Where mail servers write the recipient of the envelope, then what the sender wrote. */
const RECIPIENT_HEADERS = ['x-original-to', 'envelope-to', 'delivered-to', 'to', 'cc'];

function headerRecipients(PostalMime: ReadingLibraries['PostalMime'], headers: readonly Header[]): string[] {
  const values = RECIPIENT_HEADERS.flatMap((name) => valuesOf(headers, name));
  const mailboxes = values.flatMap((value) => PostalMime.addressParser(value, { flatten: true }));
  return [...new Set(mailboxes.flatMap(({ address }) => address ?? []))];
}

/** RFC 3834, and what programs sent before it. */
function isAutomatic(headers: readonly Header[]): boolean {
  const has = (name: string, pattern: RegExp) => valuesOf(headers, name).some((value) => pattern.test(value.trim()));
  return (
    has('auto-submitted', /^(?!no\b)/i) ||
    has('precedence', /^(bulk|junk|list)\b/i) ||
    has('x-autoreply', /^/) ||
    has('x-autorespond', /^/) ||
    has('content-type', /^multipart\/report\b/i) ||
    // An e-mail of a chat that came back.
    has('message-id', /^<parlance\./)
  );
}

async function contentOf(libraries: ContentLibraries, { text, html }: ParsedEmail, options: ReadonlySet<MailOption>) {
  const isHtml = html !== undefined && (options.has('prefer-html') || !text?.trim());
  const terms = { keepsQuotes: options.has('include-quotes'), keepsFooter: options.has('include-footer') };
  const markdown = isHtml ? await htmlToMarkdown(libraries, html, terms) : (text ?? '');
  return replyText(libraries, markdown, terms);
}
