import type * as v from 'valibot';
import { keysOf, recordOf } from '../base/keys.ts';
import { optional } from '../base/schemas.ts';
import type { SystemGroupName } from './roles.ts';

export interface PermissionSetting {
  /** The description of the parameter. */
  text: string;
  /** A system group, or `creator`: the user who creates the object. */
  default: SystemGroupName | 'creator';
  /** Whether `role:nobody` is accepted. */
  nobody: boolean;
  /** Whether `role:everyone` is accepted. If not, guests never have the permission. */
  everyone: boolean;
  only?: readonly SystemGroupName[];
  /** Groups that are not accepted as a bare ID, besides `role:internet`. */
  never?: readonly SystemGroupName[];
}

/** By default, a setting accepts `role:nobody`. It accepts `role:everyone` if that is the default group. */
const setting = (
  text: string,
  group: PermissionSetting['default'],
  options: Partial<PermissionSetting> = {},
): PermissionSetting => ({ text, default: group, nobody: true, everyone: group === 'role:everyone', ...options });

/** Permissions of the organization that the server checks. */
export const CHECKED_PERMISSIONS = {
  can_access_all_users_group: setting(
    'Who can see all users. role:everyone includes guests. With role:members, guests see only users they share a conversation with.',
    'role:everyone',
    { nobody: false, only: ['role:everyone', 'role:members'] },
  ),
  can_add_custom_emoji_group: setting('Who can add custom emoji.', 'role:members'),
  can_add_subscribers_group: setting('Who can subscribe others to channels.', 'role:members'),
  can_create_bots_group: setting('Who can create bots.', 'role:members'),
  can_create_groups: setting('Who can create user groups.', 'role:members'),
  can_create_private_channel_group: setting('Who can create private channels.', 'role:members'),
  can_create_public_channel_group: setting('Who can create public channels.', 'role:members'),
  can_create_web_public_channel_group: setting('Who can create web-public channels.', 'role:owners', {
    only: ['role:moderators', 'role:administrators', 'role:owners', 'role:nobody'],
  }),
  can_create_write_only_bots_group: setting('Who can create bots that only send messages.', 'role:members'),
  can_delete_any_message_group: setting('Who can delete any message.', 'role:administrators'),
  can_delete_own_message_group: setting('Who can delete their own messages.', 'role:everyone'),
  can_invite_users_group: setting('Who can invite people by e-mail.', 'role:members'),
  can_manage_all_groups: setting('Who can manage all user groups.', 'role:owners', { nobody: false }),
  can_mention_many_users_group: setting(
    'Who can use wildcard mentions in large channels and topics.',
    'role:administrators',
    {
      everyone: true,
    },
  ),
  can_move_messages_between_channels_group: setting('Who can move messages to another channel.', 'role:members'),
  can_move_messages_between_topics_group: setting('Who can move messages to another topic.', 'role:everyone'),
  can_resolve_topics_group: setting('Who can resolve topics.', 'role:everyone'),
  can_set_delete_message_policy_group: setting('Who can set who deletes messages in a channel.', 'role:moderators'),
  can_set_topics_policy_group: setting('Who can set topics policies of channels.', 'role:members', { everyone: true }),
  create_multiuse_invite_group: setting('Who can create multi-use invitation links.', 'role:administrators'),
  direct_message_initiator_group: setting('Who can start direct message conversations.', 'role:everyone'),
  direct_message_permission_group: setting('Direct messages need a participant from this group.', 'role:everyone'),
} as const satisfies Record<string, PermissionSetting>;

/** Includes permissions that clients expect. No operation changes these. */
export const ORGANIZATION_PERMISSIONS = {
  ...CHECKED_PERMISSIONS,
  can_manage_billing_group: setting('Who can manage billing.', 'role:administrators', { nobody: false }),
  can_summarize_topics_group: setting('Who can summarize topics.', 'role:everyone'),
} as const satisfies Record<string, PermissionSetting>;

export const CHANNEL_PERMISSIONS = {
  can_add_subscribers_group: setting('Who can add subscribers.', 'role:nobody'),
  can_administer_channel_group: setting('Who can administer the channel.', 'creator'),
  can_delete_any_message_group: setting('Who can delete any message in it.', 'role:nobody', { everyone: true }),
  can_delete_own_message_group: setting('Who can delete their own messages in it.', 'role:nobody', { everyone: true }),
  can_move_messages_out_of_channel_group: setting('Who can move messages out.', 'role:nobody', { everyone: true }),
  can_move_messages_within_channel_group: setting('Who can move messages in it.', 'role:nobody', { everyone: true }),
  can_remove_subscribers_group: setting('Who can remove subscribers.', 'role:administrators', { everyone: true }),
  can_resolve_topics_group: setting('Who can resolve topics.', 'role:nobody', { everyone: true }),
  can_send_message_group: setting('Who can post.', 'role:everyone'),
  can_subscribe_group: setting('Who can subscribe if the channel is private.', 'role:nobody'),
} as const satisfies Record<string, PermissionSetting>;

export const GROUP_PERMISSIONS = {
  can_add_members_group: setting('Who can add members.', 'creator'),
  can_join_group: setting('Who can join the group.', 'role:nobody'),
  can_leave_group: setting('Who can leave the group.', 'role:everyone'),
  can_manage_group: setting('Who can manage the group: settings and members.', 'creator'),
  can_mention_group: setting('Who can mention the group.', 'role:everyone', { never: ['role:owners'] }),
  can_remove_members_group: setting('Who can remove members.', 'role:nobody'),
} as const satisfies Record<string, PermissionSetting>;

/** Optional parameters for permissions. @param schema of a value or of its update */
export function permissionParams<K extends string, S extends v.GenericSchema>(
  settings: Readonly<Record<K, PermissionSetting>>,
  schema: S,
) {
  return recordOf(keysOf(settings), (key) => optional(schema, settings[key].text));
}

export type OrganizationPermission = keyof typeof ORGANIZATION_PERMISSIONS;
export type ChannelPermission = keyof typeof CHANNEL_PERMISSIONS;
export type GroupPermission = keyof typeof GROUP_PERMISSIONS;

export const ORGANIZATION_PERMISSION_NAMES = keysOf(ORGANIZATION_PERMISSIONS);
export const CHANNEL_PERMISSION_NAMES = keysOf(CHANNEL_PERMISSIONS);
export const GROUP_PERMISSION_NAMES = keysOf(GROUP_PERMISSIONS);
