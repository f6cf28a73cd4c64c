import { BadRequest } from '../base/errors.ts';
import type { Channel } from '../model/channels.ts';
import type { User } from '../model/users.ts';
import { channelPermission, hasContentAccess, hasSharedHistory } from '../rules/channels.ts';
import { isGuest, traceOf } from '../rules/roles.ts';
import type { Conversation } from '../storage/interface/conversations.ts';
import type { Audience } from '../storage/interface/events.ts';
import type { WholeTopic } from '../storage/interface/flags.ts';
import type { PlacedMessage } from '../storage/interface/messages.ts';
import { usersWithPermission } from './channels.ts';
import type { AccountContext, ReadContext } from './context.ts';
import { membershipOf } from './membership.ts';

/**
 * The message with this ID, if the caller can read it.
 * @throws BadRequest, with the same message if it does not exist or the caller cannot read it
 */
export async function accessMessage(
  context: AccountContext,
  id: number,
  options: { toModify?: boolean } = {},
): Promise<PlacedMessage> {
  const message = await context.tx.messages.byId(id);
  if (!message) {
    traceOf(context.actor)?.({ rule: 'message', isYes: false, detail: `There is no message with ID ${id}.` });
  }
  const [readable] = message ? await readableMessages(context, context.actor, [message], options) : [];
  if (!readable) throw noSuchMessage(id);
  return readable;
}

/** The same error for missing messages and for messages that the caller cannot read. */
export const noSuchMessage = (id: number) => new BadRequest(`There is no message with ID ${id} that you can access.`);

/**
 * The messages that the user can read: direct messages of their conversations, and messages of channels they can read.
 * If the history of the channel is protected, only messages that they received. With `toModify`, excludes messages of
 * archived channels.
 */
export async function readableMessages<M extends Pick<PlacedMessage, 'id' | 'channel_id'>>(
  context: ReadContext,
  user: User,
  messages: readonly M[],
  options: { toModify?: boolean } = {},
): Promise<M[]> {
  if (messages.length === 0) return [];
  const { tx } = context;
  const ids = messages.map((message) => message.id);
  const channelIds = [...new Set(messages.map((message) => message.channel_id).filter((id) => id !== null))];
  const [receivedIds, found, own, membership] = await Promise.all([
    tx.messages.received(user.id, ids),
    tx.channels.byIds(channelIds),
    tx.subscriptions.pairs([user.id], channelIds),
    channelIds.length > 0 ? membershipOf(context, user) : undefined,
  ]);
  const received = new Set(receivedIds);
  const decide = (id: number, isYes: boolean, reason: string) => {
    traceOf(user)?.({ rule: 'message', isYes, detail: `Message ${id}: ${reason}` });
    return isYes;
  };
  const tookPart = (id: number) =>
    received.has(id)
      ? decide(id, true, 'they are in its direct conversation.')
      : decide(id, false, 'they are not in its direct conversation.');
  if (!membership) return messages.filter(({ id }) => tookPart(id));
  const channels = new Map(found.map((channel) => [channel.id, channel]));
  const subscribed = new Set(own.filter((subscription) => subscription.active).map(({ channel_id }) => channel_id));
  return messages.filter(({ id, channel_id }) => {
    if (channel_id === null) return tookPart(id);
    const channel = channels.get(channel_id);
    if (!channel || (options.toModify && channel.is_archived)) {
      return decide(id, false, 'its channel has been archived, so nothing in it can be changed.');
    }
    if (!hasContentAccess(channel, membership, subscribed.has(channel.id))) {
      return decide(id, false, 'they cannot read its channel.');
    }
    if (hasSharedHistory(channel)) return decide(id, true, 'they can read its channel.');
    return received.has(id)
      ? decide(id, true, 'they have received it.')
      : decide(id, false, 'the history of its channel is protected, and they have not received it.');
  });
}

/** The channel of a message; it must exist. */
export async function channelOf({ tx }: Pick<ReadContext, 'tx'>, id: number): Promise<Channel> {
  const channel = await tx.channels.byId(id);
  if (!channel) throw new Error(`Channel ${id} has messages: it must exist.`);
  return channel;
}

/** The topic or the group of people a message is in; it must exist. */
export async function conversationOf({ tx }: Pick<ReadContext, 'tx'>, message: PlacedMessage): Promise<Conversation> {
  const [conversation] = await tx.conversations.byIds([message.conversation_id]);
  if (!conversation) throw new Error(`Conversation ${message.conversation_id} has messages: it must exist.`);
  return conversation;
}

/**
 * The users who get the events of a message. In a channel: its subscribers, and users who can read the message and have
 * received, sent or flagged it or reacted to it. If the history is protected, only users who received it.
 */
export async function messageAudience(context: ReadContext, message: PlacedMessage): Promise<Audience> {
  if (message.channel_id === null) return { users: (await conversationOf(context, message)).participants };
  const ids = [message.id];
  const [channel, outsiders] = await Promise.all([
    channelOf(context, message.channel_id),
    outsidersConcerned(context, message.channel_id, ids),
  ]);
  return channelMessagesAudience(context, channel, ids, outsiders);
}

/** Messages of one channel: their IDs in ascending order, or all messages of a topic. */
export type ChannelMessages = readonly number[] | WholeTopic;

/** Like `messageAudience`, for messages of one channel. @param ids in ascending order */
export async function channelMessagesAudience(
  context: ReadContext,
  channel: Channel,
  ids: readonly number[],
  concerned?: readonly number[],
): Promise<Audience> {
  if (hasSharedHistory(channel)) return sharedHistoryAudience(context, channel, ids, concerned);
  const [subscribers, outsiders] = await Promise.all([
    context.tx.subscriptions.subscriberIds([channel.id]),
    outsideReaders(context, channel, ids, concerned),
  ]);
  const readers = [...new Set([...(subscribers.get(channel.id) ?? []), ...outsiders])];
  const missing = await context.tx.messages.notReceived(readers, ids, channel.id);
  return { users: readers.filter((id) => (missing.get(id)?.length ?? 0) < ids.length) };
}

/** Like `messageAudience`, for a channel whose history is open to subscribers. */
export async function sharedHistoryAudience(
  context: ReadContext,
  channel: Channel,
  messages: ChannelMessages,
  concerned?: readonly number[],
): Promise<Audience> {
  const users = await outsideReaders(context, channel, messages, concerned);
  return users.length > 0 ? { channel: channel.id, users } : { channel: channel.id };
}

/** Users who are concerned by one of the messages and can read the channel without a subscription. */
export async function outsideReaders(
  context: ReadContext,
  channel: Channel,
  messages: ChannelMessages,
  concerned?: readonly number[],
): Promise<number[]> {
  const userIds = concerned ?? (await outsidersConcerned(context, channel.id, messages));
  return withContentAccess(context, channel, userIds);
}

/** Users who received or flagged one of the messages and are not subscribed to the channel. */
async function outsidersConcerned(
  { tx }: ReadContext,
  channelId: number,
  messages: ChannelMessages,
): Promise<number[]> {
  const isTopic = 'conversation_id' in messages;
  const { from_id, to_id } = isTopic ? messages : { from_id: messages[0], to_id: messages.at(-1) };
  if (from_id === undefined || to_id === undefined) return [];
  const [received, flagged] = await Promise.all([
    tx.messages.formerReceivers(channelId, { from_id, to_id }),
    isTopic ? tx.flags.outsiders(messages) : tx.flags.holders(messages, channelId),
  ]);
  return [...new Set([...received, ...flagged])];
}

/** The users who can read the channel, of users who are not subscribed to it. */
export async function withContentAccess(
  context: ReadContext,
  channel: Channel,
  userIds: readonly number[],
): Promise<number[]> {
  if (userIds.length === 0 || channel.is_web_public) return [...userIds];
  if (!channel.invite_only)
    return (await context.tx.users.byIds(userIds)).filter((user) => !isGuest(user)).map((user) => user.id);
  const holders = await usersWithPermission(context, [
    channelPermission(channel, 'can_add_subscribers_group'),
    channelPermission(channel, 'can_subscribe_group'),
  ]);
  return userIds.filter((id) => holders.has(id));
}
