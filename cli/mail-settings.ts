import { findSetting } from './environment.ts';
import { UsageError } from './failure.ts';

interface Typed {
  smtp?: string;
  mailFrom?: string;
}

/** Both or neither: a server that refuses letters without a sender would only be found out much later. */
export function mailSettings(typed: Typed = {}): { url: string; from: string } | undefined {
  const url = findSetting('--smtp', typed.smtp);
  const from = findSetting('--mail-from', typed.mailFrom);
  if (url === undefined && from === undefined) return undefined;
  if (url === undefined || from === undefined) {
    throw new UsageError('E-mail needs both --smtp and --mail-from (PARLANCE_SMTP, PARLANCE_MAIL_FROM).');
  }
  if (!/^smtps?:\/\//.test(url.value)) {
    throw new UsageError(`${url.source} must be an address like smtp://mail.example.com:587.`);
  }
  return { url: url.value, from: from.value };
}
