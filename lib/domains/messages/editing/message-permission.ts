import { membershipOf } from '../../../access/membership.ts';
import type { AccountContext } from '../../../kernel/context.ts';
import { BadRequest } from '../../../kernel/errors.ts';

import { isGrantedHere, type MessagePermission } from '../../../rules/channels.ts';
import { organizationPermission, organizationSetting } from '../../../rules/organization-settings.ts';
import { ORGANIZATION_PERMISSIONS, type OrganizationPermission } from '../../../rules/permission-settings.ts';
import { hasPermission, type Membership } from '../../../rules/permissions.ts';
import type { Channel, PlacedMessage } from '../../../storage/storage.ts';

/** Organization and channel add up: either may grant it. */
function isGrantedByEither(
  context: AccountContext,
  membership: Membership,
  channel: Channel | undefined,
  organizationKey: OrganizationPermission,
  channelKey: MessagePermission,
): boolean {
  const { everyone } = ORGANIZATION_PERMISSIONS[organizationKey];
  if (hasPermission(organizationPermission(context.organization, organizationKey), membership, { guests: everyone }))
    return true;
  return channel !== undefined && isGrantedHere(channel, membership, channelKey);
}

/** Whether something said at `timestamp` may still be changed under a limit in seconds; null is no limit. */
export function isWithin(limit: number | null, timestamp: number, nowMs: number): boolean {
  return limit === null || nowMs / 1000 - timestamp <= limit;
}

/** Refuses unless the caller may edit what the message says (reference 7.8). */
export function checkContentEdit({ actor, organization, now }: AccountContext, message: PlacedMessage): void {
  if (message.sender_id !== actor.id) throw new BadRequest('You can edit only what you wrote yourself.');
  if (!organizationSetting(organization, 'allow_message_editing')) {
    throw new BadRequest('This organization does not let messages be edited.');
  }
  if (!isWithin(organizationSetting(organization, 'message_content_edit_limit_seconds'), message.timestamp, now)) {
    throw new BadRequest('The time in which this message could be edited is over.');
  }
}

export function mayMoveWithin(context: AccountContext, membership: Membership, channel: Channel): boolean {
  return isGrantedByEither(
    context,
    membership,
    channel,
    'can_move_messages_between_topics_group',
    'can_move_messages_within_channel_group',
  );
}

export function mayResolveTopics(context: AccountContext, membership: Membership, channel: Channel): boolean {
  return isGrantedByEither(context, membership, channel, 'can_resolve_topics_group', 'can_resolve_topics_group');
}

export function mayMoveOut(context: AccountContext, membership: Membership, channel: Channel): boolean {
  return isGrantedByEither(
    context,
    membership,
    channel,
    'can_move_messages_between_channels_group',
    'can_move_messages_out_of_channel_group',
  );
}

/** Refuses unless the caller may delete the message (reference 7.8); a bot's owner may what its sender may. */
export async function checkDeletion(context: AccountContext, message: PlacedMessage): Promise<void> {
  const { tx, actor, organization, now } = context;
  const membership = await membershipOf(context, actor);
  const channel = message.channel_id === null ? undefined : await tx.channels.byId(message.channel_id);
  if (isGrantedByEither(context, membership, channel, 'can_delete_any_message_group', 'can_delete_any_message_group'))
    return;
  if (message.sender_id !== actor.id) {
    const sender = await tx.users.byId(message.sender_id);
    if (sender?.bot_owner_id !== actor.id) throw new BadRequest('You are not allowed to delete this message.');
  }
  if (
    !isGrantedByEither(context, membership, channel, 'can_delete_own_message_group', 'can_delete_own_message_group')
  ) {
    throw new BadRequest('You are not allowed to delete messages.');
  }
  if (!isWithin(organizationSetting(organization, 'message_content_delete_limit_seconds'), message.timestamp, now)) {
    throw new BadRequest('The time in which this message could be deleted is over.');
  }
}
