import type { LdapOptions } from '../../lib/index.ts';
import type { OidcOptions } from '../../server/index.ts';
import { defined, findVariable } from '../environment.ts';
import { UsageError } from '../failure.ts';
import { kebab } from '../names.ts';
import {
  inboundMailSecret,
  ldapOptions,
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
  return {
    mailing,
    relay: pushRelaySettings(typed),
    secrets: loginSecrets(),
    oidc: oidcSettings(settings),
    directory: directorySettings(settings),
  };
}

/** Options whose names begin with the name of another one belong to it. @throws UsageError */
function checkBelonging(settings: ServeSettings, needed: 'oidc' | 'ldap', what: string): void {
  if (settings[needed] !== undefined) return;
  const lonely = Object.keys(settings).find((name) => name.startsWith(needed) && name !== 'oidcProviders');
  if (lonely) throw new UsageError(`--${kebab(lonely)} needs --${needed}, ${what}.`);
}

function directorySettings(settings: ServeSettings): LdapOptions | undefined {
  checkBelonging(settings, 'ldap', 'the address of the directory');
  return ldapOptions(settings.ldap, settings);
}

/** The secret comes only from the environment, so that other users cannot see it. */
function oidcSettings(settings: ServeSettings): OidcOptions | undefined {
  const { oidc: issuer, oidcProviders, oidcClientId: clientId, oidcRole, noWeb } = settings;
  checkBelonging(settings, 'oidc', 'the issuer URL of the provider');
  if (noWeb && (issuer ?? oidcProviders) !== undefined)
    throw new UsageError(
      `--${issuer === undefined ? 'oidc-providers' : 'oidc'} and --no-web cannot be used together: people log in at the login page.`,
    );
  if (issuer === undefined) return undefined;
  if (oidcProviders !== undefined)
    throw new UsageError('--oidc and --oidc-providers cannot be used together: add the provider to the file.');
  if (clientId === undefined)
    throw new UsageError('--oidc needs --oidc-client-id, the ID of the chat at the provider.');
  if (oidcRole && settings.oidcRoleClaim === undefined) throw new UsageError('--oidc-role needs --oidc-role-claim.');
  return defined({
    issuer,
    clientId,
    clientSecret: findVariable('PARLANCE_OIDC_CLIENT_SECRET')?.value,
    name: settings.oidcName,
    scope: settings.oidcScope,
    open: settings.oidcOpen,
    trustEmail: settings.oidcTrustEmail,
    roleClaim: settings.oidcRoleClaim,
    roles: oidcRole && Object.fromEntries(oidcRole),
    groupClaim: settings.oidcGroupClaim,
  });
}
