import { findSetting } from './environment.ts';
import { UsageError } from './failure.ts';

interface Typed {
  smtp?: string;
  mailFrom?: string;
}

/** Requires both or neither: without this check, a missing sender shows only when an e-mail fails. */
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
