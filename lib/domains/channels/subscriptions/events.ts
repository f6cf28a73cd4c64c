import * as v from 'valibot';
import { defineEvent } from '../../../kernel/define-event.ts';
import { describe } from '../../../kernel/schemas.ts';
import { type SubscriptionObject, subscriptionObject } from '../channel-view.ts';

export const subscribed = defineEvent('subscription/add', {
  summary: 'You were subscribed to channels.',
  fields: { subscriptions: v.array(subscriptionObject) },
  forClient({ subscriptions }: { subscriptions: readonly SubscriptionObject[] }, { options }) {
    if (options.include_subscribers) return { subscriptions: [...subscriptions] };
    return { subscriptions: subscriptions.map(({ subscribers: _, ...subscription }) => subscription) };
  },
});

export const unsubscribed = defineEvent('subscription/remove', {
  summary: 'You were unsubscribed from channels.',
  fields: { subscriptions: v.array(v.object({ stream_id: v.number(), name: v.string() })) },
});

export const subscriptionUpdated = defineEvent('subscription/update', {
  summary: 'One of your personal settings for a channel changed.',
  fields: {
    stream_id: v.number(),
    property: describe(v.string(), 'The field of the subscription that changed.'),
    value: v.unknown(),
  },
});

export interface Peers {
  stream_ids: number[];
  user_ids: number[];
}

const peers = { stream_ids: v.array(v.number()), user_ids: v.array(v.number()) };

export const peersSubscribed = defineEvent('subscription/peer_add', {
  summary: 'Other users were subscribed to channels that are visible to you.',
  fields: peers,
});

export const peersUnsubscribed = defineEvent('subscription/peer_remove', {
  summary: 'Other users were unsubscribed from channels that are visible to you.',
  fields: peers,
  // Users get `subscription/remove` for their own subscriptions.
  forClient({ stream_ids, user_ids }: Peers, { reader }) {
    return { stream_ids, user_ids: user_ids.filter((id) => id !== reader.id) };
  },
});
