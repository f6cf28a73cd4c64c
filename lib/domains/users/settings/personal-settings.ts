import { BadRequest } from '../../../kernel/errors.ts';
import { NOTIFICATION_DEFAULTS } from '../../../rules/push-notifications.ts';
import { AUTOMATIC_POLICY_DEFAULTS } from '../../../rules/topic-visibility.ts';

/** Personal settings with their defaults, named as in the API. The time zone is a column of the account. */
export const PERSONAL_SETTING_DEFAULTS = {
  twenty_four_hour_time: false,
  display_emoji_reaction_users: true,
  starred_message_counts: true,
  presence_enabled: true,
  emojiset: 'google',
  translate_emoticons: false,
  color_scheme: 1,
  default_language: 'en',
  high_contrast_mode: false,
  enter_sends: false,
  left_side_userlist: false,
  fluid_layout_width: false,
  hide_ai_features: false,
  web_animate_image_previews: 'on_hover',
  web_channel_default_view: 1,
  web_escape_navigates_to_home_view: true,
  web_font_size_px: 16,
  web_home_view: 'inbox',
  web_inbox_show_channel_folders: true,
  web_left_sidebar_show_channel_folders: true,
  web_left_sidebar_unreads_count_summary: true,
  web_line_height_percent: 140,
  web_mark_read_on_scroll_policy: 1,
  web_navigate_to_sent_message: true,
  web_stream_unreads_count_display_policy: 2,
  web_suggest_update_timezone: true,
  demote_inactive_streams: 1,
  user_list_style: 2,
  receives_typing_notifications: true,
  send_private_typing_notifications: true,
  send_stream_typing_notifications: true,
  send_read_receipts: true,
  enable_desktop_notifications: true,
  enable_sounds: true,
  notification_sound: 'zulip',
  enable_offline_email_notifications: true,
  enable_stream_desktop_notifications: false,
  enable_stream_email_notifications: false,
  enable_stream_audible_notifications: false,
  enable_followed_topic_desktop_notifications: true,
  enable_followed_topic_email_notifications: true,
  enable_followed_topic_audible_notifications: true,
  pm_content_in_desktop_notifications: true,
  message_content_in_email_notifications: true,
  desktop_icon_count_display: 1,
  email_notifications_batching_period_seconds: 120,
  realm_name_in_email_notifications_policy: 1,
  enable_digest_emails: false,
  enable_login_emails: true,
  enable_marketing_emails: false,
  ...NOTIFICATION_DEFAULTS,
  ...AUTOMATIC_POLICY_DEFAULTS,
  resolved_topic_notice_auto_read_policy: 'except_followed',
  allow_private_data_export: false,
  enable_drafts_synchronization: true,
} as const;

export type PersonalSetting = keyof typeof PERSONAL_SETTING_DEFAULTS;

export const EMOJI_SETS = [
  { key: 'google', text: 'Google' },
  { key: 'text', text: 'Plain text' },
] as const;

/** The name of a language in that language; undefined for an unknown code. */
export function languageName(code: string): string | undefined {
  const tag = code.replaceAll('_', '-');
  try {
    return new Intl.DisplayNames([tag], { type: 'language', fallback: 'none' }).of(tag);
  } catch {
    return undefined;
  }
}

/** Throws for an unknown language or a malformed sound name. */
export function checkSettings(given: {
  default_language?: string | undefined;
  notification_sound?: string | undefined;
}): void {
  const { default_language, notification_sound } = given;
  if (default_language !== undefined && languageName(default_language) === undefined) {
    throw new BadRequest(`There is no language with the code "${default_language}".`);
  }
  if (notification_sound !== undefined && !/^[a-z0-9][a-z0-9_-]*$/.test(notification_sound)) {
    throw new BadRequest(`There is no sound named "${notification_sound}".`);
  }
}

/** Throws for an unknown time zone. An empty string is valid: the time zone is unknown. */
export function checkTimeZone(timezone: string | undefined): void {
  if (timezone !== undefined && timezone !== '' && !isTimeZone(timezone)) {
    throw new BadRequest(`There is no time zone named "${timezone}".`);
  }
}

/** Whether the text is the name of an IANA time zone, such as `Europe/Copenhagen`. */
function isTimeZone(name: string): boolean {
  // Intl also accepts offsets and names in any case, but some clients do not.
  if (!/^[A-Z][A-Za-z0-9_+-]*(\/[A-Z][A-Za-z0-9_+-]*)*$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
