import type { Channel, ChannelHead, ChannelRules } from '../storage/interface/channels.ts';
import type { GroupSettingValue } from '../storage/interface/groups.ts';
import { type Subject, tellOf } from './decisions.ts';
import { CHANNEL_PERMISSIONS, type ChannelPermission } from './permission-settings.ts';
import { hasPermission, type Membership } from './permissions.ts';
import { ADMINISTRATOR, isAdministrator, isGuest } from './roles.ts';
import { systemGroupId } from './system-groups.ts';

/** A channel's value for a permission, its default when none is stored. */
export function channelPermission(
  channel: Pick<ChannelHead, 'settings' | 'creator_id'>,
  key: ChannelPermission,
): GroupSettingValue {
  const stored = channel.settings[key];
  if (stored !== undefined) return stored;
  const standard = CHANNEL_PERMISSIONS[key].default;
  if (standard !== 'creator') return systemGroupId(standard);
  return channel.creator_id === null
    ? systemGroupId('role:nobody')
    : { direct_members: [channel.creator_id], direct_subgroups: [] };
}

function hasChannelPermission(channel: ChannelRules, key: ChannelPermission, membership: Membership): boolean {
  const guests = CHANNEL_PERMISSIONS[key].everyone;
  return hasPermission(channelPermission(channel, key), membership, { guests, setting: key, of: subjectOf(channel) });
}

const subjectOf = ({ id, name }: ChannelRules): Subject => ({ kind: 'channel', id, name });

/** Tells of a decision and the reason for it. */
function decided(channel: ChannelRules, { user }: Membership, isYes: boolean, detail: string): boolean {
  tellOf(user)?.({ rule: 'channel', of: subjectOf(channel), isYes, detail });
  return isYes;
}

/**
 * Whether the user may read the channel's messages: as a subscriber, or because they could become one by
 * themselves. Being an administrator does not help.
 */
export function hasContentAccess(channel: ChannelRules, membership: Membership, isSubscribed: boolean): boolean {
  const decide = (isYes: boolean, detail: string) => decided(channel, membership, isYes, detail);
  if (isSubscribed) return decide(true, 'They are subscribed.');
  if (channel.is_web_public) return decide(true, 'Everybody may read it: it is open to the web.');
  if (isGuest(membership.user)) return decide(false, 'Guests read only channels that they are subscribed to.');
  if (!channel.invite_only) return decide(true, 'It is public, and they are no guest.');
  return (
    hasChannelPermission(channel, 'can_add_subscribers_group', membership) ||
    hasChannelPermission(channel, 'can_subscribe_group', membership) ||
    decide(false, 'It is private; they are neither subscribed nor may they subscribe by themselves.')
  );
}

/** Whether the user may know that the channel exists, its settings and its subscribers. */
export function hasMetadataAccess(channel: ChannelHead, membership: Membership, isSubscribed: boolean): boolean {
  if (hasContentAccess(channel, membership, isSubscribed)) return true;
  const decide = (isYes: boolean, detail: string) => decided(channel, membership, isYes, detail);
  if (isGuest(membership.user)) return false;
  // Not as a role by itself: that it was looked at would tell that there is such a channel.
  if (membership.user.role <= ADMINISTRATOR) return decide(true, 'Administrators know of every channel.');
  return (
    hasChannelPermission(channel, 'can_administer_channel_group', membership) ||
    decide(false, 'They may not know that there is this channel.')
  );
}

export function mayAdministerChannel(channel: ChannelHead, membership: Membership): boolean {
  return isAdministrator(membership.user) || hasChannelPermission(channel, 'can_administer_channel_group', membership);
}

export function mayRemoveSubscribers(channel: ChannelHead, membership: Membership): boolean {
  return hasChannelPermission(channel, 'can_remove_subscribers_group', membership);
}

/** May add others through the channel's own settings; the organization's setting comes on top. */
export function mayAddSubscribersHere(channel: ChannelRules, membership: Membership): boolean {
  return (
    hasChannelPermission(channel, 'can_add_subscribers_group', membership) ||
    hasChannelPermission(channel, 'can_administer_channel_group', membership)
  );
}

export function maySendHere(channel: ChannelHead, membership: Membership): boolean {
  return hasChannelPermission(channel, 'can_send_message_group', membership);
}

/** What a channel grants concerning its messages, on top of what the organization grants. */
export type MessagePermission =
  | 'can_delete_any_message_group'
  | 'can_delete_own_message_group'
  | 'can_move_messages_out_of_channel_group'
  | 'can_move_messages_within_channel_group'
  | 'can_resolve_topics_group';

export function isGrantedHere(channel: ChannelHead, membership: Membership, key: MessagePermission): boolean {
  return hasChannelPermission(channel, key, membership);
}

/** Whether messages from before a subscription are open to it. */
export function hasSharedHistory(
  channel: Pick<Channel, 'invite_only' | 'history_public_to_subscribers' | 'is_web_public'>,
): boolean {
  return channel.is_web_public || !channel.invite_only || channel.history_public_to_subscribers;
}

/** `allow_empty_topic` and its like, with `inherit` resolved. */
export function effectiveTopicsPolicy(
  channel: Pick<Channel, 'topics_policy'>,
  organizationPolicy: 'allow_empty_topic' | 'disable_empty_topic',
): 'allow_empty_topic' | 'disable_empty_topic' | 'empty_topic_only' {
  return channel.topics_policy === 'inherit' ? organizationPolicy : channel.topics_policy;
}
