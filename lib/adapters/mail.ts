import type { Transporter } from 'nodemailer';
import { recognizeCopies } from '../base/across-copies.ts';

/** An e-mail to one recipient. */
export interface Email {
  /** Address of the recipient. */
  to: string;
  /** Subject, one line. */
  subject: string;
  /** Body as plain text. */
  text: string;
  /** Body as HTML. */
  html?: string;
  /** Message ID without domain. A retry has the same ID, so that mail programs can detect duplicates. */
  id?: string;
  /** Name of the sender. */
  fromName?: string;
  /** Message ID of the thread, without domain. */
  thread?: string;
  /** More headers. */
  headers?: Readonly<Record<string, string>>;
  /** Address for replies. Default: the sender. */
  replyTo?: string;
  /** A report about an e-mail. It has no sender in the envelope, so that no mail server answers it. */
  isReport?: boolean;
}

/** Mail that people send to the chat. */
export interface Replies {
  /**
   * A domain for this chat only, such as `reply.chat.example.com`. Its mail must reach `chat.receiveMail`: over LMTP, a
   * pipe or a webhook.
   */
  domain: string;
  /**
   * The name with which your receiving mail server writes `Authentication-Results`. It must remove such headers of
   * others. Default: none, so no sender of mail to a channel counts as authenticated.
   */
  authservId?: string;
}

/**
 * The recipient does not exist: a retry would not help. Throw it from `send` of your `Mail`. After other errors, the
 * e-mail is sent again later.
 * @example if (answer.status === 422) throw new UndeliverableEmail(`There is no ${email.to}.`);
 */
export class UndeliverableEmail extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UndeliverableEmail';
  }
}

recognizeCopies(UndeliverableEmail, 'UndeliverableEmail');

/** Sends e-mail. Use `smtp()`, or write your own. */
export interface Mail {
  /** Set if people can reply to e-mails, and write to channels by e-mail. */
  readonly replies?: Replies;
  /**
   * Resolves when a mail server has accepted the e-mail.
   * @throws UndeliverableEmail if the recipient does not exist; after any other error, the chat retries later
   */
  send(email: Email): Promise<void>;
  /** Throws if the mail server cannot be reached or refuses the login. Absent: not known. */
  check?(): Promise<void>;
  /** Closes connections. */
  close(): Promise<void>;
}

/** Options of `smtp`. */
export interface SmtpOptions {
  /** `smtp://user:password@host:587` (uses STARTTLS if offered) or `smtps://…`. Never take it from user input. */
  url: string;
  /** Sender address of every e-mail. */
  from: string;
  /** Lets people reply to e-mails, and write to channels by e-mail. */
  replies?: Replies;
  /** Timeout in milliseconds for connecting, for the greeting and between responses. Default 15000. */
  timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 15_000;

/**
 * Sends e-mail through an SMTP server. Connects with the first e-mail.
 * @example
 * const mail = smtp({ url: 'smtps://user:password@mail.example.com', from: 'chat@example.com' });
 * const chat = await openChat({ storage: sqlite('chat.db'), mail });
 */
export function smtp(options: SmtpOptions): Mail {
  let transporter: Promise<Transporter> | undefined;
  return {
    ...(options.replies ? { replies: checkedReplies(options.replies) } : {}),
    async send(email: Email): Promise<void> {
      transporter ??= connect(options);
      const connected = await transporter;
      if (UNICODE_MAILBOX.test(email.to) && !(await acceptsUnicode(options))) {
        throw new UndeliverableEmail(`The mail server does not support SMTPUTF8, which ${email.to} needs.`);
      }
      try {
        const inThread = email.thread === undefined ? undefined : `<${email.thread}@${domainOf(options.from)}>`;
        await connected.sendMail({
          from:
            email.fromName === undefined
              ? options.from
              : { name: oneLine(email.fromName), address: addressOf(options.from) },
          // As a string, it would be parsed as a list of addresses.
          to: { name: '', address: email.to },
          ...(email.replyTo === undefined ? {} : { replyTo: { name: '', address: email.replyTo } }),
          ...(email.isReport ? { envelope: { from: '', to: email.to } } : {}),
          subject: oneLine(email.subject),
          text: email.text,
          ...(email.html === undefined ? {} : { html: email.html }),
          ...(email.id === undefined ? {} : { messageId: `<${email.id}@${domainOf(options.from)}>` }),
          ...(inThread === undefined ? {} : { inReplyTo: inThread, references: inThread }),
          headers: { 'Auto-Submitted': 'auto-generated', ...eachOneLine(email.headers) },
        });
      } catch (error) {
        throw isNoRecipient(error as SmtpError) ? new UndeliverableEmail((error as Error).message) : error;
      }
    },
    async check(): Promise<void> {
      transporter ??= connect(options);
      await (await transporter).verify();
    },
    async close(): Promise<void> {
      // If creating the transporter failed, there is nothing to close.
      (await transporter?.catch(() => undefined))?.close();
    },
  };
}

export const isMailDomain = (domain: string) => /^(?=.{1,190}$)[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(domain);

/** A wrong domain would show only when a reply does not arrive. */
function checkedReplies({ domain, authservId }: Replies): Replies {
  if (!isMailDomain(domain)) throw new TypeError('replies.domain must be a domain such as reply.chat.example.com.');
  return { domain: domain.toLowerCase(), ...(authservId ? { authservId } : {}) };
}

/** An address with letters outside ASCII before the @. Domains need no support, because they have an ASCII form. */
const UNICODE_MAILBOX = /\P{ASCII}.*@/u;

const timeouts = (ms = DEFAULT_TIMEOUT_MS) => ({ connectionTimeout: ms, greetingTimeout: ms, socketTimeout: ms });

/** nodemailer sends such addresses to every server. Handlers of authentication get the extensions of the server. */
async function acceptsUnicode({ url, timeoutMs }: SmtpOptions): Promise<boolean> {
  const { default: SMTPConnection } = await import('nodemailer/lib/smtp-connection');
  const { parseConnectionUrl } = await import('nodemailer/lib/shared');
  return new Promise((resolve, reject) => {
    const LOOK = (server: { extensions: string[]; resolve(): void }) => {
      resolve(server.extensions.includes('SMTPUTF8'));
      server.resolve();
    };
    const options = { ...parseConnectionUrl(url), ...timeouts(timeoutMs), customAuth: { LOOK } };
    const connection = new SMTPConnection(options).on('error', reject);
    connection.connect(() => connection.login({ method: 'LOOK' }, () => connection.quit()));
  });
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

const eachOneLine = (headers: Email['headers'] = {}) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, oneLine(value)]));

const addressOf = (from: string) => /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from.trim();

const domainOf = (from: string) => /@([A-Za-z0-9.-]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';

interface SmtpError extends Error {
  responseCode?: number;
  response?: string;
  command?: string;
}

/** SMTP: no such mailbox, user not local, invalid mailbox name. */
const NO_RECIPIENT = [550, 551, 553];

/**
 * Whether the recipient does not exist. A server may also refuse a recipient because the mailbox is full, or because of
 * the sender (5.7.x: relaying, a blocklist). An administrator can fix the latter. Both are retried.
 */
function isNoRecipient({ command, responseCode = 0, response = '' }: SmtpError): boolean {
  if (command !== 'RCPT TO' || !NO_RECIPIENT.includes(responseCode)) return false;
  const detail = /\b5\.(\d{1,3})\.\d{1,3}\b/.exec(response)?.[1];
  return detail === '1' || (detail === undefined && !/relay|spam|block|denied|policy/i.test(response));
}

async function connect({ url, timeoutMs }: SmtpOptions): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url,
    ...timeouts(timeoutMs),
    disableFileAccess: true,
    disableUrlAccess: true,
  } as Parameters<typeof createTransport>[0]);
}
