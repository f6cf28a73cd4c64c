import { BadRequest, StreamDoesNotExist } from '../../../base/errors.ts';
import type { ChannelHead } from '../../../model/channels.ts';
import type { User } from '../../../model/users.ts';
import {
  channelPermission,
  effectiveTopicsPolicy,
  hasContentAccess,
  hasMetadataAccess,
  hasSharedHistory,
  maySendHere,
} from '../../../rules/channels.ts';
import { organizationPermission, organizationSetting } from '../../../rules/organization-settings.ts';
import { ORGANIZATION_PERMISSIONS } from '../../../rules/permission-settings.ts';
import { hasPermission } from '../../../rules/permissions.ts';
import { isGuest, isInRooms, isSystem, systemGroupId } from '../../../rules/roles.ts';
import type { ReadContext, WriteContext } from '../../../viewer/context.ts';
import type { PostingPlace } from '../../../viewer/versioned-caches.ts';
import { findChannel, viewerOf } from '../../../viewer/viewer.ts';
import { apiEmail } from '../../../views/user-view.ts';
import { checkBlocks } from '../blocking.ts';

/** The context needed to find a place. Read transactions can provide it too. */
type PlaceContext = ReadContext & Pick<WriteContext, 'afterCommit' | 'channelsVersion' | 'readersVersion'>;

/**
 * Finds the channel by ID or name, and the topic by its stored name. Caches the result until channels change.
 * @throws StreamDoesNotExist if the channel does not exist or is hidden from the sender; BadRequest if the sender may
 *   not post there
 */
export async function accessPlaceToPost(context: WriteContext, sender: User, address: number | string, topic: string) {
  const place = await accessChannelToPost(context, sender, address);
  checkTopicPolicy(context, place.channel, topic);
  const { conversation, hasMessages } = await ensureTopic(context, place.channel.id, topic);
  const isUnderWay = hasMessages && !place.isMuted;
  return { channel: place.channel, conversation, isFromOutside: !place.isSubscribed, isUnderWay };
}

/** A channel in which the sender may post. Does not check the topic. @throws like `accessPlaceToPost` */
export async function accessChannelToPost(context: PlaceContext, sender: User, address: number | string) {
  const place = await addressedChannel(context, sender, address);
  await checkPosting(context, sender, place, address);
  return place;
}

async function addressedChannel(context: PlaceContext, sender: User, address: number | string): Promise<PostingPlace> {
  const place = await storedPlace(context, sender, address);
  if (!isInRooms(sender, place.channel.id)) throw channelDoesNotExist(address);
  return place;
}

async function storedPlace(context: PlaceContext, sender: User, address: number | string): Promise<PostingPlace> {
  let id = address;
  if (typeof id === 'string') {
    const channel = await findChannel(context, id);
    id = channel?.id ?? 0;
  }
  const { tx, services, channelsVersion } = context;
  const known = services.channelCache.place(channelsVersion, id, sender.id);
  if (known) return known;
  const found = await tx.channels.withSubscription(id, sender.id);
  if (!found) {
    // As for a hidden channel, so that the time does not tell them apart.
    await viewerOf(context, sender).membership();
    throw channelDoesNotExist(address);
  }
  const { active: isSubscribed = false, is_muted = false } = found.subscription ?? {};
  const place = { channel: found.channel, isSubscribed, isMuted: isSubscribed && is_muted };
  context.afterCommit(() => services.channelCache.keepPlace(channelsVersion, place, sender.id));
  return place;
}

const channelDoesNotExist = (address: number | string) =>
  new StreamDoesNotExist(typeof address === 'string' ? { stream: address } : { stream_id: address });

/** If the channel is hidden from the sender, throws the error for a missing channel. */
export async function checkPosting(
  context: ReadContext,
  sender: User,
  { channel, isSubscribed }: Pick<PostingPlace, 'channel' | 'isSubscribed'>,
  address: number | string = channel.id,
): Promise<void> {
  const refusal = await postingRefusal(context, sender, { channel, isSubscribed });
  if (refusal === undefined) return;
  const isKnown = hasMetadataAccess(channel, await viewerOf(context, sender).membership(), { isSubscribed });
  throw isKnown ? new BadRequest(refusal) : channelDoesNotExist(address);
}

/** Why the sender may not post in the channel. Undefined if they may. */
async function postingRefusal(
  context: ReadContext,
  sender: User,
  { channel, isSubscribed }: Pick<PostingPlace, 'channel' | 'isSubscribed'>,
): Promise<string | undefined> {
  if (!(await maySendIn(context, sender, channel))) return 'You are not allowed to send messages in this channel.';
  if (channel.is_archived) return 'This channel is archived. You cannot send messages to it.';
  if (channel.is_web_public || isSubscribed || isSystem(sender)) return undefined;
  if (!channel.invite_only && !isGuest(sender)) return undefined;
  if (await isOwnerSubscribed(context, sender, channel)) return undefined;
  if (channel.invite_only && hasSharedHistory(channel) && (await mayJoin(context, sender, channel))) return undefined;
  return 'You are not allowed to send messages in a channel you cannot read.';
}

/** A bot may also send where its owner may. */
async function maySendIn(context: ReadContext, sender: User, channel: ChannelHead): Promise<boolean> {
  const value = channelPermission(channel, 'can_send_message_group');
  if (maySendHere(channel, await viewerOf(context, sender).membershipFor([value]))) return true;
  if (sender.bot_owner_id === null) return false;
  const owner = await context.tx.users.byId(sender.bot_owner_id);
  return owner?.is_active === true && maySendHere(channel, await viewerOf(context, owner).membershipFor([value]));
}

async function isOwnerSubscribed({ tx }: ReadContext, { bot_owner_id }: User, { id }: ChannelHead): Promise<boolean> {
  if (bot_owner_id === null) return false;
  const subscription = await tx.subscriptions.get(bot_owner_id, id);
  return subscription?.active === true && (await tx.users.byId(bot_owner_id))?.is_active === true;
}

/** A permission to subscribe, or to add subscribers, lets users read a private channel. */
async function mayJoin(context: ReadContext, sender: User, channel: ChannelHead): Promise<boolean> {
  const values = [
    channelPermission(channel, 'can_add_subscribers_group'),
    channelPermission(channel, 'can_subscribe_group'),
  ];
  return hasContentAccess(channel, await viewerOf(context, sender).membershipFor(values), { isSubscribed: false });
}

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

async function ensureTopic(context: WriteContext, channelId: number, topic: string) {
  const { tx, services, channelsVersion } = context;
  const known = services.channelCache.topic(channelsVersion, channelId, topic);
  if (known) return { conversation: known, hasMessages: true };
  const conversation = await tx.conversations.ensureTopic(channelId, topic);
  context.afterCommit(() => services.channelCache.keepTopic(channelsVersion, channelId, conversation));
  return { conversation, hasMessages: false };
}

const MAX_PARTICIPANTS = 1_000;

/**
 * The participants of a direct message, including the sender, ordered by ID.
 * @throws BadRequest for deactivated and hidden recipients, and if the organization does not allow the message;
 *   DirectMessageRefused if a recipient blocks the sender
 * @param options `isTyping`: blocks do not refuse it, because only a refused message shows a block
 */
export async function directParticipants(
  context: PlaceContext,
  sender: User,
  to: readonly (number | string)[],
  { isTyping = false } = {},
) {
  if (to.length === 0) throw new BadRequest('A direct message needs at least one recipient.');
  if (to.length > MAX_PARTICIPANTS)
    throw new BadRequest(`A direct message can have at most ${MAX_PARTICIPANTS} recipients.`);
  const recipients = await viewerOf(context, sender).accounts(to, { systemBots: true });
  for (const user of recipients) {
    if (!user.is_active)
      throw new BadRequest(`${apiEmail(user, context.organization)} is deactivated and cannot receive messages.`);
  }
  const participants = new Map(recipients.map((user) => [user.id, user]));
  participants.set(sender.id, sender);
  const people = [...participants.values()].sort((a, b) => a.id - b.id);
  await checkPolicy(context, sender, people);
  if (!isTyping) await checkBlocks(context, sender, people);
  return people;
}

/** Starting a conversation needs another permission. Messages of bots, or only to bots, need neither. */
async function checkPolicy(context: ReadContext, sender: User, people: readonly User[]): Promise<void> {
  const others = people.filter((user) => user.id !== sender.id);
  if (sender.bot_type !== null || others.every((user) => user.bot_type !== null)) return;
  const permission = organizationPermission(context.organization, 'direct_message_permission_group');
  if (permission === systemGroupId('role:nobody'))
    throw new BadRequest('This organization does not allow direct messages.');
  const guests = ORGANIZATION_PERMISSIONS.direct_message_permission_group.everyone;
  if (!(await isGrantedToAny()))
    throw new BadRequest('At least one participant must be allowed to use direct messages.');
  const initiator = organizationPermission(context.organization, 'direct_message_initiator_group');
  const isInitiator = { guests, setting: 'direct_message_initiator_group' };
  if (hasPermission(initiator, await viewerOf(context, sender).membershipFor([initiator]), isInitiator)) return;
  if (await context.tx.conversations.direct(people.map((user) => user.id))) return;
  throw new BadRequest('You are not allowed to start direct conversations.');

  async function isGrantedToAny(): Promise<boolean> {
    const setting = 'direct_message_permission_group';
    for (const user of people) {
      if (hasPermission(permission, await viewerOf(context, user).membershipFor([permission]), { guests, setting }))
        return true;
    }
    return false;
  }
}
