import { defineFeature } from '../../../operation/feature.ts';
import { editSettings } from './edit.ts';
import { EMOJI_SETS, PERSONAL_SETTING_DEFAULTS, type PersonalSettings, settingsUpdated } from './personal-settings.ts';

/** Personal settings. Most are preferences that the server only stores for clients. */
export const userSettings = defineFeature({
  operations: [editSettings],
  events: [settingsUpdated],
  initialState: {
    user_settings: async ({ context: { actor } }) => ({
      user_settings: {
        ...({ ...PERSONAL_SETTING_DEFAULTS, ...actor.settings } as PersonalSettings),
        timezone: actor.timezone,
        email_address_visibility: actor.email_visibility,
        available_notification_sounds: [],
        emojiset_choices: EMOJI_SETS,
      },
    }),
  },
});
