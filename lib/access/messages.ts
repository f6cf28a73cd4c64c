import { BadRequest } from '../base/errors.ts';
import type { Channel } from '../model/channels.ts';
import type { User } from '../model/users.ts';
import { channelPermission, hasContentAccess, hasSharedHistory, seesWholeHistory } from '../rules/channels.ts';
import { GUEST, isGuest, isSystem, roomsOf, traceOf } from '../rules/roles.ts';
import type { Conversation } from '../storage/interface/conversations.ts';
import type { Audience } from '../storage/interface/events.ts';
import type { WholeTopic } from '../storage/interface/flags.ts';
import type { PlacedMessage } from '../storage/interface/messages.ts';
import { orMissing, usersWithPermission } from './channels.ts';
import type { AccountContext, ReadContext } from './context.ts';
import { membershipOf } from './membership.ts';

/** The message with this ID. @throws BadRequest, with the same message if it is missing or the caller cannot read it */
export async function accessMessage(context: AccountContext, id: number, options: { toModify?: boolean } = {}) {
  const message = await context.tx.messages.byId(id);
  if (!message) {
    traceOf(context.actor)?.({ rule: 'message', isYes: false, detail: `There is no message with ID ${id}.` });
  }
  const [readable] = await readableMessages(context, context.actor, message ? [message] : [], options);
  if (!readable) throw noSuchMessage(id);
  return readable;
}

/** The same error for missing messages and for messages that the caller cannot read. */
export const noSuchMessage = (id: number) => new BadRequest(`There is no message with ID ${id} that you can access.`);

/**
 * The messages that the user can read: direct messages of their conversations, and messages of channels they can read.
 * If the history of the channel is protected, only messages that they received. With `toModify`, excludes messages of
 * archived channels. Sends the same statements for all messages, and for none.
 */
export async function readableMessages<M extends Pick<PlacedMessage, 'id' | 'channel_id'>>(
  context: ReadContext,
  user: User,
  messages: readonly M[],
  options: { toModify?: boolean } = {},
): Promise<M[]> {
  const { tx } = context;
  const ids = messages.map((message) => message.id);
  const inChannels = [...new Set(messages.map((message) => message.channel_id).filter((id) => id !== null))];
  const channelIds = orMissing(inChannels);
  const [receivedIds, found, own, membership] = await Promise.all([
    tx.messages.received(user.id, orMissing(ids)),
    tx.channels.byIds(channelIds),
    tx.subscriptions.pairs([user.id], channelIds),
    membershipOf(context, user),
  ]);
  const received = new Set(receivedIds);
  const trace = traceOf(user);
  const allow = (id: number, reason: string) => {
    trace?.({ rule: 'message', isYes: true, detail: `Message ${id}: ${reason}` });
    return true;
  };
  const refuse = (id: number, reason: string) => {
    trace?.({ rule: 'message', isYes: false, detail: `Message ${id}: ${reason}` });
    return false;
  };
  const channels = new Map(found.map((channel) => [channel.id, channel]));
  const subscribed = new Set(own.filter((subscription) => subscription.active).map(({ channel_id }) => channel_id));
  return messages.filter(({ id, channel_id }) => {
    if (channel_id === null) {
      if (isSystem(user)) return true;
      if (roomsOf(user)) return refuse(id, 'their token is limited to rooms.');
      return received.has(id)
        ? allow(id, 'they are in its direct conversation.')
        : refuse(id, 'they are not in its direct conversation.');
    }
    const channel = channels.get(channel_id);
    if (!channel || (options.toModify && channel.is_archived)) {
      return refuse(id, 'its channel has been archived, so nothing in it can be changed.');
    }
    if (!hasContentAccess(channel, membership, { isSubscribed: subscribed.has(channel.id) })) {
      return refuse(id, 'they cannot read its channel.');
    }
    if (seesWholeHistory(user, channel)) return allow(id, 'they can read its channel.');
    return received.has(id)
      ? allow(id, 'they have received it.')
      : refuse(id, 'the history of its channel is protected, and they have not received it.');
  });
}

export async function channelOf({ tx }: Pick<ReadContext, 'tx'>, id: number): Promise<Channel> {
  const channel = await tx.channels.byId(id);
  if (!channel) throw new Error(`Channel ${id} has messages: it must exist.`);
  return channel;
}

export async function conversationOf({ tx }: Pick<ReadContext, 'tx'>, message: PlacedMessage): Promise<Conversation> {
  const [conversation] = await tx.conversations.byIds([message.conversation_id]);
  if (!conversation) throw new Error(`Conversation ${message.conversation_id} has messages: it must exist.`);
  return conversation;
}

/** Messages of one channel: their IDs in ascending order, or a whole topic of a channel with shared history. */
export type ChannelMessages = readonly number[] | WholeTopic;

/**
 * The users who get the events of a message. In a channel: its subscribers, and users who can read the message and have
 * received, sent or flagged it or reacted to it. If the history is protected, only users who received it.
 */
export async function messageAudience(context: ReadContext, message: PlacedMessage): Promise<Audience> {
  const { id, channel_id } = message;
  if (channel_id === null) return { users: (await conversationOf(context, message)).participants };
  const [channel, outsiders] = await Promise.all([
    channelOf(context, channel_id),
    outsidersConcerned(context, channel_id, [id]),
  ]);
  return audienceAmong(context, channel, [id], outsiders);
}

export async function channelMessagesAudience(context: ReadContext, channel: Channel, messages: ChannelMessages) {
  return audienceAmong(context, channel, messages, await outsidersConcerned(context, channel.id, messages));
}

export interface MoveAudience {
  audience: Audience;
  /** Users who could read the messages before the move and cannot read them after it. */
  lostAccess: number[];
  /** By user ID: messages that the user can no longer read, if the user can still read others. */
  lostSome: ReadonlyMap<number, readonly number[]>;
}

/** Call it before the messages move. */
export async function moveAudience(
  context: ReadContext,
  from: Channel,
  to: Channel,
  messages: ChannelMessages,
): Promise<MoveAudience> {
  const before = await channelMessagesAudience(context, from, messages);
  if (from.id === to.id) return { audience: before, lostAccess: [], lostSome: new Map() };
  const [subscribers, guests] = await Promise.all([
    context.tx.subscriptions.subscriberIds([from.id, to.id]),
    from.is_web_public ? [] : context.tx.users.activeIds([GUEST]),
  ]);
  const leaving = new Set(subscribers.get(from.id));
  const arriving = new Set(subscribers.get(to.id));
  const knew = new Set([...(before.channel === undefined ? [] : leaving), ...(before.users ?? [])]);
  const others = [...knew].filter((id) => !arriving.has(id));
  const isShared = hasSharedHistory(to);
  const admitted = new Set(isShared ? await withContentAccess(context, to, others) : []);
  const isOut = new Set(others.filter((id) => !admitted.has(id)));
  const lostSome = new Map<number, readonly number[]>();
  if (!isShared && !('conversation_id' in messages)) {
    for (const [id, missing] of await context.tx.messages.notReceived([...arriving], messages, to.id)) {
      if (missing.length === messages.length) isOut.add(id);
      else if (knew.has(id)) lostSome.set(id, missing);
    }
  }
  // A guest who could not read the old channel does not know the messages.
  const guestsWithoutAccess = new Set(guests.filter((id) => !knew.has(id)));
  const seeing = [...new Set([...knew, ...arriving])].filter((id) => !isOut.has(id) && !guestsWithoutAccess.has(id));
  return {
    audience:
      before.channel === undefined
        ? { users: seeing }
        : { channel: from.id, users: seeing.filter((id) => !leaving.has(id)), except: [...isOut] },
    lostAccess: [...isOut].filter((id) => knew.has(id)),
    lostSome,
  };
}

/** @param outsiders users who are not subscribed to the channel and have received or flagged one of the messages */
async function audienceAmong(
  context: ReadContext,
  channel: Channel,
  messages: ChannelMessages,
  outsiders: readonly number[],
): Promise<Audience> {
  const shared = hasSharedHistory(channel) || 'conversation_id' in messages;
  const [subscribers, readers] = await Promise.all([
    shared ? undefined : context.tx.subscriptions.subscriberIds([channel.id]),
    withContentAccess(context, channel, outsiders),
  ]);
  if (shared) return readers.length > 0 ? { channel: channel.id, users: readers } : { channel: channel.id };
  const users = [...new Set([...(subscribers?.get(channel.id) ?? []), ...readers])];
  const missing = await context.tx.messages.notReceived(users, messages, channel.id);
  return { users: users.filter((id) => (missing.get(id)?.length ?? 0) < messages.length) };
}

/** Users who received or flagged one of the messages and are not subscribed to the channel. */
async function outsidersConcerned({ tx }: ReadContext, channelId: number, messages: ChannelMessages) {
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
export async function withContentAccess(context: ReadContext, channel: Channel, userIds: readonly number[]) {
  if (userIds.length === 0 || channel.is_web_public) return [...userIds];
  if (!channel.invite_only)
    return (await context.tx.users.byIds(userIds)).filter((user) => !isGuest(user)).map((user) => user.id);
  const holders = await usersWithPermission(context, [
    channelPermission(channel, 'can_add_subscribers_group'),
    channelPermission(channel, 'can_subscribe_group'),
  ]);
  return userIds.filter((id) => holders.has(id));
}
