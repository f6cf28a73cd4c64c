import * as v from 'valibot';
import { choice, describe, flag, integer, text } from '../../../kernel/schemas.ts';
import { EMOJI_SETS, type PersonalSetting } from './personal-settings.ts';

const yesNo = (what: string) => v.optional(describe(flag, what));
const oneOf = <const T extends readonly (string | number)[]>(values: T, what: string) =>
  v.optional(describe(choice(values), what));
const between = (least: number, most: number, what: string) =>
  v.optional(
    describe(
      v.pipe(integer, v.minValue(least, `must be at least ${least}`), v.maxValue(most, `must be at most ${most}`)),
      what,
    ),
  );

const FOLLOWING = [1, 2, 3, 4] as const;
const following = (what: string) =>
  oneOf(FOLLOWING, `${what}: 1 on taking part, 2 on sending, 3 on starting the topic, 4 never.`);

/** Stored as a column of the account, not with the other settings. */
export const emailVisibilityParam = oneOf(
  [1, 2, 3, 4, 5],
  'Who can see your e-mail address: 1 everyone, 2 members, 3 administrators, 4 nobody, 5 moderators.',
);

/** The allowed values of each personal setting. */
export const personalSettingParams = {
  twenty_four_hour_time: yesNo('Show times as 14:00 instead of 2:00 PM.'),
  default_language: v.optional(describe(text(50), 'Code of the language, such as de or pt-BR.')),
  color_scheme: oneOf([1, 2, 3], '1 automatic, 2 dark, 3 light.'),
  emojiset: oneOf(
    EMOJI_SETS.map(({ key }) => key),
    'Emoji style.',
  ),
  translate_emoticons: yesNo('Turn emoticons such as :) into emoji in your messages.'),
  display_emoji_reaction_users: yesNo('Show the names of users who reacted.'),
  starred_message_counts: yesNo('Show how many messages are starred.'),
  enter_sends: yesNo('Send messages with the Enter key.'),
  high_contrast_mode: yesNo('Use high contrast.'),
  fluid_layout_width: yesNo('Use the whole width of the window.'),
  left_side_userlist: yesNo('Show the list of people on the left.'),
  hide_ai_features: yesNo('Hide AI features.'),
  demote_inactive_streams: oneOf([1, 2, 3], 'Move inactive channels down: 1 automatically, 2 always, 3 never.'),
  user_list_style: oneOf([1, 2, 3], 'People in lists: 1 compact, 2 with status, 3 with picture and status.'),
  web_animate_image_previews: oneOf(['always', 'on_hover', 'never'], 'When to animate images.'),
  web_channel_default_view: oneOf(
    [1, 2, 3, 4],
    'What to show when a channel is opened: 1 newest topic, 2 all messages, 3 list of topics, 4 first unread topic.',
  ),
  web_escape_navigates_to_home_view: yesNo('Go to the home view with Escape.'),
  web_font_size_px: between(12, 20, 'Font size in pixels.'),
  web_home_view: oneOf(['recent_topics', 'inbox', 'all_messages'], 'View to show first.'),
  web_inbox_show_channel_folders: yesNo('Group channels by folder in the inbox.'),
  web_left_sidebar_show_channel_folders: yesNo('Group channels by folder in the sidebar.'),
  web_left_sidebar_unreads_count_summary: yesNo('Show the count of unread messages in the sidebar.'),
  web_line_height_percent: between(122, 158, 'Line height in percent of the font size.'),
  web_mark_read_on_scroll_policy: oneOf([1, 2, 3], 'Mark as read on scrolling: 1 always, 2 in conversations, 3 never.'),
  web_navigate_to_sent_message: yesNo('Go to the conversation of a sent message.'),
  web_stream_unreads_count_display_policy: oneOf(
    [1, 2, 3],
    'Show unread counts: 1 in all channels, 2 in unmuted channels, 3 never.',
  ),
  web_suggest_update_timezone: yesNo('Suggest updating the time zone when the device uses a different time zone.'),
  presence_enabled: yesNo('Let others see whether you are online.'),
  send_private_typing_notifications: yesNo('Let others see that you type in direct messages.'),
  send_stream_typing_notifications: yesNo('Let others see that you type in channels.'),
  receives_typing_notifications: yesNo('See that others type.'),
  send_read_receipts: yesNo('Let others see which messages you have read.'),
  allow_private_data_export: yesNo('Allow exports to contain your private data.'),
  enable_drafts_synchronization: yesNo('Store drafts on the server. Turning this off deletes the stored drafts.'),
  enable_desktop_notifications: yesNo('Desktop notifications of direct messages and mentions.'),
  enable_sounds: yesNo('Sounds of direct messages and mentions.'),
  enable_offline_email_notifications: yesNo('E-mail about direct messages and mentions while you are away.'),
  enable_offline_push_notifications: yesNo('Push notifications of direct messages and mentions while you are away.'),
  enable_online_push_notifications: yesNo('Push notifications also while you are online.'),
  enable_stream_desktop_notifications: yesNo('Desktop notifications of channel messages.'),
  enable_stream_email_notifications: yesNo('E-mail about channel messages.'),
  enable_stream_push_notifications: yesNo('Push notifications of channel messages.'),
  enable_stream_audible_notifications: yesNo('Sounds of channel messages.'),
  enable_followed_topic_desktop_notifications: yesNo('Desktop notifications of followed topics.'),
  enable_followed_topic_email_notifications: yesNo('E-mail about followed topics.'),
  enable_followed_topic_push_notifications: yesNo('Push notifications of followed topics.'),
  enable_followed_topic_audible_notifications: yesNo('Sounds of followed topics.'),
  wildcard_mentions_notify: yesNo('Notify of wildcard mentions, such as `@**all**`.'),
  enable_followed_topic_wildcard_mentions_notify: yesNo('Notify of wildcard mentions in followed topics.'),
  pm_content_in_desktop_notifications: yesNo('Show the text of direct messages in desktop notifications.'),
  message_content_in_email_notifications: yesNo('Show the text of messages in e-mail notifications.'),
  notification_sound: v.optional(describe(text(20), 'Name of a sound, or `none`.')),
  desktop_icon_count_display: oneOf(
    [1, 2, 3, 4],
    'What the icon counts: 1 all unread messages, 2 direct messages, mentions and followed topics, 3 direct messages and mentions, 4 no count.',
  ),
  email_notifications_batching_period_seconds: between(
    1,
    604_800,
    'How long to collect messages before an e-mail notification, in seconds.',
  ),
  realm_name_in_email_notifications_policy: oneOf(
    [1, 2, 3],
    'Name the organization in e-mail: 1 automatically, 2 always, 3 never.',
  ),
  enable_digest_emails: yesNo('Digests by e-mail.'),
  enable_login_emails: yesNo('E-mail about new logins.'),
  enable_marketing_emails: yesNo('Occasional announcements by e-mail.'),
  automatically_follow_topics_policy: following('Follow topics'),
  automatically_unmute_topics_in_muted_streams_policy: following('Unmute topics of muted channels'),
  automatically_follow_topics_where_mentioned: yesNo('Follow topics in which you are mentioned.'),
  resolved_topic_notice_auto_read_policy: oneOf(
    ['always', 'except_followed', 'never'],
    'Whether notices of resolved topics are marked as read.',
  ),
} satisfies Record<PersonalSetting, unknown>;

/** The personal settings of an account. */
export type PersonalSettings = {
  [K in PersonalSetting]: NonNullable<v.InferOutput<(typeof personalSettingParams)[K]>>;
};
