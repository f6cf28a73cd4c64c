import { randomBytes } from 'node:crypto';
import { deliverEmail, EMAILS_AT_ONCE } from '../../jobs/outbox.ts';
import { escapeQuotedText } from '../../markdown/html.ts';
import { defineOutboxKind } from '../../operation/feature.ts';
import type { Transaction } from '../../storage/interface/storage.ts';
import type { TransactionContext } from '../../viewer/context.ts';

/** 256 random bits, for a URL. Not base64url: a token that begins with `-` would be an option on a command line. */
export const newToken = () => randomBytes(32).toString('hex');

interface NewLink<P extends object> {
  /** Stores a hash of the token. Returns nothing if no e-mail is to be sent. */
  issue(context: TransactionContext<'anyone'>, payload: P, token: string): Promise<LinkEmail | undefined>;
  /** The e-mail was not sent, or this is unknown: it does not count against the limit. */
  uncount(tx: Transaction, token: string): Promise<void>;
}

/**
 * Declares an e-mail with a new link. The recipient is looked up here and not in the request, so that the response time
 * does not reveal accounts. The outbox does not store the link, because anyone who can read the database could use it.
 */
export function defineLinkEmail<P extends object>(kind: string, { issue, uncount }: NewLink<P>) {
  return defineOutboxKind<P>(kind, {
    concurrency: EMAILS_AT_ONCE,
    isPredictable: true,
    async perform(services, payload, item) {
      // The request is too old.
      if (services.clock.now() - item.created_ms > COUNTED_MS) return;
      const token = newToken();
      const email = await services.asSystem('write', (context) => issue(context, payload, token));
      if (!email) return;
      try {
        await deliverEmail(services, composeLinkEmail(email), item);
      } catch (error) {
        // The retry sends another link. This link stays valid, because the e-mail may have arrived.
        await services.storage.write((tx) => uncount(tx, token), 'silent');
        throw error;
      }
    },
  });
}

interface LinkEmail {
  to: string;
  subject: string;
  greeting?: string;
  /** Paragraphs before the link. */
  opening: readonly string[];
  /** Text before the URL in the plain-text version: `To choose a password, open`. */
  invitation: string;
  link: string;
  button: string;
  /** Paragraphs after the link, such as how long it works. */
  after: readonly string[];
  /** What to do if the reader did not expect the e-mail. */
  closing: string;
}

/** Composes the e-mail as plain text and as HTML with the same content. All parts are plain text, not HTML. */
export function composeLinkEmail({ to, subject, greeting = 'Hello,', opening, invitation, link, ...rest }: LinkEmail) {
  const { button, after, closing } = rest;
  const text = [greeting, ...opening, invitation, link, ...after, closing].join('\n\n');
  const href = escapeQuotedText(link);
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeQuotedText(subject)}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 -apple-system,'Segoe UI',Helvetica,Arial,sans-serif;color:#1f2328;background:#ffffff">
<div style="max-width:560px;margin:0 auto">
${[greeting, ...opening].map(paragraph).join('\n')}
<p style="margin:24px 0"><a href="${href}" style="display:inline-block;padding:12px 20px;border-radius:6px;background:#1f4fd8;color:#ffffff;text-decoration:none;font-weight:600">${escapeQuotedText(button)}</a></p>
<p>Or open this address:<br><a href="${href}">${href}</a></p>
${after.map(paragraph).join('\n')}
<p style="color:#59636e;font-size:14px">${escapeQuotedText(closing)}</p>
</div>
</body>
</html>
`;
  return { to, subject, text: `${text}\n`, html };
}

const paragraph = (text: string) => `<p>${escapeQuotedText(text)}</p>`;

const HOUR_MS = 3_600_000;

/** Limits per address for e-mails that a caller without an account can trigger. They prevent flooding a mailbox. */
const LIMITS = [
  { max: 2, milliseconds: HOUR_MS },
  { max: 5, milliseconds: 24 * HOUR_MS },
];

/** How long to wait at the limit. */
export const MAIL_PAUSE_SECONDS = Math.min(...LIMITS.map(({ milliseconds }) => milliseconds)) / 1000;

/** How long a sent e-mail counts. */
export const COUNTED_MS = Math.max(...LIMITS.map(({ milliseconds }) => milliseconds));

/** Whether no further e-mail may be sent to an address now. @param sent times of the e-mails already sent to it */
export const isMailedTooOften = (sent: readonly number[], now: number) =>
  LIMITS.some(({ max, milliseconds }) => sent.filter((at) => at > now - milliseconds).length >= max);
