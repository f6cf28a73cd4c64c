import { keysOf } from '../base/keys.ts';
import type { Channel, ChannelHead, ChannelRules } from '../model/channels.ts';
import type { Organization } from '../model/organization.ts';
import type { User } from '../model/users.ts';
import { organizationPermission } from './organization-settings.ts';
import {
  CHANNEL_PERMISSIONS,
  type ChannelPermission,
  ORGANIZATION_PERMISSIONS,
  type OrganizationPermission,
} from './permission-settings.ts';
import { defaultPermission, hasPermission, type Membership } from './permissions.ts';
import { ADMINISTRATOR, isAdministrator, isGuest, isInRooms, isSystem, type Subject, traceOf } from './roles.ts';

export function channelPermission(channel: Pick<ChannelHead, 'settings' | 'creator_id'>, key: ChannelPermission) {
  return channel.settings[key] ?? defaultPermission(CHANNEL_PERMISSIONS[key].default, channel);
}

export function hasChannelPermission(channel: ChannelRules, key: ChannelPermission, membership: Membership): boolean {
  const guests = CHANNEL_PERMISSIONS[key].everyone;
  return hasPermission(channelPermission(channel, key), membership, { guests, setting: key, of: subjectOf(channel) });
}

const subjectOf = ({ id, name }: ChannelRules): Subject => ({ kind: 'channel', id, name });

/** Both record the decision and its reason for explanations. */
function decisionsOn(channel: ChannelRules, { user }: Membership) {
  return {
    allow(detail: string): true {
      traceOf(user)?.({ rule: 'channel', of: subjectOf(channel), isYes: true, detail });
      return true;
    },
    refuse(detail: string): false {
      traceOf(user)?.({ rule: 'channel', of: subjectOf(channel), isYes: false, detail });
      return false;
    },
  };
}

/**
 * Whether the user can read the channel's messages: as a subscriber, or because they can subscribe themselves.
 * Administrators have no special access.
 */
export function hasContentAccess(
  channel: ChannelRules,
  membership: Membership,
  { isSubscribed }: { isSubscribed: boolean },
): boolean {
  const { allow, refuse } = decisionsOn(channel, membership);
  if (!isInRooms(membership.user, channel.id)) return refuse('Their token is limited to other rooms.');
  if (isSubscribed) return allow('They are subscribed.');
  if (channel.is_web_public) return allow('It is web-public, so everyone can read it.');
  if (isGuest(membership.user)) return refuse('Guests can read only channels that they are subscribed to.');
  if (!channel.invite_only) return allow('It is public, and they are not a guest.');
  return (
    hasChannelPermission(channel, 'can_add_subscribers_group', membership) ||
    hasChannelPermission(channel, 'can_subscribe_group', membership) ||
    refuse('It is private. They are not subscribed and cannot subscribe themselves.')
  );
}

/** Permissions that let a user know of a private channel without a subscription. */
export const METADATA_PERMISSIONS = [
  'can_administer_channel_group',
  'can_add_subscribers_group',
  'can_subscribe_group',
] as const satisfies ChannelPermission[];

export function hasMetadataAccess(
  channel: ChannelRules,
  membership: Membership,
  { isSubscribed }: { isSubscribed: boolean },
): boolean {
  if (hasContentAccess(channel, membership, { isSubscribed })) return true;
  const { allow, refuse } = decisionsOn(channel, membership);
  if (isGuest(membership.user)) return false;
  // Not isAdministrator(), which would record a decision that reveals the channel.
  if (membership.user.role <= ADMINISTRATOR) return allow('Administrators can see every channel.');
  return (
    hasChannelPermission(channel, 'can_administer_channel_group', membership) || refuse('They cannot see this channel.')
  );
}

export function mayAdministerChannel(channel: ChannelHead, membership: Membership): boolean {
  return isAdministrator(membership.user) || hasChannelPermission(channel, 'can_administer_channel_group', membership);
}

/** Whether the channel's settings allow adding others. The organization's permission is checked separately. */
export function mayAddSubscribersHere(channel: ChannelRules, membership: Membership): boolean {
  return (
    hasChannelPermission(channel, 'can_add_subscribers_group', membership) ||
    hasChannelPermission(channel, 'can_administer_channel_group', membership)
  );
}

export function maySendHere(channel: ChannelHead, membership: Membership): boolean {
  return hasChannelPermission(channel, 'can_send_message_group', membership);
}

/** Permissions for messages that a channel grants in addition to the organization. */
type MessagePermission =
  | 'can_delete_any_message_group'
  | 'can_delete_own_message_group'
  | 'can_move_messages_out_of_channel_group'
  | 'can_move_messages_within_channel_group'
  | 'can_resolve_topics_group';

/** Whether the organization or the channel grants a permission on messages. Direct messages have no channel. */
export function isGrantedByEither(
  organization: Organization,
  membership: Membership,
  channel: ChannelHead | undefined,
  keys: { organization: OrganizationPermission; channel: MessagePermission },
): boolean {
  const value = organizationPermission(organization, keys.organization);
  const options = { guests: ORGANIZATION_PERMISSIONS[keys.organization].everyone, setting: keys.organization };
  if (hasPermission(value, membership, options)) return true;
  return channel !== undefined && hasChannelPermission(channel, keys.channel, membership);
}

/** Whether subscribers can read messages from before their subscription. */
export function hasSharedHistory(
  channel: Pick<Channel, 'invite_only' | 'history_public_to_subscribers' | 'is_web_public'>,
): boolean {
  return channel.is_web_public || !channel.invite_only || channel.history_public_to_subscribers;
}

/** Whether the user can read all messages of a channel that they can read. */
export function seesWholeHistory(user: User, channel: Parameters<typeof hasSharedHistory>[0]): boolean {
  return isSystem(user) || hasSharedHistory(channel);
}

export function effectiveTopicsPolicy(
  channel: Pick<Channel, 'topics_policy'>,
  organizationPolicy: 'allow_empty_topic' | 'disable_empty_topic',
): 'allow_empty_topic' | 'disable_empty_topic' | 'empty_topic_only' {
  return channel.topics_policy === 'inherit' ? organizationPolicy : channel.topics_policy;
}

/** What makes a channel a room. Channels have no mark of their own for it. */
export const ROOM = {
  invite_only: true,
  is_web_public: false,
  history_public_to_subscribers: true,
  topics_policy: 'empty_topic_only',
} as const;

export const isRoom = (channel: Channel): boolean =>
  channel.external_id !== null && keysOf(ROOM).every((key) => channel[key] === ROOM[key]);
