import { fromEnvironment } from './environment.ts';
import { UsageError } from './failure.ts';

interface Given {
  smtp?: string;
  mailFrom?: string;
}

/** Both or neither: a server that refuses letters without a sender would only be found out much later. */
export function mailSettings(given: Given = {}): { url: string; from: string } | undefined {
  const url = given.smtp ?? fromEnvironment('SMTP');
  const from = given.mailFrom ?? fromEnvironment('MAIL_FROM');
  if (url === undefined && from === undefined) return undefined;
  if (url === undefined || from === undefined) {
    throw new UsageError('E-mail needs both --smtp and --mail-from (PARLANCE_SMTP, PARLANCE_MAIL_FROM).');
  }
  if (!/^smtps?:\/\//.test(url)) throw new UsageError('--smtp must be an address like smtp://mail.example.com:587.');
  return { url, from };
}
