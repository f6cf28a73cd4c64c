import { defineFeature } from '../../../operation/feature.ts';
import { EMOJI_SETS, NOTIFICATION_SOUNDS } from '../settings/personal-settings.ts';
import { editSettingsDefaults, settingDefaults, settingsDefaultsUpdated } from './edit.ts';

/** Default settings of new accounts. Existing accounts keep their own settings. */
export const userSettingsDefaults = defineFeature({
  operations: [editSettingsDefaults],
  events: [settingsDefaultsUpdated],
  initialState: {
    realm_user_settings_defaults: async ({ context: { organization } }) => ({
      realm_user_settings_defaults: {
        ...settingDefaults(organization),
        available_notification_sounds: NOTIFICATION_SOUNDS,
        emojiset_choices: EMOJI_SETS,
      },
    }),
  },
});
