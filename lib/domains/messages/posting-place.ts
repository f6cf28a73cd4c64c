import type { PostingPlace } from '../../caches/channel-cache.ts';
import type { TransactionContext } from '../../kernel/operation.ts';
import type { Conversation, User } from '../../storage/storage.ts';

/** As `TransactionContext`, for a change that writes messages and nothing that `places_version` counts. */
type Scope = Pick<TransactionContext, 'tx' | 'engine' | 'placesVersion' | 'afterCommit'>;

/** The channel with this id for somebody who wants to post there, from memory while nothing of it has changed. */
export async function placeToPost(scope: Scope, channelId: number, sender: User): Promise<PostingPlace | undefined> {
  const { tx, engine, placesVersion } = scope;
  const known = engine.places.place(placesVersion, channelId, sender.id);
  if (known) return known;
  const found = await tx.channels.withSubscription(channelId, sender.id);
  if (!found) return undefined;
  const place = { channel: found.channel, isSubscribed: found.subscription?.active ?? false };
  scope.afterCommit(() => engine.places.keepPlace(placesVersion, place, sender.id));
  return place;
}

/** The topic's conversation, made if need be; from memory likewise. */
export async function topicToPost(scope: Scope, channelId: number, topic: string): Promise<Conversation> {
  const { tx, engine, placesVersion } = scope;
  const known = engine.places.topic(placesVersion, channelId, topic);
  if (known) return known;
  const conversation = await tx.conversations.ensureTopic(channelId, topic);
  scope.afterCommit(() => engine.places.keepTopic(placesVersion, channelId, conversation));
  return conversation;
}
