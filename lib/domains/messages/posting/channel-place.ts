import { membershipFor, membershipOf } from '../../../access/membership.ts';
import type { PostingPlace } from '../../../caches/channel-cache.ts';
import type { ReadContext, WriteContext } from '../../../kernel/context.ts';
import { BadRequest, StreamDoesNotExist } from '../../../kernel/errors.ts';
import {
  channelPermission,
  effectiveTopicsPolicy,
  hasContentAccess,
  hasMetadataAccess,
  hasSharedHistory,
  maySendHere,
} from '../../../rules/channels.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { isGuest } from '../../../rules/roles.ts';
import type { ChannelHead } from '../../../storage/interface/channels.ts';
import type { Conversation } from '../../../storage/interface/conversations.ts';
import type { User } from '../../../storage/interface/users.ts';

/** A channel and one of its topics. The topic is created if it does not exist. */
export interface ChannelPlace {
  channel: ChannelHead;
  conversation: Conversation;
  /** The sender is not subscribed, so they do not receive their own message. */
  isFromOutside?: boolean;
  /** The topic is known to have messages, and the sender has not muted the channel. */
  isUnderWay?: boolean;
}

/** The context needed to find a place. Read transactions can provide it too. */
type PlaceContext = ReadContext & Pick<WriteContext, 'afterCommit' | 'channelsVersion'>;

/**
 * Finds the channel by ID or name, and the topic by its stored name. Caches the result until channels change.
 * @throws StreamDoesNotExist if the channel does not exist or is hidden from the sender; BadRequest if the sender may
 *   not post there
 */
export async function accessPlaceToPost(
  context: WriteContext,
  sender: User,
  address: number | string,
  topic: string,
): Promise<ChannelPlace> {
  const place = await accessChannelToPost(context, sender, address);
  checkTopicPolicy(context, place.channel, topic);
  const { conversation, hasMessages } = await ensureTopic(context, place.channel.id, topic);
  const isUnderWay = hasMessages && !place.isMuted;
  return { channel: place.channel, conversation, isFromOutside: !place.isSubscribed, isUnderWay };
}

/** A channel in which the sender may post. Does not check the topic. @throws like `accessPlaceToPost` */
export async function accessChannelToPost(
  context: PlaceContext,
  sender: User,
  address: number | string,
): Promise<PostingPlace> {
  const place = await addressedChannel(context, sender, address);
  await checkPosting(context, sender, place, address);
  return place;
}

async function addressedChannel(context: PlaceContext, sender: User, address: number | string): Promise<PostingPlace> {
  let id = address;
  if (typeof id === 'string') {
    const [channel] = await context.tx.channels.byNames([id.trim()]);
    if (!channel) throw channelDoesNotExist(address);
    id = channel.id;
  }
  const { tx, services, channelsVersion } = context;
  const known = services.channelCache.place(channelsVersion, id, sender.id);
  if (known) return known;
  const found = await tx.channels.withSubscription(id, sender.id);
  if (!found) throw channelDoesNotExist(address);
  const { active: isSubscribed = false, is_muted = false } = found.subscription ?? {};
  const place = { channel: found.channel, isSubscribed, isMuted: isSubscribed && is_muted };
  context.afterCommit(() => services.channelCache.keepPlace(channelsVersion, place, sender.id));
  return place;
}

const channelDoesNotExist = (address: number | string) =>
  new StreamDoesNotExist(typeof address === 'string' ? { stream: address } : { stream_id: address });

/**
 * Throws unless the sender, or the owner of a bot, may post in the channel. If the channel is hidden from the sender,
 * throws the error for a missing channel.
 */
export async function checkPosting(
  context: ReadContext,
  sender: User,
  { channel, isSubscribed }: Pick<PostingPlace, 'channel' | 'isSubscribed'>,
  address: number | string = channel.id,
): Promise<void> {
  const { tx } = context;
  const value = channelPermission(channel, 'can_send_message_group');
  let isAllowed = maySendHere(channel, await membershipFor(context, sender, [value]));
  if (!isAllowed && sender.bot_owner_id !== null) {
    const owner = await tx.users.byId(sender.bot_owner_id);
    isAllowed = owner?.is_active === true && maySendHere(channel, await membershipFor(context, owner, [value]));
  }
  if (!isAllowed) {
    await checkKnows();
    throw new BadRequest('You are not allowed to send messages in this channel.');
  }
  if (channel.is_archived) await checkKnows();
  if (channel.is_archived) throw new BadRequest('This channel is archived. You cannot send messages to it.');
  if (channel.is_web_public || isSubscribed) return;
  if (!channel.invite_only && !isGuest(sender)) return;
  if (sender.bot_owner_id !== null) {
    const owners = await tx.subscriptions.get(sender.bot_owner_id, channel.id);
    if (owners?.active && (await tx.users.byId(sender.bot_owner_id))?.is_active) return;
  }
  if (channel.invite_only && hasSharedHistory(channel)) {
    const values = [
      channelPermission(channel, 'can_add_subscribers_group'),
      channelPermission(channel, 'can_subscribe_group'),
    ];
    if (hasContentAccess(channel, await membershipFor(context, sender, values), false)) return;
  }
  await checkKnows();
  throw new BadRequest('You are not allowed to send messages in a channel you cannot read.');

  async function checkKnows(): Promise<void> {
    const isKnown = hasMetadataAccess(channel, await membershipOf(context, sender), isSubscribed);
    if (!isKnown) throw channelDoesNotExist(address);
  }
}

/** Throws if the topics policy of the channel does not allow the topic. */
export function checkTopicPolicy(
  { organization }: Pick<ReadContext, 'organization'>,
  channel: ChannelHead,
  topic: string,
): void {
  const policy = effectiveTopicsPolicy(channel, organizationSetting(organization, 'topics_policy'));
  const shown = organizationSetting(organization, 'empty_topic_display_name');
  if (policy === 'disable_empty_topic' && topic === '') {
    throw new BadRequest(`This channel requires a topic other than "${shown}".`);
  }
  if (policy === 'empty_topic_only' && topic !== '') {
    throw new BadRequest(`This channel only accepts messages in the topic "${shown}".`);
  }
}

async function ensureTopic(
  context: WriteContext,
  channelId: number,
  topic: string,
): Promise<{ conversation: Conversation; hasMessages: boolean }> {
  const { tx, services, channelsVersion } = context;
  const known = services.channelCache.topic(channelsVersion, channelId, topic);
  if (known) return { conversation: known, hasMessages: true };
  const conversation = await tx.conversations.ensureTopic(channelId, topic);
  context.afterCommit(() => services.channelCache.keepTopic(channelsVersion, channelId, conversation));
  return { conversation, hasMessages: false };
}
