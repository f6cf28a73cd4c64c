import * as v from 'valibot';
import { defineEvent } from '../../../events/define-event.ts';
import type { Organization } from '../../../model/organization.ts';
import type { EmailVisibility } from '../../../model/users.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import {
  checkedSettings,
  emailVisibilityParam,
  PERSONAL_SETTING_DEFAULTS,
  type PersonalSettings,
  personalSettingParams,
} from '../settings/personal-settings.ts';

type SettingDefaults = PersonalSettings & { email_address_visibility: EmailVisibility };

export function settingDefaults(organization: Organization): SettingDefaults {
  const own = organizationSetting(organization, 'user_settings_defaults');
  return { ...PERSONAL_SETTING_DEFAULTS, email_address_visibility: 1, ...own };
}

export const settingsDefaultsUpdated = defineEvent('realm_user_settings_defaults/update', {
  summary: 'A default setting of new accounts changed.',
  fields: { property: v.string(), value: v.unknown() },
});

/** Only users themselves allow exports of their private data. */
const { allow_private_data_export: _, ...settingParams } = personalSettingParams;

export const editSettingsDefaults = defineOperation({
  name: 'userSettingsDefaults.edit',
  http: 'PATCH /realm/user_settings_defaults',
  summary: 'Change the default settings of new accounts',
  description: 'Existing accounts are not changed. All given changes are applied, or none.',
  example: { email_address_visibility: 3 },
  access: 'administrator',
  effect: 'write',
  params: { email_address_visibility: emailVisibilityParam, ...settingParams },
  async run({ tx, organization, emit }, wanted) {
    const given = checkedSettings(wanted);
    const present = settingDefaults(organization);
    const changed = Object.entries(given).filter(([key, value]) => value !== present[key as keyof typeof present]);
    if (changed.length === 0) return;
    const user_settings_defaults = {
      ...organizationSetting(organization, 'user_settings_defaults'),
      ...Object.fromEntries(changed),
    };
    await tx.organization.update({ settings: { ...organization.settings, user_settings_defaults } });
    for (const [property, value] of changed) {
      emit({ scope: 'everyone' }, settingsDefaultsUpdated({ property, value }));
    }
  },
});
