import type { ReadContext } from '../kernel/context.ts';
import { BadRequest } from '../kernel/errors.ts';

import { hasContentAccess, hasSharedHistory } from '../rules/channels.ts';
import type { Channel, PlacedMessage, User } from '../storage/storage.ts';
import { membershipOf } from './membership.ts';

/**
 * Of the messages, those the user may read (reference 4.2): direct ones by taking part, channel ones
 * by access to the channel and, where history is protected, by having received them.
 */
export async function readableMessages(
  scope: ReadContext,
  user: User,
  messages: readonly PlacedMessage[],
  options: { modify?: boolean } = {},
): Promise<PlacedMessage[]> {
  if (messages.length === 0) return [];
  const { tx } = scope;
  const channelIds = [...new Set(messages.map((message) => message.channel_id).filter((one) => one !== null))];
  const channels = new Map<number, Channel>();
  if (channelIds.length > 0)
    for (const channel of await tx.channels.byIds(channelIds)) channels.set(channel.id, channel);
  const own = channelIds.length > 0 ? await tx.subscriptions.pairs([user.id], channelIds) : [];
  const subscribed = new Set(own.filter((one) => one.active).map((one) => one.channel_id));
  const membership = channelIds.length > 0 ? await membershipOf(scope, user) : undefined;
  const received = new Set(
    await tx.messages.received(
      user.id,
      messages.map((message) => message.id),
    ),
  );
  return messages.filter((message) => {
    if (message.channel_id === null) return received.has(message.id);
    const channel = channels.get(message.channel_id);
    if (!channel || !membership || (options.modify && channel.is_archived)) return false;
    if (!hasContentAccess(channel, membership, subscribed.has(channel.id))) return false;
    return hasSharedHistory(channel) || received.has(message.id);
  });
}

/** The message with this id; missing ones and hidden ones give the same refusal. */
export async function messageKnownTo(
  scope: ReadContext,
  user: User,
  id: number,
  options: { modify?: boolean } = {},
): Promise<PlacedMessage> {
  const message = await scope.tx.messages.byId(id);
  const [readable] = message ? await readableMessages(scope, user, [message], options) : [];
  if (!readable) throw new BadRequest(`There is no message with ID ${id} that you can access.`);
  return readable;
}
