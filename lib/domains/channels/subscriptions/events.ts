import * as v from 'valibot';
import { chunked, groupBy } from '../../../base/lists.ts';
import { present } from '../../../base/present.ts';
import { describe, type ValuesOf } from '../../../base/schemas.ts';
import { defineEvent, type RoomView } from '../../../events/define-event.ts';
import type { Channel } from '../../../model/channels.ts';
import { GUEST } from '../../../rules/roles.ts';
import type { Audience } from '../../../storage/interface/events.ts';
import { channelAudiences } from '../../../viewer/audiences.ts';
import type { Delivery, WriteContext } from '../../../viewer/context.ts';
import {
  MAX_CHANNELS_PER_EVENT,
  type SubscriptionObject,
  startsOverIn,
  subscriptionObject,
  withoutNull,
} from '../channel-view.ts';

const inRooms = ({ subscriptions }: { subscriptions: readonly { stream_id: number }[] }, { channels }: RoomView) =>
  startsOverIn(
    subscriptions.map(({ stream_id }) => stream_id),
    channels,
  );

export const subscribed = defineEvent('subscription/add', {
  summary: 'You were subscribed to channels.',
  fields: { subscriptions: v.array(subscriptionObject) },
  inRooms,
  forClient({ subscriptions: stored }: { subscriptions: readonly SubscriptionObject[] }, client) {
    const { options } = client;
    const isNullKnown = options.client_capabilities.notification_settings_null;
    const subscriptions = stored.map((one) => (isNullKnown ? one : withoutNull(one, client.reader)));
    if (options.include_subscribers) return { subscriptions };
    return { subscriptions: subscriptions.map(({ subscribers: _, ...subscription }) => subscription) };
  },
});

export const unsubscribed = defineEvent('subscription/remove', {
  summary: 'You were unsubscribed from channels.',
  fields: { subscriptions: v.array(v.object({ stream_id: v.number(), name: v.string() })) },
  inRooms,
});

export const subscriptionUpdated = defineEvent('subscription/update', {
  summary: 'One of your personal settings for a channel changed.',
  fields: {
    stream_id: v.number(),
    property: describe(v.string(), 'The field of the subscription that changed.'),
    value: v.unknown(),
  },
  inRooms: ({ stream_id }, { channels }) => channels.has(stream_id),
});

const peers = { stream_ids: v.array(v.number()), user_ids: v.array(v.number()) };

export const peersSubscribed = defineEvent('subscription/peer_add', {
  summary: 'Other users were subscribed to channels that are visible to you.',
  fields: peers,
  inRooms: ({ stream_ids }, { channels }) => startsOverIn(stream_ids, channels),
});

export const peersUnsubscribed = defineEvent('subscription/peer_remove', {
  summary: 'Other users were unsubscribed from channels that are visible to you.',
  fields: peers,
  inRooms: ({ stream_ids }, { channels }) => startsOverIn(stream_ids, channels),
  // Users get `subscription/remove` for their own subscriptions.
  forClient({ stream_ids, user_ids }: ValuesOf<typeof peers>, { reader }) {
    return { stream_ids, user_ids: user_ids.filter((id) => id !== reader.id) };
  },
});

/** Users who joined or left a channel, and the audience of the event. */
interface PeerChange {
  channel: Channel;
  /** Ascending. */
  ids: readonly number[];
  peers: Audience;
}

/** Sends the changes to other users. Channels with the same users and the same audience share an event. */
export function emitPeers(
  { emit }: Pick<WriteContext, 'emit'>,
  changes: readonly PeerChange[],
  event: typeof peersSubscribed | typeof peersUnsubscribed,
  delivery?: Delivery,
): void {
  for (const alike of groupBy(changes, ({ peers, ids }) => JSON.stringify([peers, ids])).values()) {
    for (const part of chunked(alike, MAX_CHANNELS_PER_EVENT)) {
      const { peers, ids } = present(part[0]);
      emit(peers, event({ stream_ids: part.map(({ channel }) => channel.id), user_ids: [...ids] }), delivery);
    }
  }
}

/** Above this number, guests are not listed in the audience of an event. */
const MAX_LISTED_GUESTS = 100;
/** Limit for guests times channels. Above it, the lookup takes longer than writing one event per channel. */
const MAX_GUEST_LOOKUPS = 100_000;

/**
 * The audience of changes in each channel, equal if the users are the same, so that channels can share an event. The
 * audiences of public channels only differ in their guests, so they list the guests, unless there are too many.
 */
export async function peerAudiences(context: WriteContext, channels: readonly Channel[]) {
  const { tx } = context;
  const audiences = await channelAudiences(context, channels);
  const open = channels.map(({ id }) => id).filter((id) => audiences.get(id)?.scope === 'members');
  if (open.length < 2) return audiences;
  const guests = await tx.users.activeIds([GUEST]);
  if (guests.length > MAX_LISTED_GUESTS || guests.length * open.length > MAX_GUEST_LOOKUPS) return audiences;
  for (const [id, users] of await tx.subscriptions.subscriberIds(open, guests)) {
    audiences.set(id, { scope: 'members', ...(users.length > 0 ? { users } : {}) });
  }
  return audiences;
}
