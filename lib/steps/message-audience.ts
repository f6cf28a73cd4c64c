import type { Audience } from '../events/event.ts';
import type { TransactionContext } from '../operation.ts';
import { hasSharedHistory } from '../rules/channels.ts';
import { isGuest } from '../rules/roles.ts';
import type { Channel, Conversation, PlacedMessage } from '../storage/storage.ts';

type Scope = Pick<TransactionContext, 'tx' | 'organization' | 'now'>;

/**
 * Whoever is told what happens to a message (reference 6.16): everybody who received it and may still read
 * it, and the channel's subscribers where earlier history is open to them.
 */
export async function messageAudience(scope: Scope, message: PlacedMessage): Promise<Audience> {
  if (message.channel_id === null) {
    const [conversation] = await scope.tx.conversations.byIds([message.conversation_id]);
    return { users: (conversation as Conversation).participants };
  }
  const [channel] = await scope.tx.channels.byIds([message.channel_id]);
  return channelMessagesAudience(scope, channel as Channel, [message.id]);
}

/** The same for messages of one channel, ids ascending. */
export async function channelMessagesAudience(
  scope: Scope,
  channel: Channel,
  ids: readonly number[],
): Promise<Audience> {
  if (!hasSharedHistory(channel)) {
    const subscribers = (await scope.tx.subscriptions.subscriberIds([channel.id])).get(channel.id) ?? [];
    const missing = await scope.tx.messages.notReceived(subscribers, ids);
    return { users: subscribers.filter((id) => (missing.get(id)?.length ?? 0) < ids.length) };
  }
  const users = await formerReaders(scope, channel, ids);
  return users.length > 0 ? { channel: channel.id, users } : { channel: channel.id };
}

/**
 * Who was subscribed when the messages came (ids ascending) or has a flag on one of them, as on what they
 * starred in passing, and may read them without being subscribed. Subscribers may be among them.
 */
export async function formerReaders(
  { tx }: Pick<Scope, 'tx'>,
  channel: Channel,
  ids: readonly number[],
): Promise<number[]> {
  const [first, last] = [ids[0], ids.at(-1)];
  if (channel.invite_only || first === undefined || last === undefined) return [];
  const received = await tx.messages.formerReceivers(channel.id, { from_id: first, to_id: last });
  const all = [...new Set([...received, ...(await tx.readState.flagHolders(ids))])];
  if (all.length === 0 || channel.is_web_public) return all;
  return (await tx.users.byIds(all)).filter((user) => !isGuest(user)).map((user) => user.id);
}
