import type { LdapOptions, SmtpOptions } from '../lib/index.ts';
import { isMailDomain, siteIn } from '../lib/internal.ts';
import { defined, findSetting, findVariable } from './environment.ts';
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

/** What options and variables say about e-mail. */
export interface MailFlags {
  smtp?: string;
  mailFrom?: string;
  mailReplies?: string;
  mailAuthserv?: string;
}

/** Requires both or neither: without this check, a missing sender shows only when an e-mail fails. */
export function mailSettings(typed: MailFlags = {}): SmtpOptions | undefined {
  const url = findSetting('--smtp', typed.smtp);
  const from = findSetting('--mail-from', typed.mailFrom);
  const replies = findSetting('--mail-replies', typed.mailReplies);
  if (url === undefined && from === undefined && replies === undefined) return undefined;
  if (url === undefined || from === undefined)
    throw new UsageError(
      replies === undefined
        ? 'E-mail needs both --smtp and --mail-from (PARLANCE_SMTP, PARLANCE_MAIL_FROM).'
        : `${replies.source} needs --smtp and --mail-from (PARLANCE_SMTP, PARLANCE_MAIL_FROM).`,
    );
  if (!/^smtps?:\/\//.test(url.value))
    throw new UsageError(`${url.source} must be an address like smtp://mail.example.com:587.`);
  if (replies === undefined) return { url: url.value, from: from.value };
  if (!isMailDomain(replies.value))
    throw new UsageError(`${replies.source} must be a domain such as reply.chat.example.com.`);
  const authservId = findSetting('--mail-authserv', typed.mailAuthserv)?.value;
  return { url: url.value, from: from.value, replies: defined({ domain: replies.value, authservId }) };
}

/** It comes only from the environment, so that other users cannot see it. */
export function inboundMailSecret(): string | undefined {
  const secret = findVariable('PARLANCE_INBOUND_MAIL_SECRET')?.value;
  if (secret !== undefined && !/^\S{32,}$/.test(secret))
    throw new UsageError(
      'PARLANCE_INBOUND_MAIL_SECRET must have at least 32 characters, without spaces.',
      'Make one with: openssl rand -base64 32',
    );
  return secret;
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

/** Options of commands that use a directory. */
export interface LdapFlags {
  ldap?: string;
  ldapBase?: string;
  ldapFilter?: string;
  ldapId?: string;
}

/** The account for searches comes only from the environment, so that other users cannot see its password. */
export function ldapOptions(url: string | undefined, typed: LdapFlags): LdapOptions | undefined {
  if (url === undefined) return undefined;
  const base = findSetting('--ldap-base', typed.ldapBase)?.value;
  if (base === undefined)
    throw new UsageError('--ldap needs --ldap-base, where people are: ou=people,dc=example,dc=com.');
  const bindDn = findVariable('PARLANCE_LDAP_BIND_DN')?.value;
  const bindPassword = findVariable('PARLANCE_LDAP_PASSWORD')?.value;
  if ((bindDn === undefined) !== (bindPassword === undefined))
    throw new UsageError('Set both PARLANCE_LDAP_BIND_DN and PARLANCE_LDAP_PASSWORD, or neither.');
  return defined({
    url,
    base,
    filter: findSetting('--ldap-filter', typed.ldapFilter)?.value,
    idAttribute: findSetting('--ldap-id', typed.ldapId)?.value,
    bindDn,
    bindPassword,
  });
}
