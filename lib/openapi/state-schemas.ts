// Written by `npm run documents` from the functions of the features; a test compares.
import * as v from 'valibot';
import { botObject } from '../domains/users/bots/bot.ts';
import { channelFolderObject } from '../domains/channels/folders/folder.ts';
import { channelObject } from '../domains/channels/channel-view.ts';
import { customEmojiObject } from '../domains/organization/custom-emoji/custom-emoji.ts';
import { draftObject } from '../domains/messages/drafts/draft.ts';
import { groupObject } from '../domains/user-groups/group-view.ts';
import { groupSetting } from '../base/schemas.ts';
import { navigationViewObject } from '../domains/messages/navigation-views/view.ts';
import { playgroundObject } from '../domains/organization/playgrounds/playground.ts';
import { presences } from '../domains/users/presence/presence.ts';
import { profileFieldObject } from '../domains/users/profile-fields/field.ts';
import { reminderObject } from '../domains/messages/reminders/reminder.ts';
import { scheduledMessageObject } from '../domains/messages/scheduled-messages/scheduled-message.ts';
import { snippetObject } from '../domains/messages/saved-snippets/snippet.ts';
import { statusObject } from '../access/user-view.ts';
import { subscriptionObject } from '../domains/channels/channel-view.ts';
import { userObject } from '../access/user-view.ts';

/** The state a client starts from, by fetch type. */
export const STATES: Readonly<Record<string, v.ObjectSchema<v.ObjectEntries, undefined>>> = {
  onboarding_steps: v.object({
    onboarding_steps: v.pipe(v.array(v.unknown()), v.maxLength(0)),
  }),
  realm_filters: v.object({
    realm_filters: v.pipe(v.array(v.unknown()), v.maxLength(0)),
  }),
  message: v.object({
    max_message_id: v.number(),
  }),
  update_message_flags: v.object({
    unread_msgs: v.optional(v.object({ count: v.number(), pms: v.array(v.object({ other_user_id: v.number(), sender_id: v.number(), unread_message_ids: v.array(v.number()), })), streams: v.array(v.object({ stream_id: v.number(), topic: v.string(), unread_message_ids: v.array(v.number()), })), huddles: v.array(v.object({ user_ids_string: v.string(), unread_message_ids: v.array(v.number()), })), mentions: v.array(v.number()), old_unreads_missing: v.boolean(), })),
  }),
  recent_private_conversations: v.object({
    recent_private_conversations: v.array(v.object({ max_message_id: v.number(), user_ids: v.array(v.number()), })),
  }),
  starred_messages: v.object({
    starred_messages: v.array(v.number()),
  }),
  scheduled_messages: v.object({
    scheduled_messages: v.array(scheduledMessageObject),
  }),
  reminders: v.object({
    reminders: v.array(reminderObject),
  }),
  user_topic: v.object({
    user_topics: v.array(v.object({ stream_id: v.number(), topic_name: v.string(), last_updated: v.number(), visibility_policy: v.picklist([1, 2, 3]), })),
  }),
  muted_topics: v.object({
    muted_topics: v.array(v.tuple([v.string(), v.string(), v.number()])),
  }),
  drafts: v.object({
    drafts: v.array(draftObject),
  }),
  saved_snippets: v.object({
    saved_snippets: v.array(snippetObject),
  }),
  navigation_views: v.object({
    navigation_views: v.array(navigationViewObject),
  }),
  realm_emoji: v.object({
    realm_emoji: v.record(v.string(), customEmojiObject),
  }),
  stream: v.object({
    streams: v.array(channelObject),
  }),
  default_streams: v.object({
    realm_default_streams: v.array(v.number()),
  }),
  channel_folders: v.object({
    channel_folders: v.array(channelFolderObject),
  }),
  subscription: v.object({
    subscriptions: v.array(subscriptionObject),
    unsubscribed: v.array(subscriptionObject),
    never_subscribed: v.array(channelObject),
  }),
  realm_user: v.object({
    avatar_source: v.picklist(["G", "J", "U"]),
    avatar_url: v.string(),
    avatar_url_medium: v.string(),
    realm_users: v.array(userObject),
    realm_non_active_users: v.array(userObject),
    cross_realm_bots: v.array(userObject),
    user_id: v.number(),
    email: v.string(),
    delivery_email: v.string(),
    full_name: v.string(),
    is_owner: v.boolean(),
    is_admin: v.boolean(),
    is_moderator: v.boolean(),
    is_guest: v.boolean(),
    can_create_private_streams: v.boolean(),
    can_create_public_streams: v.boolean(),
    can_create_streams: v.boolean(),
    can_create_web_public_streams: v.boolean(),
    can_subscribe_other_users: v.boolean(),
    can_invite_others_to_realm: v.boolean(),
  }),
  custom_profile_fields: v.object({
    custom_profile_fields: v.array(profileFieldObject),
    custom_profile_field_types: v.object({ SHORT_TEXT: v.object({ id: v.literal(1), name: v.literal("Text (short)"), }), LONG_TEXT: v.object({ id: v.literal(2), name: v.literal("Text (long)"), }), SELECT: v.object({ id: v.literal(3), name: v.literal("List of options"), }), DATE: v.object({ id: v.literal(4), name: v.literal("Date"), }), URL: v.object({ id: v.literal(5), name: v.literal("Link"), }), USER: v.object({ id: v.literal(6), name: v.literal("Users"), }), EXTERNAL_ACCOUNT: v.object({ id: v.literal(7), name: v.literal("External account"), }), PRONOUNS: v.object({ id: v.literal(8), name: v.literal("Pronouns"), }), }),
  }),
  user_settings: v.object({
    user_settings: v.object({ allow_private_data_export: v.boolean(), automatically_follow_topics_policy: v.picklist([1, 2, 3, 4]), automatically_follow_topics_where_mentioned: v.boolean(), automatically_unmute_topics_in_muted_streams_policy: v.picklist([1, 2, 3, 4]), color_scheme: v.picklist([1, 2, 3]), default_language: v.string(), demote_inactive_streams: v.picklist([1, 2, 3]), desktop_icon_count_display: v.picklist([1, 2, 3, 4]), display_emoji_reaction_users: v.boolean(), email_notifications_batching_period_seconds: v.number(), emojiset: v.picklist(["google", "text"]), enable_desktop_notifications: v.boolean(), enable_digest_emails: v.boolean(), enable_drafts_synchronization: v.boolean(), enable_followed_topic_audible_notifications: v.boolean(), enable_followed_topic_desktop_notifications: v.boolean(), enable_followed_topic_email_notifications: v.boolean(), enable_followed_topic_push_notifications: v.boolean(), enable_followed_topic_wildcard_mentions_notify: v.boolean(), enable_login_emails: v.boolean(), enable_marketing_emails: v.boolean(), enable_offline_email_notifications: v.boolean(), enable_offline_push_notifications: v.boolean(), enable_online_push_notifications: v.boolean(), enable_sounds: v.boolean(), enable_stream_audible_notifications: v.boolean(), enable_stream_desktop_notifications: v.boolean(), enable_stream_email_notifications: v.boolean(), enable_stream_push_notifications: v.boolean(), enter_sends: v.boolean(), fluid_layout_width: v.boolean(), hide_ai_features: v.boolean(), high_contrast_mode: v.boolean(), left_side_userlist: v.boolean(), message_content_in_email_notifications: v.boolean(), notification_sound: v.string(), pm_content_in_desktop_notifications: v.boolean(), presence_enabled: v.boolean(), realm_name_in_email_notifications_policy: v.picklist([1, 2, 3]), receives_typing_notifications: v.boolean(), resolved_topic_notice_auto_read_policy: v.picklist(["always", "except_followed", "never"]), send_private_typing_notifications: v.boolean(), send_read_receipts: v.boolean(), send_stream_typing_notifications: v.boolean(), starred_message_counts: v.boolean(), translate_emoticons: v.boolean(), twenty_four_hour_time: v.boolean(), user_list_style: v.picklist([1, 2, 3]), web_animate_image_previews: v.picklist(["always", "never", "on_hover"]), web_channel_default_view: v.picklist([1, 2, 3, 4]), web_escape_navigates_to_home_view: v.boolean(), web_font_size_px: v.number(), web_home_view: v.picklist(["all_messages", "inbox", "recent_topics"]), web_inbox_show_channel_folders: v.boolean(), web_left_sidebar_show_channel_folders: v.boolean(), web_left_sidebar_unreads_count_summary: v.boolean(), web_line_height_percent: v.number(), web_mark_read_on_scroll_policy: v.picklist([1, 2, 3]), web_navigate_to_sent_message: v.boolean(), web_stream_unreads_count_display_policy: v.picklist([1, 2, 3]), web_suggest_update_timezone: v.boolean(), wildcard_mentions_notify: v.boolean(), timezone: v.string(), email_address_visibility: v.picklist([1, 2, 3, 4, 5]), available_notification_sounds: v.pipe(v.array(v.unknown()), v.maxLength(0)), emojiset_choices: v.tuple([v.object({ key: v.literal("google"), text: v.literal("Google"), }), v.object({ key: v.literal("text"), text: v.literal("Plain text"), })]), }),
  }),
  realm_user_settings_defaults: v.object({
    realm_user_settings_defaults: v.object({ allow_private_data_export: v.boolean(), automatically_follow_topics_policy: v.picklist([1, 2, 3, 4]), automatically_follow_topics_where_mentioned: v.boolean(), automatically_unmute_topics_in_muted_streams_policy: v.picklist([1, 2, 3, 4]), color_scheme: v.picklist([1, 2, 3]), default_language: v.string(), demote_inactive_streams: v.picklist([1, 2, 3]), desktop_icon_count_display: v.picklist([1, 2, 3, 4]), display_emoji_reaction_users: v.boolean(), email_notifications_batching_period_seconds: v.number(), emojiset: v.picklist(["google", "text"]), enable_desktop_notifications: v.boolean(), enable_digest_emails: v.boolean(), enable_drafts_synchronization: v.boolean(), enable_followed_topic_audible_notifications: v.boolean(), enable_followed_topic_desktop_notifications: v.boolean(), enable_followed_topic_email_notifications: v.boolean(), enable_followed_topic_push_notifications: v.boolean(), enable_followed_topic_wildcard_mentions_notify: v.boolean(), enable_login_emails: v.boolean(), enable_marketing_emails: v.boolean(), enable_offline_email_notifications: v.boolean(), enable_offline_push_notifications: v.boolean(), enable_online_push_notifications: v.boolean(), enable_sounds: v.boolean(), enable_stream_audible_notifications: v.boolean(), enable_stream_desktop_notifications: v.boolean(), enable_stream_email_notifications: v.boolean(), enable_stream_push_notifications: v.boolean(), enter_sends: v.boolean(), fluid_layout_width: v.boolean(), hide_ai_features: v.boolean(), high_contrast_mode: v.boolean(), left_side_userlist: v.boolean(), message_content_in_email_notifications: v.boolean(), notification_sound: v.string(), pm_content_in_desktop_notifications: v.boolean(), presence_enabled: v.boolean(), realm_name_in_email_notifications_policy: v.picklist([1, 2, 3]), receives_typing_notifications: v.boolean(), resolved_topic_notice_auto_read_policy: v.picklist(["always", "except_followed", "never"]), send_private_typing_notifications: v.boolean(), send_read_receipts: v.boolean(), send_stream_typing_notifications: v.boolean(), starred_message_counts: v.boolean(), translate_emoticons: v.boolean(), twenty_four_hour_time: v.boolean(), user_list_style: v.picklist([1, 2, 3]), web_animate_image_previews: v.picklist(["always", "never", "on_hover"]), web_channel_default_view: v.picklist([1, 2, 3, 4]), web_escape_navigates_to_home_view: v.boolean(), web_font_size_px: v.number(), web_home_view: v.picklist(["all_messages", "inbox", "recent_topics"]), web_inbox_show_channel_folders: v.boolean(), web_left_sidebar_show_channel_folders: v.boolean(), web_left_sidebar_unreads_count_summary: v.boolean(), web_line_height_percent: v.number(), web_mark_read_on_scroll_policy: v.picklist([1, 2, 3]), web_navigate_to_sent_message: v.boolean(), web_stream_unreads_count_display_policy: v.picklist([1, 2, 3]), web_suggest_update_timezone: v.boolean(), wildcard_mentions_notify: v.boolean(), email_address_visibility: v.picklist([1, 2, 3, 4, 5]), available_notification_sounds: v.pipe(v.array(v.unknown()), v.maxLength(0)), emojiset_choices: v.tuple([v.object({ key: v.literal("google"), text: v.literal("Google"), }), v.object({ key: v.literal("text"), text: v.literal("Plain text"), })]), }),
  }),
  user_status: v.object({
    user_status: v.record(v.string(), statusObject),
  }),
  muted_users: v.object({
    muted_users: v.array(v.object({ id: v.number(), timestamp: v.number(), })),
  }),
  alert_words: v.object({
    alert_words: v.array(v.string()),
  }),
  presence: v.object({
    presences: presences,
    presence_last_update_id: v.optional(v.number()),
    server_timestamp: v.optional(v.number()),
  }),
  realm_user_groups: v.object({
    realm_user_groups: v.array(groupObject),
  }),
  realm_bot: v.object({
    realm_bots: v.array(botObject),
  }),
  push_device: v.object({
    push_devices: v.record(v.string(), v.object({ status: v.picklist(["active", "failed", "pending"]), error_code: v.nullable(v.string()), })),
  }),
  realm: v.object({
    realm_allow_message_editing: v.boolean(),
    realm_avatar_changes_disabled: v.boolean(),
    realm_can_access_all_users_group: groupSetting,
    realm_can_add_custom_emoji_group: groupSetting,
    realm_can_add_subscribers_group: groupSetting,
    realm_can_create_bots_group: groupSetting,
    realm_can_create_groups: groupSetting,
    realm_can_create_private_channel_group: groupSetting,
    realm_can_create_public_channel_group: groupSetting,
    realm_can_create_web_public_channel_group: groupSetting,
    realm_can_create_write_only_bots_group: groupSetting,
    realm_can_delete_any_message_group: groupSetting,
    realm_can_delete_own_message_group: groupSetting,
    realm_can_invite_users_group: groupSetting,
    realm_can_manage_all_groups: groupSetting,
    realm_can_manage_billing_group: groupSetting,
    realm_can_mention_many_users_group: groupSetting,
    realm_can_move_messages_between_channels_group: groupSetting,
    realm_can_move_messages_between_topics_group: groupSetting,
    realm_can_resolve_topics_group: groupSetting,
    realm_can_set_delete_message_policy_group: groupSetting,
    realm_can_set_topics_policy_group: groupSetting,
    realm_can_summarize_topics_group: groupSetting,
    realm_create_multiuse_invite_group: groupSetting,
    realm_default_avatar_source: v.picklist(["G", "J"]),
    realm_default_code_block_language: v.string(),
    realm_direct_message_initiator_group: groupSetting,
    realm_direct_message_permission_group: groupSetting,
    realm_disallow_disposable_email_addresses: v.boolean(),
    realm_email_changes_disabled: v.boolean(),
    realm_emails_restricted_to_domains: v.boolean(),
    realm_empty_topic_display_name: v.string(),
    realm_enable_read_receipts: v.boolean(),
    realm_enable_spectator_access: v.boolean(),
    realm_invite_required: v.boolean(),
    realm_message_content_delete_limit_seconds: v.nullable(v.number()),
    realm_message_content_edit_limit_seconds: v.nullable(v.number()),
    realm_message_edit_history_visibility_policy: v.picklist(["all", "moves", "none"]),
    realm_message_retention_days: v.number(),
    realm_move_messages_between_streams_limit_seconds: v.nullable(v.number()),
    realm_move_messages_within_stream_limit_seconds: v.nullable(v.number()),
    realm_name_changes_disabled: v.boolean(),
    realm_presence_disabled: v.boolean(),
    realm_push_notifications_enabled_end_timestamp: v.nullable(v.number()),
    realm_require_e2ee_push_notifications: v.boolean(),
    realm_require_unique_names: v.boolean(),
    realm_send_channel_events_messages: v.boolean(),
    realm_send_welcome_emails: v.boolean(),
    realm_topics_policy: v.picklist(["allow_empty_topic", "disable_empty_topic"]),
    realm_waiting_period_threshold: v.number(),
    realm_name: v.string(),
    realm_description: v.string(),
    realm_url: v.string(),
    realm_uri: v.string(),
    realm_host: v.string(),
    realm_date_created: v.number(),
    realm_icon_url: v.string(),
    realm_icon_source: v.string(),
    realm_logo_url: v.string(),
    realm_logo_source: v.string(),
    realm_night_logo_url: v.string(),
    realm_night_logo_source: v.string(),
    realm_bot_domain: v.string(),
    realm_is_zephyr_mirror_realm: v.boolean(),
    realm_default_language: v.string(),
    realm_org_type: v.number(),
    realm_plan_type: v.number(),
    realm_password_auth_enabled: v.boolean(),
    realm_email_auth_enabled: v.boolean(),
    realm_authentication_methods: v.object({ }),
    realm_allow_edit_history: v.boolean(),
    realm_mandatory_topics: v.boolean(),
    realm_welcome_message_custom_text: v.optional(v.string()),
    realm_max_invites: v.optional(v.number()),
    realm_push_notifications_enabled: v.boolean(),
    realm_new_stream_announcements_stream_id: v.number(),
    realm_signup_announcements_stream_id: v.number(),
    realm_moderation_request_channel_id: v.number(),
    realm_default_external_accounts: v.record(v.string(), v.object({ text: v.pipe(v.string(), v.description("Name in the list from which administrators choose.")), name: v.pipe(v.string(), v.description("Name of the field.")), hint: v.string(), url_pattern: v.pipe(v.string(), v.description("`%(username)s` is replaced with the value of the field.")), })),
    realm_wildcard_mention_policy: v.number(),
    realm_digest_emails_enabled: v.boolean(),
    realm_inline_image_preview: v.boolean(),
    realm_inline_url_embed_preview: v.boolean(),
    realm_video_chat_provider: v.number(),
    realm_available_video_chat_providers: v.object({ }),
    realm_giphy_rating: v.number(),
    realm_upload_quota_mib: v.nullable(v.number()),
    server_presence_ping_interval_seconds: v.number(),
    server_presence_offline_threshold_seconds: v.number(),
    server_typing_started_expiry_period_milliseconds: v.number(),
    server_typing_stopped_wait_period_milliseconds: v.number(),
    server_typing_started_wait_period_milliseconds: v.number(),
    server_min_deactivated_realm_deletion_days: v.number(),
    server_max_deactivated_realm_deletion_days: v.null(),
    server_timestamp: v.number(),
    server_generation: v.number(),
    server_inline_image_preview: v.boolean(),
    server_inline_url_embed_preview: v.boolean(),
    server_avatar_changes_disabled: v.boolean(),
    server_name_changes_disabled: v.boolean(),
    server_needs_upgrade: v.boolean(),
    server_web_public_streams_enabled: v.boolean(),
    server_emoji_data_url: v.string(),
    server_thumbnail_formats: v.array(v.object({ name: v.string(), max_width: v.literal(840), max_height: v.literal(560), format: v.string(), animated: v.boolean(), })),
    server_jitsi_server_url: v.null(),
    server_can_summarize_topics: v.boolean(),
    server_report_message_types: v.pipe(v.array(v.unknown()), v.maxLength(0)),
    server_supported_permission_settings: v.object({ realm: v.record(v.string(), v.object({ require_system_group: v.boolean(), allow_internet_group: v.boolean(), allow_nobody_group: v.boolean(), allow_everyone_group: v.boolean(), default_group_name: v.string(), default_for_system_groups: v.null(), allowed_system_groups: v.array(v.picklist(["role:administrators", "role:everyone", "role:fullmembers", "role:internet", "role:members", "role:moderators", "role:nobody", "role:owners"])), })), stream: v.record(v.string(), v.object({ require_system_group: v.boolean(), allow_internet_group: v.boolean(), allow_nobody_group: v.boolean(), allow_everyone_group: v.boolean(), default_group_name: v.string(), default_for_system_groups: v.null(), allowed_system_groups: v.array(v.picklist(["role:administrators", "role:everyone", "role:fullmembers", "role:internet", "role:members", "role:moderators", "role:nobody", "role:owners"])), })), group: v.record(v.string(), v.object({ require_system_group: v.boolean(), allow_internet_group: v.boolean(), allow_nobody_group: v.boolean(), allow_everyone_group: v.boolean(), default_group_name: v.string(), default_for_system_groups: v.null(), allowed_system_groups: v.array(v.picklist(["role:administrators", "role:everyone", "role:fullmembers", "role:internet", "role:members", "role:moderators", "role:nobody", "role:owners"])), })), }),
    event_queue_longpoll_timeout_seconds: v.number(),
    max_message_length: v.number(),
    max_topic_length: v.number(),
    max_stream_name_length: v.number(),
    max_stream_description_length: v.number(),
    max_channel_folder_name_length: v.number(),
    max_channel_folder_description_length: v.number(),
    max_reminder_note_length: v.number(),
    max_bulk_new_subscription_messages: v.number(),
    max_file_upload_size_mib: v.number(),
    max_avatar_file_size_mib: v.number(),
    max_icon_file_size_mib: v.number(),
    max_logo_file_size_mib: v.number(),
    password_min_length: v.number(),
    password_max_length: v.number(),
    password_min_guesses: v.number(),
    settings_send_digest_emails: v.boolean(),
    upload_quota: v.nullable(v.number()),
    development_environment: v.boolean(),
    jitsi_server_url: v.null(),
    giphy_api_key: v.string(),
    tenor_api_key: v.string(),
  }),
  realm_linkifiers: v.object({
    realm_linkifiers: v.array(v.object({ id: v.number(), pattern: v.pipe(v.string(), v.description("RE2 syntax with named groups `(?P<id>…)`. Unique.")), url_template: v.pipe(v.string(), v.description("URI template (RFC 6570) with the groups of the pattern as variables.")), })),
  }),
  realm_playgrounds: v.object({
    realm_playgrounds: v.array(playgroundObject),
  }),
  realm_domains: v.object({
    realm_domains: v.array(v.object({ domain: v.pipe(v.string(), v.description("In lower case.")), allow_subdomains: v.boolean(), })),
  }),
};
