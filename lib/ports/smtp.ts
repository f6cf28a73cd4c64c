import type { Transporter } from 'nodemailer';
import { type Email, type Mail, UndeliverableEmail } from './mail.ts';

/** Which mail server, and whom e-mail comes from. */
export interface SmtpOptions {
  /** `smtp://user:password@host:587` (STARTTLS where offered) or `smtps://…`. Comes from configuration only. */
  url: string;
  /** Sender address of every email. */
  from: string;
  /** Milliseconds for connecting, for the greeting and between answers. Default 15000. */
  timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 15_000;

/** Sends letters through an SMTP server. The connection is made when the first email goes out. */
export function smtp(options: SmtpOptions): Mail {
  let transporter: Promise<Transporter> | undefined;
  return {
    async send(email: Email): Promise<void> {
      transporter ??= connect(options);
      const connected = await transporter;
      try {
        await connected.sendMail({
          from: options.from,
          // As an object it is not searched for further addresses.
          to: { name: '', address: email.to },
          subject: oneLine(email.subject),
          text: email.text,
          ...(email.html === undefined ? {} : { html: email.html }),
          ...(email.id === undefined ? {} : { messageId: `<${email.id}@${domainOf(options.from)}>` }),
          headers: { 'Auto-Submitted': 'auto-generated' },
        });
      } catch (error) {
        throw isNoRecipient(error as SmtpError) ? new UndeliverableEmail((error as Error).message) : error;
      }
    },
    async close(): Promise<void> {
      // One that never came about has nothing to let go.
      (await transporter?.catch(() => undefined))?.close();
    },
  };
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

const domainOf = (from: string) => /@([A-Za-z0-9.-]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';

interface SmtpError extends Error {
  responseCode?: number;
  response?: string;
  command?: string;
}

/** No such mailbox, moved elsewhere, or a name that cannot be. */
const NO_RECIPIENT = [550, 551, 553];

/**
 * Whether the server knows no such recipient. It may also refuse the recipient for what the sender is (5.7.x:
 * relaying, a blocklist), which somebody can put right, or because the mailbox is full.
 */
function isNoRecipient({ command, responseCode = 0, response = '' }: SmtpError): boolean {
  if (command !== 'RCPT TO' || !NO_RECIPIENT.includes(responseCode)) return false;
  const detail = /\b5\.(\d{1,3})\.\d{1,3}\b/.exec(response)?.[1];
  return detail === '1' || (detail === undefined && !/relay|spam|block|denied|policy/i.test(response));
}

async function connect({ url, timeoutMs = DEFAULT_TIMEOUT_MS }: SmtpOptions): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as Parameters<typeof createTransport>[0]);
}
