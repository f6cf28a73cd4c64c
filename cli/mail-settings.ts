import { UsageError } from './failure.ts';

interface Flags {
  smtp?: string;
  mailFrom?: string;
}

/** Both or neither: a server that refuses letters without a sender would only be found out much later. */
export function mailSettings(flags: Flags = {}): { url: string; from: string } | undefined {
  const url = flags.smtp ?? (process.env.CHATCTL_SMTP || undefined);
  const from = flags.mailFrom ?? (process.env.CHATCTL_MAIL_FROM || undefined);
  if (url === undefined && from === undefined) return undefined;
  if (url === undefined || from === undefined) {
    throw new UsageError('E-mail needs both --smtp and --mail-from (CHATCTL_SMTP, CHATCTL_MAIL_FROM).');
  }
  if (!/^smtps?:\/\//.test(url)) throw new UsageError('--smtp must be an address like smtp://mail.example.com:587.');
  return { url, from };
}
