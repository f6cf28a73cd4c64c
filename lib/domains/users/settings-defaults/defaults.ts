import * as v from 'valibot';
import { defineEvent } from '../../../events/define-event.ts';
import type { Organization } from '../../../model/organization.ts';
import type { EmailVisibility } from '../../../model/users.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { PERSONAL_SETTING_DEFAULTS, type PersonalSettings } from '../settings/personal-settings.ts';

export function settingDefaults(
  organization: Organization,
): PersonalSettings & { email_address_visibility: EmailVisibility } {
  return {
    ...(PERSONAL_SETTING_DEFAULTS as PersonalSettings),
    email_address_visibility: 1,
    ...organizationSetting(organization, 'user_settings_defaults'),
  };
}

export const settingsDefaultsUpdated = defineEvent('realm_user_settings_defaults/update', {
  summary: 'A default setting of new accounts changed.',
  fields: { property: v.string(), value: v.unknown() },
});
