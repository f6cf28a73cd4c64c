import { siteIn } from '../lib/internal.ts';
import { findSetting, findVariable } from './environment.ts';
import { UsageError } from './failure.ts';

/** Completes a sentence that ends in "must be". */
export const BASE_URL_WANTED = 'an address such as https://chat.example.com';

/** The public URL of the chat, from the option or the environment. */
export function chooseBaseUrl(typed: string | undefined): string | undefined {
  const setting = findSetting('--base-url', typed);
  if (!setting) return undefined;
  const site = siteIn(setting.value);
  if (site === undefined) throw new UsageError(`${setting.source} must be ${BASE_URL_WANTED}.`);
  return site;
}

/** Requires both or neither: without this check, a missing sender shows only when an e-mail fails. */
export function mailSettings(typed: { smtp?: string; mailFrom?: string } = {}) {
  const url = findSetting('--smtp', typed.smtp);
  const from = findSetting('--mail-from', typed.mailFrom);
  if (url === undefined && from === undefined) return undefined;
  if (url === undefined || from === undefined)
    throw new UsageError('E-mail needs both --smtp and --mail-from (PARLANCE_SMTP, PARLANCE_MAIL_FROM).');
  if (!/^smtps?:\/\//.test(url.value))
    throw new UsageError(`${url.source} must be an address like smtp://mail.example.com:587.`);
  return { url: url.value, from: from.value };
}

/** The ID and the key come only from the environment, so that other users cannot see them. */
export function pushRelaySettings(typed: { pushRelay?: string } = {}) {
  const url = findSetting('--push-relay', typed.pushRelay);
  const id = findVariable('PARLANCE_PUSH_RELAY_ID')?.value;
  const key = findVariable('PARLANCE_PUSH_RELAY_KEY')?.value;
  if (url === undefined) return undefined;
  if (!id || !key)
    throw new UsageError(
      'Set PARLANCE_PUSH_RELAY_ID and PARLANCE_PUSH_RELAY_KEY to the ID and key from your push relay.',
    );
  if (siteIn(url.value) === undefined)
    throw new UsageError(`${url.source} must be an address like https://push.example.com.`);
  return { url: url.value, id, key };
}

/** They come only from the environment, so that other users cannot see them. */
export function loginSecrets(): string[] | undefined {
  const setting = findVariable('PARLANCE_LOGIN_SECRETS');
  const secrets = setting?.value.split(/[\s,]+/).filter((secret) => secret !== '');
  if (secrets && (secrets.length > 10 || secrets.some((secret) => secret.length < 32)))
    throw new UsageError(
      'PARLANCE_LOGIN_SECRETS must be 1 to 10 secrets of at least 32 characters each, with spaces between them.',
      'Make one with: openssl rand -base64 32',
    );
  return secrets;
}
