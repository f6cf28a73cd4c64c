import type { StatePart } from '../../../kernel/initial-state.ts';
import { EMOJI_SETS, PERSONAL_SETTING_DEFAULTS } from './personal-settings.ts';

/** Fetch type `user_settings`. */
export const settingsState: StatePart = async ({ context }) => ({
  user_settings: {
    ...PERSONAL_SETTING_DEFAULTS,
    timezone: context.actor.timezone,
    email_address_visibility: context.actor.email_visibility,
    ...context.actor.settings,
    available_notification_sounds: [],
    emojiset_choices: EMOJI_SETS,
  },
});
