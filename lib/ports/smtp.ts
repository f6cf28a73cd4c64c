import type { Transporter } from 'nodemailer';
import type { Email, Mail } from './mail.ts';

export interface SmtpOptions {
  /** `smtp://user:password@host:587` (STARTTLS where offered) or `smtps://…`. Comes from configuration only. */
  url: string;
  /** Sender address of every email. */
  from: string;
  /** Milliseconds for connecting, for the greeting and between answers. Default 15000. */
  timeout?: number;
}

const DEFAULT_TIMEOUT_MS = 15_000;

/** Sends letters through an SMTP server. The connection is made when the first email goes out. */
export function smtp(options: SmtpOptions): Mail {
  let transporter: Promise<Transporter> | undefined;
  return {
    async send(email: Email): Promise<void> {
      transporter ??= connect(options);
      await (await transporter).sendMail({
        from: options.from,
        to: email.to,
        subject: email.subject,
        text: email.text,
      });
    },
    async close(): Promise<void> {
      (await transporter)?.close();
    },
  };
}

async function connect({ url, timeout = DEFAULT_TIMEOUT_MS }: SmtpOptions): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url,
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: timeout,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as Parameters<typeof createTransport>[0]);
}
