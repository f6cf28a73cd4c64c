import * as v from 'valibot';
import { defineEvent } from '../../../kernel/define-event.ts';
import { describe } from '../../../kernel/schemas.ts';
import { type SubscriptionObject, subscriptionObject } from '../channel-view.ts';

export const subscribed = defineEvent('subscription/add', {
  summary: 'The reader was subscribed to channels.',
  fields: { subscriptions: v.array(subscriptionObject) },
  forClient({ subscriptions }: { subscriptions: readonly SubscriptionObject[] }, { options }) {
    if (options.include_subscribers) return { subscriptions: [...subscriptions] };
    return { subscriptions: subscriptions.map(({ subscribers: _, ...subscription }) => subscription) };
  },
});

export const unsubscribed = defineEvent('subscription/remove', {
  summary: 'The reader is no longer subscribed to channels.',
  fields: { subscriptions: v.array(v.object({ stream_id: v.number(), name: v.string() })) },
});

export const subscriptionUpdated = defineEvent('subscription/update', {
  summary: "One of the reader's own settings of a channel has a new value.",
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
  summary: 'Others were subscribed to channels that the reader knows of.',
  fields: peers,
});

export const peersUnsubscribed = defineEvent('subscription/peer_remove', {
  summary: 'Others are no longer subscribed to channels that the reader knows of.',
  fields: peers,
  // Of their own leaving readers are told by `subscription/remove`.
  forClient({ stream_ids, user_ids }: Peers, { reader }) {
    return { stream_ids, user_ids: user_ids.filter((id) => id !== reader.id) };
  },
});
