import { UsageError } from '../failure.ts';
import {
  inboundMailSecret,
  loginSecrets,
  type MailFlags,
  mailSettings,
  pushRelaySettings,
} from '../service-settings.ts';
import type { ServeSettings } from './declared-options.ts';

/**
 * Settings that consist of several options or variables.
 * @throws UsageError if one is invalid or needs another
 */
export function checkedTogether(settings: ServeSettings, typed: MailFlags & { pushRelay?: string }) {
  if (settings.socket !== undefined && settings.baseUrl === undefined)
    throw new UsageError('--socket needs --base-url, the public address of the server.');
  const mailing = mailSettings(typed);
  if ((settings.lmtp || inboundMailSecret()) && !mailing?.replies)
    throw new UsageError('To receive mail, set --mail-replies to the domain of the addresses.');
  return { mailing, relay: pushRelaySettings(typed), secrets: loginSecrets() };
}
