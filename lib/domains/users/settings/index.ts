import type { User } from '../../../model/users.ts';
import { defineFeature } from '../../../operation/feature.ts';
import type { StatePart } from '../../../viewer/context.ts';
import { confirmEmail } from './confirm-email.ts';
import { editSettings } from './edit.ts';
import { sendEmailChange } from './email-change.ts';
import {
  displaySettingUpdated,
  EMOJI_SETS,
  exportConsentChanged,
  isNotificationSetting,
  NOTIFICATION_SOUNDS,
  notificationSettingUpdated,
  PERSONAL_SETTING_DEFAULTS,
  type PersonalSettings,
  settingsUpdated,
} from './personal-settings.ts';
import { unsubscribe } from './unsubscribe.ts';

const settingsOf = ({ settings }: User): PersonalSettings => ({ ...PERSONAL_SETTING_DEFAULTS, ...settings });

type LegacySettings = Partial<
  PersonalSettings & {
    timezone: string;
    emojiset_choices: typeof EMOJI_SETS;
    available_notification_sounds: readonly string[];
  }
>;

/** Older clients read settings from the response itself. Newer ones have a capability and read `user_settings`. */
function legacyPart(kind: 'display' | 'notification', more: (user: User) => LegacySettings): StatePart<LegacySettings> {
  return async ({ context: { actor }, options }) => {
    if (options.client_capabilities.user_settings_object) return {};
    const all = Object.entries(settingsOf(actor));
    const ofKind = all.filter(([name]) => isNotificationSetting(name) === (kind === 'notification'));
    return { ...Object.fromEntries(ofKind), ...more(actor) };
  };
}

/** Personal settings. Most are preferences that the server only stores for clients. */
export const userSettings = defineFeature({
  operations: [editSettings, confirmEmail, unsubscribe],
  outbox: [sendEmailChange],
  events: [exportConsentChanged, settingsUpdated, displaySettingUpdated, notificationSettingUpdated],
  initialState: {
    update_display_settings: legacyPart('display', ({ timezone }) => ({ timezone, emojiset_choices: EMOJI_SETS })),
    update_global_notifications: legacyPart('notification', () => ({
      available_notification_sounds: NOTIFICATION_SOUNDS,
    })),
    user_settings: async ({ context: { actor }, options }) => ({
      user_settings: {
        ...settingsOf(actor),
        /** Show times as 14:00 instead of 2:00 PM. null: the user has not chosen, with the capability `time_format_null`. */
        twenty_four_hour_time:
          actor.settings.twenty_four_hour_time === undefined && options.client_capabilities.time_format_null
            ? null
            : settingsOf(actor).twenty_four_hour_time,
        timezone: actor.timezone,
        email_address_visibility: actor.email_visibility,
        available_notification_sounds: NOTIFICATION_SOUNDS,
        emojiset_choices: EMOJI_SETS,
      },
    }),
  },
});
