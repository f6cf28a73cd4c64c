import type { SystemGroupName } from './roles.ts';

export interface PermissionSetting {
  /** A system group, or `creator`: the user who creates the object. */
  default: SystemGroupName | 'creator';
  /** Whether `role:nobody` is accepted. */
  nobody: boolean;
  /** Whether `role:everyone` is accepted. If not, guests never have the permission. */
  everyone: boolean;
  /** Only these system groups are accepted. */
  only?: readonly SystemGroupName[];
  /** Groups that are not accepted as a bare ID, besides `role:internet`. */
  never?: readonly SystemGroupName[];
}

/** By default, a setting accepts `role:nobody` but not `role:everyone`. */
const setting = (
  defaultGroup: PermissionSetting['default'],
  options: Partial<PermissionSetting> = {},
): PermissionSetting => ({ default: defaultGroup, nobody: true, everyone: false, ...options });

export const ORGANIZATION_PERMISSIONS = {
  can_access_all_users_group: setting('role:everyone', {
    nobody: false,
    everyone: true,
    only: ['role:everyone', 'role:members'],
  }),
  can_add_custom_emoji_group: setting('role:members'),
  can_add_subscribers_group: setting('role:members'),
  can_create_bots_group: setting('role:members'),
  can_create_groups: setting('role:members'),
  can_create_private_channel_group: setting('role:members'),
  can_create_public_channel_group: setting('role:members'),
  can_create_web_public_channel_group: setting('role:owners', {
    only: ['role:moderators', 'role:administrators', 'role:owners', 'role:nobody'],
  }),
  can_create_write_only_bots_group: setting('role:members'),
  can_delete_any_message_group: setting('role:administrators'),
  can_delete_own_message_group: setting('role:everyone', { everyone: true }),
  can_invite_users_group: setting('role:members'),
  can_manage_all_groups: setting('role:owners', { nobody: false }),
  can_manage_billing_group: setting('role:administrators', { nobody: false }),
  can_mention_many_users_group: setting('role:administrators', { everyone: true }),
  can_move_messages_between_channels_group: setting('role:members'),
  can_move_messages_between_topics_group: setting('role:everyone', { everyone: true }),
  can_resolve_topics_group: setting('role:everyone', { everyone: true }),
  can_set_delete_message_policy_group: setting('role:moderators'),
  can_set_topics_policy_group: setting('role:members', { everyone: true }),
  can_summarize_topics_group: setting('role:everyone', { everyone: true }),
  create_multiuse_invite_group: setting('role:administrators'),
  direct_message_initiator_group: setting('role:everyone', { everyone: true }),
  direct_message_permission_group: setting('role:everyone', { everyone: true }),
} as const satisfies Record<string, PermissionSetting>;

export const CHANNEL_PERMISSIONS = {
  can_add_subscribers_group: setting('role:nobody'),
  can_administer_channel_group: setting('creator'),
  can_delete_any_message_group: setting('role:nobody', { everyone: true }),
  can_delete_own_message_group: setting('role:nobody', { everyone: true }),
  can_move_messages_out_of_channel_group: setting('role:nobody', { everyone: true }),
  can_move_messages_within_channel_group: setting('role:nobody', { everyone: true }),
  can_remove_subscribers_group: setting('role:administrators', { everyone: true }),
  can_resolve_topics_group: setting('role:nobody', { everyone: true }),
  can_send_message_group: setting('role:everyone', { everyone: true }),
  can_subscribe_group: setting('role:nobody'),
} as const satisfies Record<string, PermissionSetting>;

export const GROUP_PERMISSIONS = {
  can_add_members_group: setting('creator'),
  can_join_group: setting('role:nobody'),
  can_leave_group: setting('role:everyone', { everyone: true }),
  can_manage_group: setting('creator'),
  can_mention_group: setting('role:everyone', { everyone: true, never: ['role:owners'] }),
  can_remove_members_group: setting('role:nobody'),
} as const satisfies Record<string, PermissionSetting>;

export type OrganizationPermission = keyof typeof ORGANIZATION_PERMISSIONS;
export type ChannelPermission = keyof typeof CHANNEL_PERMISSIONS;
export type GroupPermission = keyof typeof GROUP_PERMISSIONS;

export const ORGANIZATION_PERMISSION_NAMES = Object.keys(ORGANIZATION_PERMISSIONS) as OrganizationPermission[];
export const CHANNEL_PERMISSION_NAMES = Object.keys(CHANNEL_PERMISSIONS) as ChannelPermission[];
export const GROUP_PERMISSION_NAMES = Object.keys(GROUP_PERMISSIONS) as GroupPermission[];
