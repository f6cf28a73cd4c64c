import type { PostingPlace } from '../../caches/channel-cache.ts';
import type { WriteContext } from '../../kernel/context.ts';

import type { Conversation, User } from '../../storage/storage.ts';

/** The channel with this id for somebody who wants to post there, from memory while nothing of it has changed. */
export async function placeToPost(
  scope: WriteContext,
  channelId: number,
  sender: User,
): Promise<PostingPlace | undefined> {
  const { tx, services, placesVersion } = scope;
  const known = services.channelCache.place(placesVersion, channelId, sender.id);
  if (known) return known;
  const found = await tx.channels.withSubscription(channelId, sender.id);
  if (!found) return undefined;
  const place = { channel: found.channel, isSubscribed: found.subscription?.active ?? false };
  scope.afterCommit(() => services.channelCache.keepPlace(placesVersion, place, sender.id));
  return place;
}

/** The topic's conversation, made if need be; from memory likewise. */
export async function topicToPost(scope: WriteContext, channelId: number, topic: string): Promise<Conversation> {
  const { tx, services, placesVersion } = scope;
  const known = services.channelCache.topic(placesVersion, channelId, topic);
  if (known) return known;
  const conversation = await tx.conversations.ensureTopic(channelId, topic);
  scope.afterCommit(() => services.channelCache.keepTopic(placesVersion, channelId, conversation));
  return conversation;
}
