import * as v from 'valibot';
import { describe } from '../../../base/schemas.ts';
import { API_VERSION, FEATURE_LEVEL } from '../../../base/version.ts';
import { renderMarkdown } from '../../../markdown/render.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { organizationPicture } from '../../../views/organization-pictures.ts';

export const getServerSettings = defineOperation({
  name: 'serverSettings.get',
  http: 'GET /server_settings',
  summary: 'Show server settings (no login needed)',
  description: 'Ignores credentials, even invalid ones.',
  access: 'anyone',
  result: v.object({
    authentication_methods: v.record(v.string(), v.boolean()),
    external_authentication_methods: describe(
      v.array(
        v.object({
          name: describe(v.string(), 'Such as `oidc:sso`.'),
          display_name: describe(v.string(), 'For a button.'),
          display_icon: describe(v.nullable(v.string()), 'Always null.'),
          login_url: describe(v.string(), 'An app adds `mobile_flow_otp` to it, and opens it in a browser.'),
          signup_url: describe(v.string(), 'The same page.'),
        }),
      ),
      'Identity providers of the server.',
    ),
    zulip_version: v.string(),
    zulip_feature_level: v.number(),
    zulip_merge_base: v.string(),
    push_notifications_enabled: v.boolean(),
    is_incompatible: v.boolean(),
    email_auth_enabled: v.boolean(),
    require_email_format_usernames: v.boolean(),
    realm_url: v.string(),
    realm_uri: v.string(),
    realm_name: v.string(),
    realm_icon: v.string(),
    realm_description: v.string(),
    realm_web_public_access_enabled: v.boolean(),
  }),
  async run({ organization, services }) {
    const passwords = organizationSetting(organization, 'password_login');
    const { baseUrl, development, directory, loginPages, webPublicChannels } = services.options;
    return {
      authentication_methods: {
        password: passwords || directory !== undefined,
        email: passwords,
        dev: development,
        ldap: directory !== undefined,
        remoteuser: false,
      },
      external_authentication_methods: loginPages.map(({ path, ...names }) => ({
        ...names,
        display_icon: null,
        login_url: baseUrl + path,
        signup_url: baseUrl + path,
      })),
      zulip_version: API_VERSION,
      zulip_feature_level: FEATURE_LEVEL,
      zulip_merge_base: API_VERSION,
      push_notifications_enabled: services.options.pushRelay !== undefined,
      is_incompatible: false,
      email_auth_enabled: passwords,
      require_email_format_usernames: directory === undefined,
      realm_url: baseUrl,
      realm_uri: baseUrl,
      realm_name: organization.name,
      realm_icon: organizationPicture(organization, 'icon', baseUrl).url,
      realm_description: renderMarkdown(organization.description),
      realm_web_public_access_enabled:
        webPublicChannels && organizationSetting(organization, 'enable_spectator_access'),
    };
  },
});
