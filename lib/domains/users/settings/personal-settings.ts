import * as v from 'valibot';
import { BadRequest } from '../../../base/errors.ts';
import {
  between,
  choice,
  describe,
  falseByDefault,
  flag,
  optional,
  text,
  trueByDefault,
} from '../../../base/schemas.ts';
import { defineEvent } from '../../../events/define-event.ts';
import { NOTIFICATION_DEFAULTS } from '../../../rules/notifications.ts';
import { AUTOMATIC_POLICY_DEFAULTS } from '../../../rules/topics.ts';

export const EMOJI_SETS = [
  { key: 'google', text: 'Google' },
  { key: 'google-blob', text: 'Google (old style)' },
  { key: 'twitter', text: 'Twitter' },
  { key: 'text', text: 'Plain text' },
] as const;

/** The name of a language in that language; undefined for an unknown code. */
function languageName(code: string): string | undefined {
  const tag = code.replaceAll('_', '-');
  try {
    return new Intl.DisplayNames([tag], { type: 'language', fallback: 'none' }).of(tag);
  } catch {
    return undefined;
  }
}

/** Names of the sounds that clients bring. This server serves none. */
export const NOTIFICATION_SOUNDS: readonly string[] = [
  ...['ascend', 'beep_boop', 'bink', 'bright', 'brlip', 'chime', 'deep tom', 'ding', 'double tap', 'down'],
  ...['dry bongos', 'dutdut', 'fast ascend', 'flute', 'friendly', 'kick roll', 'loud tintong', 'metallic snare', 'pan'],
  ...['shaker', 'simple', 'stairs', 'subtle', 'swish', 'tintong', 'up', 'wood block', 'zaping', 'zing', 'zulip'],
];

/** Checked by `checkLanguage`. The OpenAPI description has the form of the codes. */
export const languageCode = v.pipe(
  text(50),
  v.metadata({ minLength: 2, pattern: '^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*$' }),
);

interface GivenSettings {
  default_language?: string | undefined;
  notification_sound?: string | undefined;
  timezone?: string | undefined;
  web_home_view?: string | undefined;
}

/** Checks the settings. Returns them in their stored form. An empty time zone is valid: it is unknown. */
export function checkedSettings<G extends GivenSettings>(given: G): G {
  const { default_language, notification_sound, timezone = '' } = given;
  if (default_language !== undefined) checkLanguage(default_language);
  if (notification_sound !== undefined && ![...NOTIFICATION_SOUNDS, 'none'].includes(notification_sound)) {
    throw new BadRequest(`There is no sound named "${notification_sound}".`);
  }
  if (timezone !== '' && !isTimeZone(timezone)) throw new BadRequest(`There is no time zone named "${timezone}".`);
  // Most clients know only the older name.
  return given.web_home_view === 'recent' ? { ...given, web_home_view: 'recent_topics' } : given;
}

function checkLanguage(code: string): void {
  if (languageName(code) === undefined) throw new BadRequest(`There is no language with the code "${code}".`);
}

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

const oneOf = <const T extends readonly (string | number)[]>(values: T, what: string, initial?: T[number]) =>
  optional(choice(values), what, initial);
const following = (what: string) =>
  oneOf([1, 2, 3, 4], `${what}: 1 on taking part, 2 on sending, 3 on starting the topic, 4 never.`);

/** Clients decide which sizes they can show. */
const MAX_SMALL_NUMBER = 32_767;

/** Stored as a column of the account, not with the other settings. */
export const emailVisibilityParam = oneOf(
  [1, 2, 3, 4, 5],
  'Who can see your e-mail address: 1 everyone, 2 members, 3 administrators, 4 no one, 5 moderators.',
);

/**
 * Personal settings, named as in the API, with their descriptions and defaults. Rules define the other defaults. The time
 * zone is a column of the account.
 */
const PERSONAL_SETTINGS = {
  twenty_four_hour_time: falseByDefault('Show times as 14:00 instead of 2:00 PM.'),
  default_language: optional(languageCode, 'Code of the language, such as de or pt-BR.', 'en'),
  color_scheme: oneOf([1, 2, 3], '1 automatic, 2 dark, 3 light.', 1),
  emojiset: oneOf(
    EMOJI_SETS.map(({ key }) => key),
    'Emoji style.',
    'google',
  ),
  translate_emoticons: falseByDefault('Turn emoticons such as :) into emoji in your messages.'),
  display_emoji_reaction_users: trueByDefault('Show the names of users who reacted.'),
  starred_message_counts: trueByDefault('Show how many messages are starred.'),
  enter_sends: falseByDefault('Send messages with the Enter key.'),
  high_contrast_mode: falseByDefault('Use high contrast.'),
  fluid_layout_width: falseByDefault('Use the whole width of the window.'),
  left_side_userlist: falseByDefault('Show the list of people on the left.'),
  hide_ai_features: falseByDefault('Hide AI features.'),
  demote_inactive_streams: oneOf([1, 2, 3], 'Move inactive channels down: 1 automatically, 2 always, 3 never.', 1),
  user_list_style: oneOf([1, 2, 3], 'People in lists: 1 compact, 2 with status, 3 with picture and status.', 2),
  web_animate_image_previews: oneOf(['always', 'on_hover', 'never'], 'When to animate images.', 'on_hover'),
  web_channel_default_view: oneOf(
    [1, 2, 3, 4],
    'What to show when a channel is opened: 1 newest topic, 2 all messages, 3 list of topics, 4 first unread topic.',
    1,
  ),
  web_escape_navigates_to_home_view: trueByDefault('Go to the home view with Escape.'),
  web_font_size_px: optional(between(0, MAX_SMALL_NUMBER), 'Font size in pixels. Clients use 12 to 20.', 16),
  web_home_view: oneOf(
    ['recent_topics', 'recent', 'inbox', 'all_messages'],
    'View to show first. `recent` is the newer name of `recent_topics`.',
    'inbox',
  ),
  web_inbox_show_channel_folders: trueByDefault('Group channels by folder in the inbox.'),
  web_left_sidebar_show_channel_folders: trueByDefault('Group channels by folder in the sidebar.'),
  web_left_sidebar_unreads_count_summary: trueByDefault('Show the count of unread messages in the sidebar.'),
  web_line_height_percent: optional(
    between(0, MAX_SMALL_NUMBER),
    'Line height in percent of the font size. Clients use 122 to 158.',
    140,
  ),
  web_mark_read_on_scroll_policy: oneOf([1, 2, 3], 'Mark read on scrolling: 1 always, 2 in conversations, 3 never.', 1),
  web_navigate_to_sent_message: trueByDefault('Go to the conversation of a sent message.'),
  web_stream_unreads_count_display_policy: oneOf([1, 2, 3], 'Unread counts of channels: 1 all, 2 unmuted, 3 none.', 2),
  web_suggest_update_timezone: trueByDefault('Suggest updating the time zone if the device uses another.'),
  presence_enabled: trueByDefault('Let others see whether you are online.'),
  send_private_typing_notifications: trueByDefault('Let others see that you type in direct messages.'),
  send_stream_typing_notifications: trueByDefault('Let others see that you type in channels.'),
  receives_typing_notifications: trueByDefault('See that others type.'),
  send_read_receipts: trueByDefault('Let others see which messages you have read.'),
  allow_private_data_export: falseByDefault('Allow exports to contain your private data.'),
  enable_drafts_synchronization: trueByDefault(
    'Store drafts on the server. Turning this off deletes the stored drafts.',
  ),
  enable_desktop_notifications: trueByDefault('Desktop notifications of direct messages and mentions.'),
  enable_sounds: trueByDefault('Sounds of direct messages and mentions.'),
  enable_offline_email_notifications: optional(flag, 'E-mail about direct messages and mentions while you are away.'),
  enable_offline_push_notifications: optional(
    flag,
    'Push notifications of direct messages and mentions while you are away.',
  ),
  enable_online_push_notifications: optional(flag, 'Push notifications also while you are online.'),
  enable_stream_desktop_notifications: optional(flag, 'Desktop notifications of channel messages.'),
  enable_stream_email_notifications: optional(flag, 'E-mail about channel messages.'),
  enable_stream_push_notifications: optional(flag, 'Push notifications of channel messages.'),
  enable_stream_audible_notifications: optional(flag, 'Sounds of channel messages.'),
  enable_followed_topic_desktop_notifications: trueByDefault('Desktop notifications of followed topics.'),
  enable_followed_topic_email_notifications: optional(flag, 'E-mail about followed topics.'),
  enable_followed_topic_push_notifications: optional(flag, 'Push notifications of followed topics.'),
  enable_followed_topic_audible_notifications: trueByDefault('Sounds of followed topics.'),
  wildcard_mentions_notify: optional(flag, 'Notify of wildcard mentions, such as `@**all**`.'),
  enable_followed_topic_wildcard_mentions_notify: optional(flag, 'Notify of wildcard mentions in followed topics.'),
  pm_content_in_desktop_notifications: trueByDefault('Show the text of direct messages in desktop notifications.'),
  message_content_in_email_notifications: trueByDefault('Show the text of messages in e-mail notifications.'),
  notification_sound: optional(text(20), 'One of `available_notification_sounds`, or `none`.', 'zulip'),
  desktop_icon_count_display: oneOf(
    [1, 2, 3, 4],
    'What the icon counts: 1 all unread messages, 2 direct messages, mentions and followed topics, 3 direct messages and mentions, 4 no count.',
    1,
  ),
  email_notifications_batching_period_seconds: optional(
    between(1, 604_800),
    'How long to collect messages before an e-mail notification, in seconds.',
    120,
  ),
  realm_name_in_email_notifications_policy: oneOf(
    [1, 2, 3],
    'Name the organization in e-mail: 1 automatically, 2 always, 3 never.',
    1,
  ),
  enable_digest_emails: trueByDefault(
    'E-mail once a week about unread messages, if the organization has turned it on.',
  ),
  enable_login_emails: trueByDefault('E-mail about logins from a new device or network.'),
  enable_marketing_emails: falseByDefault('Occasional announcements by e-mail.'),
  automatically_follow_topics_policy: following('Follow topics'),
  automatically_unmute_topics_in_muted_streams_policy: following('Unmute topics of muted channels'),
  automatically_follow_topics_where_mentioned: optional(flag, 'Follow topics in which you are mentioned.'),
  resolved_topic_notice_auto_read_policy: oneOf(
    ['always', 'except_followed', 'never'],
    'Whether notices of resolved topics are marked as read.',
    'except_followed',
  ),
};

export type PersonalSetting = keyof typeof PERSONAL_SETTINGS;

export type PersonalSettings = {
  [K in PersonalSetting]: v.InferOutput<(typeof PERSONAL_SETTINGS)[K]['wrapped']>;
};

export const PERSONAL_SETTING_DEFAULTS = v.parse(v.object(PERSONAL_SETTINGS), {
  ...NOTIFICATION_DEFAULTS,
  ...AUTOMATIC_POLICY_DEFAULTS,
}) as PersonalSettings;

/** Parameters that change the settings. An omitted setting stays the same. */
export const personalSettingParams = Object.fromEntries(
  Object.entries(PERSONAL_SETTINGS).map(([name, { wrapped }]) => [name, v.optional(wrapped)]),
) as unknown as { [K in PersonalSetting]: v.OptionalSchema<(typeof PERSONAL_SETTINGS)[K]['wrapped'], undefined> };

export const settingsUpdated = defineEvent('user_settings/update', {
  summary: "One of the reader's own settings changed.",
  fields: { property: v.string(), value: v.unknown(), language_name: v.optional(v.string()) },
  inRooms: ({ property }) => property !== 'enable_drafts_synchronization',
});

export const exportConsentChanged = defineEvent('realm_export_consent', {
  summary: 'A user allowed exports of private data, or does not allow them any more. Only for administrators.',
  fields: {
    user_id: describe(v.number(), 'The user.'),
    consented: describe(v.boolean(), 'Value of `allow_private_data_export`.'),
  },
});

const NOTIFICATION_SETTING =
  /^(?:enable_(?!drafts)|wildcard_|pm_content_|message_content_|notification_|presence_|desktop_icon_|realm_name_|email_)/;

/** Older clients keep notification settings apart from display settings. */
export const isNotificationSetting = (name: string): boolean => NOTIFICATION_SETTING.test(name);

export const displaySettingUpdated = defineEvent('update_display_settings', {
  summary: "One of the reader's display settings changed. Only for clients without `user_settings_object`.",
  fields: {
    user: describe(v.string(), "The reader's e-mail address, as other users see it."),
    setting_name: v.string(),
    setting: v.unknown(),
    language_name: v.optional(v.string()),
  },
  unless: 'user_settings_object',
});

export const notificationSettingUpdated = defineEvent('update_global_notifications', {
  summary: "One of the reader's notification settings changed. Only for clients without `user_settings_object`.",
  fields: {
    user: describe(v.string(), "The reader's e-mail address, as other users see it."),
    notification_name: v.string(),
    setting: v.unknown(),
  },
  unless: 'user_settings_object',
});

/** All events of one changed setting: that of today's clients and that of older ones. */
export function settingEvents(user: string, property: string, value: unknown) {
  const more = property === 'default_language' ? { language_name: languageName(String(value)) } : {};
  return [
    settingsUpdated({ property, value, ...more }),
    isNotificationSetting(property)
      ? notificationSettingUpdated({ user, notification_name: property, setting: value })
      : displaySettingUpdated({ user, setting_name: property, setting: value, ...more }),
  ];
}
