import { type Case, cases } from '../../../world/case.ts';
import { BASE_URL } from '../../../world/world.ts';

const settings = (
  name: string,
  as: Case['as'],
  returns: NonNullable<Case['returns']>,
  more: Partial<Case> = {},
): Case => ({
  name,
  as,
  call: ['serverSettings.get'],
  returns,
  ...more,
});

export const getServerSettingsCases = cases('serverSettings.get', [
  settings('a caller without credentials gets the settings that a client needs before login', 'anonymous', {
    zulip_version: '11.0',
    zulip_feature_level: 421,
    realm_url: BASE_URL,
    realm_uri: BASE_URL,
    realm_name: 'Elsinore',
    realm_description: '<p>A castle by the <em>sea</em></p>',
    is_incompatible: false,
    email_auth_enabled: true,
    require_email_format_usernames: true,
    external_authentication_methods: [],
    authentication_methods: { password: true, dev: false, ldap: false },
    realm_web_public_access_enabled: false,
  }),
  settings('credentials are ignored, even those of a deactivated account', 'deactivated', { realm_name: 'Elsinore' }),
  settings(
    'authentication_methods.dev is true on a development server',
    'anonymous',
    { authentication_methods: { dev: true } },
    { development: true },
  ),
  settings(
    'realm_web_public_access_enabled is true when enable_spectator_access is on',
    'anonymous',
    { realm_web_public_access_enabled: true },
    {
      given: (world) => world.settings({ enable_spectator_access: true }),
    },
  ),
  settings(
    'email_auth_enabled is false when password login is turned off',
    'anonymous',
    { email_auth_enabled: false, authentication_methods: { password: false } },
    {
      given: (world) => world.settings({ password_login: false }),
    },
  ),
]);
