import type { Body } from './form-client.ts';

/**
 * Keys that the Go client's decoders know. They refuse an object with any other key, so our objects may not have more.
 * Missing keys are accepted.
 */
const words = (text: string) => text.split(/\s+/);

const permissions = (names: string) => words(names).map((name) => `can_${name}_group`);

const CHANNEL = [
  ...words(
    'stream_id name is_archived description date_created creator_id invite_only rendered_description is_web_public',
  ),
  ...words(
    'stream_post_policy message_retention_days history_public_to_subscribers topics_policy first_message_id folder_id',
  ),
  ...words('is_recently_active is_announcement_only stream_weekly_traffic subscriber_count is_default'),
  ...words('subscribers partial_subscribers'),
  ...permissions(
    'add_subscribers remove_subscribers delete_any_message delete_own_message move_messages_out_of_channel',
  ),
  ...permissions('move_messages_within_channel send_message subscribe resolve_topics create_topic administer_channel'),
];

const SUBSCRIPTION = [
  ...CHANNEL,
  ...words(
    'desktop_notifications email_notifications wildcard_mentions_notify push_notifications audible_notifications',
  ),
  ...words('pin_to_top is_muted in_home_view color'),
];

const USER_GROUP = [
  ...words('id name description date_created creator_id members direct_subgroup_ids is_system_group deactivated'),
  ...permissions('add_members join leave manage mention remove_members create_topic'),
];

const SNAPSHOT = [
  ...words('topic prev_topic stream prev_stream content rendered_content prev_content prev_rendered_content'),
  ...words('user_id content_html_diff timestamp'),
];

/** By type, and op if there is one. Add `id`, `type` and `op`. */
const EVENT: Readonly<Record<string, readonly string[]>> = {
  alert_words: ['alert_words'],
  'attachment add': words('attachment upload_space_used'),
  // The same type as above.
  'attachment update': words('attachment upload_space_used'),
  'attachment remove': words('attachment upload_space_used'),
  'stream create': ['streams'],
  'stream delete': words('streams stream_ids'),
  'stream update': words(
    'stream_id name property value rendered_description history_public_to_subscribers is_web_public',
  ),
  'channel_folder add': ['channel_folder'],
  'channel_folder update': words('channel_folder_id data'),
  'channel_folder reorder': ['order'],
  custom_profile_fields: ['fields'],
  default_streams: ['default_streams'],
  delete_message: words('message_ids message_id message_type stream_id topic'),
  'drafts add': ['drafts'],
  'drafts update': ['draft'],
  'drafts remove': ['draft_id'],
  heartbeat: [],
  // The Go client has no type and no fields for it. Servers have always sent it to administrators in this form.
  invites_changed: [],
  message: words('message flags'),
  muted_topics: ['muted_topics'],
  muted_users: ['muted_users'],
  'navigation_view add': ['navigation_view'],
  'navigation_view update': words('fragment data'),
  'navigation_view remove': ['fragment'],
  onboarding_steps: ['onboarding_steps'],
  presence: words('presences user_id email server_timestamp presence'),
  push_device: words('push_account_id status error_code'),
  'reaction add': words('message_id user emoji_name emoji_code reaction_type user_id'),
  'reaction remove': words('message_id user emoji_name emoji_code reaction_type user_id'),
  'realm_bot add': ['bot'],
  'realm_bot update': ['bot'],
  'realm_bot delete': ['bot'],
  'realm_domains add': ['realm_domain'],
  'realm_domains change': ['realm_domain'],
  'realm_domains remove': ['domain'],
  'realm_emoji update': ['realm_emoji'],
  'realm update': words('property value'),
  'realm update_dict': words('property data'),
  realm_export: ['exports'],
  realm_export_consent: words('user_id consented'),
  realm_linkifiers: ['realm_linkifiers'],
  realm_playgrounds: ['realm_playgrounds'],
  'realm_user add': ['person'],
  'realm_user remove': ['person'],
  'realm_user update': ['person'],
  'realm_user_settings_defaults update': words('property value'),
  'reminders add': ['reminders'],
  'reminders remove': ['reminder_id'],
  'saved_snippets add': ['saved_snippet'],
  'saved_snippets update': ['saved_snippet'],
  'saved_snippets remove': ['saved_snippet_id'],
  'scheduled_messages add': ['scheduled_messages'],
  'scheduled_messages update': ['scheduled_message'],
  'scheduled_messages remove': ['scheduled_message_id'],
  submessage: words('msg_type content message_id sender_id submessage_id'),
  'subscription add': ['subscriptions'],
  'subscription remove': ['subscriptions'],
  'subscription update': words('stream_id property value'),
  'subscription peer_add': words('stream_ids user_ids'),
  'subscription peer_remove': words('stream_ids user_ids'),
  'typing start': words('message_type sender recipients stream_id topic'),
  'typing stop': words('message_type sender recipients stream_id topic'),
  'typing_edit_message start': words('sender_id message_id recipient'),
  'typing_edit_message stop': words('sender_id message_id recipient'),
  update_message: [
    ...words('user_id rendering_only message_id message_ids flags edit_timestamp'),
    ...words('stream_name stream_id new_stream_id propagate_mode'),
    ...words(
      'orig_subject subject topic_links orig_content orig_rendered_content content rendered_content is_me_message',
    ),
  ],
  'update_message_flags add': words('operation flag messages all'),
  'update_message_flags remove': words('operation flag messages all message_details'),
  'user_group add': ['group'],
  'user_group remove': ['group_id'],
  'user_group update': words('group_id data'),
  'user_group add_members': words('group_id user_ids'),
  'user_group remove_members': words('group_id user_ids'),
  'user_group add_subgroups': words('group_id direct_subgroup_ids'),
  'user_group remove_subgroups': words('group_id direct_subgroup_ids'),
  'user_settings update': words('property value language_name'),
  user_status: words('user_id away status_text emoji_name emoji_code reaction_type'),
  update_display_settings: words('user setting_name setting language_name'),
  update_global_notifications: words('user notification_name setting'),
  user_topic: words('stream_id topic_name last_updated visibility_policy'),
};

/** Fields of an error beside `result`, `msg` and `code`. */
const ERROR: Readonly<Record<string, readonly string[]>> = {
  BAD_EVENT_QUEUE_ID: ['queue_id'],
  BAD_NARROW: ['desc'],
  STREAM_DOES_NOT_EXIST: words('stream stream_id'),
  REQUEST_VARIABLE_MISSING: ['var_name'],
  INVITATION_FAILED: words('errors sent_invitations daily_limit_reached license_limit_reached'),
  RATE_LIMIT_HIT: ['retry-after'],
  BAD_REQUEST: words('entity is_last_owner'),
  // The client has no type for these. Its users receive plain errors, as from the reference server.
  CHANNEL_ALREADY_EXISTS: ['channel_name'],
  REQUEST_CONFUSING_VAR: words('var_name1 var_name2'),
};

function refuseExtra(what: string, value: Body, allowed: readonly string[]): void {
  const extra = Object.keys(value).filter((key) => !allowed.includes(key));
  if (extra.length > 0)
    throw new Error(`The Go client refuses ${what} for ${extra.join(', ')}:\n${JSON.stringify(value)}`);
}

export const checkChannel = (channel: Body) => refuseExtra('a channel', channel, CHANNEL);
export const checkSubscription = (subscription: Body) => refuseExtra('a subscription', subscription, SUBSCRIPTION);
export const checkUserGroup = (group: Body) => refuseExtra('a user group', group, USER_GROUP);
export const checkSnapshot = (snapshot: Body) => refuseExtra('a snapshot of a message', snapshot, SNAPSHOT);

/** Checks an event with its objects, and returns its type. */
export function checkEvent(event: Body, options: { hasLocalId?: boolean } = {}): string {
  const kind = event.op === undefined ? event.type : `${event.type} ${event.op}`;
  const allowed = EVENT[kind];
  if (!allowed) throw new Error(`The Go client knows no event ${kind}:\n${JSON.stringify(event)}`);
  refuseExtra(kind, event, ['id', 'type', 'op', ...allowed, ...(options.hasLocalId ? ['local_message_id'] : [])]);
  for (const channel of event.streams ?? []) checkChannel(channel);
  for (const subscription of event.subscriptions ?? []) checkSubscription(subscription);
  if (event.group) checkUserGroup(event.group);
  return kind;
}

export function checkError(body: Body): void {
  refuseExtra('an error', body, ['result', 'msg', 'code', ...(ERROR[body.code] ?? [])]);
  if (body.result !== 'error' || typeof body.msg !== 'string' || typeof body.code !== 'string') {
    throw new Error(`The Go client cannot read this error: ${JSON.stringify(body)}`);
  }
}
