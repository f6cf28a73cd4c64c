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

function directorySettings(settings: ServeSettings): LdapOptions | undefined {
  const { ldap, ldapBase, ldapFilter, ldapId } = settings;
  const options = ldapOptions(ldap, settings);
  if (options) return options;
  if (ldapBase ?? ldapFilter ?? ldapId) throw new UsageError('--ldap-base, --ldap-filter and --ldap-id need --ldap.');
  return undefined;
}

const OIDC_OPTIONS = [
  'oidcClientId',
  'oidcName',
  'oidcScope',
  'oidcOpen',
  'oidcTrustEmail',
  'oidcRoleClaim',
  'oidcRole',
  'oidcGroupClaim',
] as const;

/** The secret comes only from the environment, so that other users cannot see it. */
function oidcSettings(settings: ServeSettings): OidcOptions | undefined {
  const { oidc: issuer, oidcClientId: clientId, oidcRole, noWeb } = settings;
  const lonely = OIDC_OPTIONS.find((name) => settings[name] !== undefined);
  if (issuer === undefined) {
    if (lonely === undefined) return undefined;
    throw new UsageError(`--${kebab(lonely)} needs --oidc, the issuer URL of the provider.`);
  }
  if (clientId === undefined)
    throw new UsageError('--oidc needs --oidc-client-id, the ID of the chat at the provider.');
  if (noWeb) throw new UsageError('--oidc and --no-web cannot be used together: people log in at the login page.');
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
