import { membershipFor, membershipOf } from '../../access/membership.ts';
import type { PostingPlace } from '../../caches/channel-cache.ts';
import type { ReadContext } from '../../kernel/context.ts';
import { BadRequest, StreamDoesNotExist } from '../../kernel/errors.ts';

import {
  channelPermission,
  effectiveTopicsPolicy,
  hasContentAccess,
  hasMetadataAccess,
  hasSharedHistory,
  maySendHere,
} from '../../rules/channels.ts';
import { organizationSetting } from '../../rules/organization-settings.ts';
import { isGuest } from '../../rules/roles.ts';
import type { ChannelHead, User } from '../../storage/storage.ts';
import { placeToPost } from './posting-place.ts';

/** The channel addressed, and whether the sender is subscribed. */
export async function channelToPost(
  scope: Parameters<typeof placeToPost>[0],
  to: number | string,
  sender: User,
): Promise<PostingPlace> {
  let id = to;
  if (typeof id === 'string') {
    const [channel] = await scope.tx.channels.byNames([id.trim()]);
    if (!channel) throw new StreamDoesNotExist(addressed(id));
    id = channel.id;
  }
  const found = await placeToPost(scope, id, sender);
  if (!found) throw new StreamDoesNotExist(addressed(to));
  return found;
}

const addressed = (to: number | string) => (typeof to === 'string' ? { stream: to } : { stream_id: to });

/** Refuses unless the sender may post in the channel (reference 4.1, "Posting"). */
export async function mayPost(
  scope: ReadContext,
  channel: ChannelHead,
  isSubscribed: boolean,
  sender: User,
  address: number | string = channel.id,
): Promise<void> {
  const sendValue = channelPermission(channel, 'can_send_message_group');
  const senderStanding = await membershipFor(scope, sender, [sendValue]);
  let allowed = maySendHere(channel, senderStanding);
  if (!allowed && sender.bot_owner_id !== null) {
    const owner = await scope.tx.users.byId(sender.bot_owner_id);
    allowed = owner?.is_active === true && maySendHere(channel, await membershipFor(scope, owner, [sendValue]));
  }
  if (!allowed) {
    await hideUnlessKnown(scope, channel, isSubscribed, sender, address);
    throw new BadRequest('You are not allowed to send messages in this channel.');
  }
  if (channel.is_archived) throw new BadRequest('This channel has been archived; nothing can be sent to it.');
  if (channel.is_web_public || isSubscribed) return;
  if (!channel.invite_only && !isGuest(sender)) return;
  if (sender.bot_owner_id !== null) {
    const owners = await scope.tx.subscriptions.get(sender.bot_owner_id, channel.id);
    if (owners?.active && (await scope.tx.users.byId(sender.bot_owner_id))?.is_active) return;
  }
  if (channel.invite_only && hasSharedHistory(channel)) {
    const values = [
      channelPermission(channel, 'can_add_subscribers_group'),
      channelPermission(channel, 'can_subscribe_group'),
    ];
    if (hasContentAccess(channel, await membershipFor(scope, sender, values), false)) return;
  }
  await hideUnlessKnown(scope, channel, isSubscribed, sender, address);
  throw new BadRequest('You are not allowed to send messages in a channel you cannot read.');
}

/** Somebody who may not know of the channel is told what they would be told if there were none. */
async function hideUnlessKnown(
  scope: ReadContext,
  channel: ChannelHead,
  isSubscribed: boolean,
  sender: User,
  address: number | string,
): Promise<void> {
  const known = hasMetadataAccess(channel, await membershipOf(scope, sender), isSubscribed);
  if (!known) throw new StreamDoesNotExist(addressed(address));
}

/** Refuses a topic that the channel's policy excludes. */
export function checkTopicPolicy(scope: Pick<ReadContext, 'organization'>, channel: ChannelHead, topic: string): void {
  const policy = effectiveTopicsPolicy(channel, organizationSetting(scope.organization, 'topics_policy'));
  const shown = organizationSetting(scope.organization, 'empty_topic_display_name');
  if (policy === 'disable_empty_topic' && topic === '') {
    throw new BadRequest(`This channel needs a topic; "${shown}" is not enough.`);
  }
  if (policy === 'empty_topic_only' && topic !== '') {
    throw new BadRequest(`This channel takes messages only in the topic "${shown}".`);
  }
}
