/** The switches of settings: those of the own account, and of new accounts. */
import type { OwnSettings } from '../../client/store/types.ts';
import type { SETTINGS_WORDS } from '../words/settings-words.ts';

type SwitchName = { [K in keyof OwnSettings]: OwnSettings[K] extends boolean ? K : never }[keyof OwnSettings];

/** A text, and the settings that the switch turns on and off. It shows the first. */
export type SettingSwitch = readonly [text: keyof typeof SETTINGS_WORDS, first: SwitchName, ...others: SwitchName[]];

export const SWITCHES: Readonly<Record<'writing' | 'notifications' | 'privacy', readonly SettingSwitch[]>> = {
  writing: [
    ['enterSends', 'enter_sends'],
    ['typingNotifications', 'send_private_typing_notifications', 'send_stream_typing_notifications'],
  ],
  notifications: [
    ['notifyDirect', 'enable_desktop_notifications'],
    ['notifyFollowed', 'enable_followed_topic_desktop_notifications'],
    ['notifyChannels', 'enable_stream_desktop_notifications'],
    ['notifyWithText', 'pm_content_in_desktop_notifications'],
    ['playSounds', 'enable_sounds'],
    ['notifyEmail', 'enable_offline_email_notifications'],
  ],
  privacy: [
    ['presenceEnabled', 'presence_enabled'],
    ['readReceipts', 'send_read_receipts'],
  ],
};
