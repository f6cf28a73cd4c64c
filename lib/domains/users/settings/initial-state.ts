import type { Snapshot } from '../../../kernel/context.ts';
import { EMOJI_SETS, PERSONAL_SETTING_DEFAULTS } from './personal-settings.ts';

export const settingsState = async ({ context }: Snapshot) => ({
  user_settings: {
    ...PERSONAL_SETTING_DEFAULTS,
    timezone: context.actor.timezone,
    email_address_visibility: context.actor.email_visibility,
    ...context.actor.settings,
    available_notification_sounds: [],
    emojiset_choices: EMOJI_SETS,
  },
});
