import type { ReadContext } from '../kernel/context.ts';
import type { Audience } from '../kernel/event.ts';
import { hasSharedHistory } from '../rules/channels.ts';
import { isGuest } from '../rules/roles.ts';
import type { Channel, Conversation, PlacedMessage, WholeTopic } from '../storage/storage.ts';

/**
 * Whoever is told what happens to a message (reference 6.16): everybody who received it and may still read
 * it, and the channel's subscribers where earlier history is open to them.
 */
export async function messageAudience(scope: ReadContext, message: PlacedMessage): Promise<Audience> {
  if (message.channel_id === null) {
    const [conversation] = await scope.tx.conversations.byIds([message.conversation_id]);
    return { users: (conversation as Conversation).participants };
  }
  const [channel] = await scope.tx.channels.byIds([message.channel_id]);
  return channelMessagesAudience(scope, channel as Channel, [message.id]);
}

/** The same for messages of one channel, ids ascending. */
export async function channelMessagesAudience(
  scope: ReadContext,
  channel: Channel,
  ids: readonly number[],
): Promise<Audience> {
  if (!hasSharedHistory(channel)) {
    const subscribers = (await scope.tx.subscriptions.subscriberIds([channel.id])).get(channel.id) ?? [];
    const missing = await scope.tx.messages.notReceived(subscribers, ids);
    return { users: subscribers.filter((id) => (missing.get(id)?.length ?? 0) < ids.length) };
  }
  return sharedAudience(scope, channel, ids);
}

/** The same where earlier history is open to subscribers. */
export async function sharedAudience(scope: ReadContext, channel: Channel, which: WhichMessages): Promise<Audience> {
  const users = await formerReaders(scope, channel, which);
  return users.length > 0 ? { channel: channel.id, users } : { channel: channel.id };
}

/** Messages of one channel: their ids, ascending, or all of a topic, however many they are. */
export type WhichMessages = readonly number[] | WholeTopic;

/**
 * Who was subscribed when the messages came or has a flag on one of them, as on what they starred in
 * passing, and may read them without being subscribed. Subscribers may be among them.
 */
export async function formerReaders(
  { tx }: Pick<ReadContext, 'tx'>,
  channel: Channel,
  which: WhichMessages,
): Promise<number[]> {
  const isTopic = 'conversation_id' in which;
  const range = isTopic ? which : { from_id: which[0], to_id: which.at(-1) };
  const { from_id, to_id } = range;
  if (channel.invite_only || from_id === undefined || to_id === undefined) return [];
  const received = await tx.messages.formerReceivers(channel.id, { from_id, to_id });
  const holders = await (isTopic ? tx.flags.outsiders(which) : tx.flags.holders(which));
  const all = [...new Set([...received, ...holders])];
  if (all.length === 0 || channel.is_web_public) return all;
  return (await tx.users.byIds(all)).filter((user) => !isGuest(user)).map((user) => user.id);
}
