import { whoKnowsOf } from '../../access/channel-audience.ts';
import { inactiveUserIds } from '../../access/inactive-users.ts';
import type { WriteContext } from '../../kernel/context.ts';
import type { Audience, EventDraft } from '../../kernel/event.ts';

import type { Channel, ChannelHead } from '../../storage/storage.ts';
import { channelView } from './channel-view.ts';
import { subscribedEvents } from './subscribed-events.ts';

/** The part of an event about this channel that keeps it from clients to whom an archived channel is not there. */
export function onlyIfShown(channel: Pick<ChannelHead, 'is_archived'>): Pick<EventDraft, 'archivedChannels'> {
  return channel.is_archived ? { archivedChannels: true } : {};
}

/** From clients that do not know archived channels the channel disappears. */
export function disappears(
  { emit }: Pick<WriteContext, 'emit'>,
  channel: Pick<Channel, 'id'>,
  audience: Audience,
): void {
  const event = { type: 'stream', op: 'delete', streams: [{ stream_id: channel.id }], stream_ids: [channel.id] };
  emit({ audience, event, archivedChannels: false });
}

/** To these clients it comes back, with its subscribers; to each of them as the subscription it still is. */
export async function reappears(scope: WriteContext, channel: Channel): Promise<void> {
  const { tx, now } = scope;
  const emit = (draft: EventDraft) => scope.emit({ ...draft, archivedChannels: false });
  const audience = await whoKnowsOf(scope, channel);
  const inactive = await inactiveUserIds(scope);
  emit({ audience, event: { type: 'stream', op: 'create', streams: [channelView(channel, inactive, now)] } });
  const subscribers = (await tx.subscriptions.subscriberIds([channel.id])).get(channel.id) ?? [];
  if (subscribers.length === 0) return;
  const own = await tx.subscriptions.pairs(subscribers, [channel.id]);
  for (const draft of subscribedEvents(channel, own, subscribers, inactive, now)) emit(draft);
  const event = { type: 'subscription', op: 'peer_add', stream_ids: [channel.id], user_ids: subscribers };
  emit({ audience: { ...audience, except: subscribers }, event });
}
