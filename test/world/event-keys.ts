import assert from 'node:assert/strict';

/**
 * Keys a strict client accepts in each event, beside id, type and op, and in the objects events carry.
 * Clients that decode strictly fail on any other.
 */
const EVENT_KEYS: Readonly<Record<string, string>> = {
  'stream/create': 'streams',
  'stream/delete': 'streams stream_ids',
  'stream/update': 'stream_id name property value rendered_description history_public_to_subscribers is_web_public',
  'channel_folder/add': 'channel_folder',
  default_streams: 'default_streams',
  realm_linkifiers: 'realm_linkifiers',
  realm_playgrounds: 'realm_playgrounds',
  message: 'message flags',
  'realm/update': 'property value',
  'realm/update_dict': 'property data',
  'realm_bot/add': 'bot',
  'realm_bot/update': 'bot',
  'realm_emoji/update': 'realm_emoji',
  'realm_user/add': 'person',
  'realm_user/update': 'person',
  'subscription/add': 'subscriptions',
  'subscription/update': 'stream_id property value',
  'subscription/remove': 'subscriptions',
  'subscription/peer_add': 'stream_ids user_ids',
  'subscription/peer_remove': 'stream_ids user_ids',
  'update_message_flags/add': 'operation flag messages all',
  'update_message_flags/remove': 'operation flag messages all message_details',
  'reaction/add': 'message_id emoji_name emoji_code reaction_type user_id',
  'reaction/remove': 'message_id emoji_name emoji_code reaction_type user_id',
  update_message:
    'user_id rendering_only message_id message_ids flags edit_timestamp stream_id new_stream_id propagate_mode orig_subject subject topic_links orig_content orig_rendered_content content rendered_content is_me_message',
  delete_message: 'message_ids message_id message_type stream_id topic',
  'user_group/add_members': 'group_id user_ids',
  'user_group/remove_members': 'group_id user_ids',
  'user_settings/update': 'property value language_name',
  heartbeat: '',
};

const PERMISSIONS = [
  'add_subscribers',
  'remove_subscribers',
  'administer_channel',
  'delete_any_message',
  'delete_own_message',
  'move_messages_out_of_channel',
  'move_messages_within_channel',
  'send_message',
  'subscribe',
  'resolve_topics',
].map((name) => `can_${name}_group`);

/** Every key of a channel object (reference, 8.1); the optional ones are listed apart. */
export const CHANNEL_KEYS: readonly string[] = [
  'stream_id',
  'name',
  'is_archived',
  'description',
  'date_created',
  'creator_id',
  'invite_only',
  'rendered_description',
  'is_web_public',
  'stream_post_policy',
  'message_retention_days',
  'history_public_to_subscribers',
  'topics_policy',
  'first_message_id',
  'folder_id',
  'is_recently_active',
  'is_announcement_only',
  'stream_weekly_traffic',
  'subscriber_count',
  ...PERMISSIONS,
];

/** Reference, 8.2. */
export const SUBSCRIPTION_KEYS: readonly string[] = [
  ...CHANNEL_KEYS,
  'desktop_notifications',
  'email_notifications',
  'wildcard_mentions_notify',
  'push_notifications',
  'audible_notifications',
  'pin_to_top',
  'is_muted',
  'in_home_view',
  'color',
];

/** Reference, 8.4. */
export const GROUP_KEYS: readonly string[] = [
  'id',
  'name',
  'description',
  'date_created',
  'creator_id',
  'members',
  'direct_subgroup_ids',
  'is_system_group',
  'deactivated',
  ...['add_members', 'join', 'leave', 'manage', 'mention', 'remove_members'].map((name) => `can_${name}_group`),
];

export function assertKeys(
  value: object,
  required: readonly string[],
  optional: readonly string[],
  place: string,
): void {
  const keys = Object.keys(value).filter((key) => !optional.includes(key));
  assert.deepEqual(keys.sort(), [...required].sort(), place);
}

// biome-ignore lint/suspicious/noExplicitAny: events of every type come through here
export function assertEventKeys(event: any): void {
  const name = event.op === undefined ? event.type : `${event.type}/${event.op}`;
  const allowed = EVENT_KEYS[name];
  assert.ok(allowed !== undefined, `${name} is not an event clients know`);
  const own = event.type === 'message' ? ['local_message_id'] : [];
  for (const key of Object.keys(event)) {
    assert.ok(
      ['id', 'type', 'op', ...own, ...allowed.split(' ')].includes(key),
      `${name} carries the unknown key ${key}`,
    );
  }
  assert.equal(typeof event.id, 'number');
  if (name === 'stream/create') {
    for (const channel of event.streams) assertKeys(channel, CHANNEL_KEYS, [], name);
  }
  if (name === 'subscription/add') {
    for (const subscription of event.subscriptions) assertKeys(subscription, SUBSCRIPTION_KEYS, ['subscribers'], name);
  }
}
